//! How many frames a second reach a page on the same machine.

use std::sync::Arc;
use std::time::{Duration, Instant};

use aspic::Vec3;
use aspic::frame::{BodyRange, Frame, Topology};
use futures_util::{SinkExt, StreamExt};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use super::snapshot::LiveStage;
use super::*;
use crate::protocol::{Head, field};
use crate::server::Source;
use crate::{Options, View};

/// A run of so many points and tetrahedra that computes nothing and hands over a frame every time it is asked.
fn made_up(points: usize, tets: usize) -> Live {
    let list = |seed: f64| (0..points).map(|i| Vec3::repeat(seed + i as f64)).collect::<Vec<_>>();
    let corner = |i: usize| (i % points) as u32;
    let tets: Vec<[u32; 4]> = (0..tets).map(|t| [0, 1, 2, 3].map(|c| corner(7 * t + c))).collect();
    let body =
        BodyRange { name: "cloud".into(), points: 0..points, tets: 0..tets.len(), ..Default::default() };
    let frame = Frame {
        positions: list(0.5),
        velocities: list(1.5),
        reaction: list(2.5),
        contact: list(3.5),
        energy_density: vec![1.0; tets.len()],
        stress: vec![[1.0; 6]; tets.len()],
        ..Frame::default()
    };
    let topology = Topology { bodies: vec![body], points, tets, ..Topology::default() };
    let stage = Arc::new(LiveStage::made_up(&topology, &frame.positions));
    let snapshot = Snapshot { stage, serial: 0, frame: Arc::new(frame), head: Head::default() };
    let (sender, newest) = watch::channel(snapshot);
    let (commands, inbox) = mpsc::channel();
    let live = Live {
        commands,
        newest,
        state: watch::Sender::new(LiveState::default()),
        notices: broadcast::channel(1).0,
    };
    std::thread::spawn(move || {
        // As fast as anybody could want.
        while !matches!(inbox.try_recv(), Err(mpsc::TryRecvError::Disconnected)) {
            sender.send_modify(|snapshot| snapshot.serial += 1);
            std::thread::sleep(Duration::from_micros(500));
        }
    });
    live
}

async fn frames_per_second(address: &str, fields: u32, count: u32) -> (f64, usize) {
    // Browsers have no limit on the size of a message.
    let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
    let connected = tokio_tungstenite::connect_async_with_config(address, Some(config), true).await;
    let mut socket = connected.unwrap().0;
    let ask = |text: String| Message::Text(text.into());
    socket.send(ask(format!(r#"{{"do":"want","fields":{fields}}}"#))).await.unwrap();
    socket.send(ask(r#"{"do":"ready"}"#.into())).await.unwrap();
    let (mut seen, mut bytes, mut start) = (0, 0, Instant::now());
    while seen <= count {
        let Message::Binary(message) = socket.next().await.unwrap().unwrap() else { continue };
        if message[..4] != 3u32.to_le_bytes() {
            continue;
        }
        if seen == 0 {
            start = Instant::now();
        }
        (seen, bytes) = (seen + 1, message.len());
        socket.send(ask(r#"{"do":"ready"}"#.into())).await.unwrap();
    }
    (f64::from(count) / start.elapsed().as_secs_f64(), bytes)
}

#[test]
#[ignore = "a measurement: run it alone, with --ignored --nocapture"]
fn two_hundred_thousand_points_arrive_thirty_times_a_second() {
    let live = Arc::new(made_up(200_000, 1_000_000));
    let view = View::serve(Source::Live(live), &Options { port: Some(0), host: None }).unwrap();
    let address = view.address().replace("http", "ws") + "socket";
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for (what, fields) in [
        ("positions", 0),
        ("positions, velocities", field::VELOCITY),
        ("positions, stress", field::STRESS),
        ("everything", 31),
    ] {
        let (rate, bytes) = runtime.block_on(frames_per_second(&address, fields, 60));
        let megabytes = bytes as f64 / 1e6;
        println!("{what}: {rate:.0} frames/s of {megabytes:.1} MB, {:.0} MB/s", rate * megabytes);
        // Means over a million tetrahedra cost more than the way to the page.
        let enough = if fields & (field::STRESS | field::ENERGY) == 0 { 30.0 } else { 10.0 };
        assert!(rate > enough, "{what}: only {rate} frames/s");
    }
}
