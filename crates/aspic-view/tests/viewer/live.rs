//! Live runs: real time, hands, pins, parameters, and what happens when a step fails.

use std::time::{Duration, Instant};

use aspic::scene::Scene;

use crate::support::{BLOCK, Page, Seen, Told, falling, show_scene};

#[tokio::test(flavor = "multi_thread")]
async fn run_keeps_to_real_time_and_goes_on_while_nobody_looks() {
    let view = show_scene(BLOCK);
    std::thread::sleep(Duration::from_millis(300));
    let start = Instant::now();
    let mut page = Page::open(&view).await;
    // It begins when somebody looks.
    let mut last = page.newest().await.t;
    assert!(last <= start.elapsed().as_secs_f64());
    while start.elapsed() < Duration::from_millis(700) {
        let frame = page.newest().await;
        let wall = start.elapsed().as_secs_f64();
        assert!(frame.t > last && frame.t <= wall + 0.02, "t = {} s after {wall} s", frame.t);
        last = frame.t;
    }
    let frame = page.newest().await;
    assert!(frame.slower > 0.9 && frame.steps > 0, "{} times slower", frame.slower);
    page.close().await;
    std::thread::sleep(Duration::from_millis(500));
    let mut page = Page::open(&view).await;
    let later = page.newest().await;
    assert!(later.t > last + 0.3, "from {last} s to {} s", later.t);
    assert!(later.t <= start.elapsed().as_secs_f64() + 0.02);
}

#[tokio::test(flavor = "multi_thread")]
async fn scene_says_what_it_is_and_frames_carry_what_is_wanted() {
    let view = show_scene(BLOCK);
    let mut page = Page::open(&view).await;
    let scene = page.scene().await;
    assert_eq!((scene["mode"].as_str(), scene["title"].as_str()), (Some("live"), Some("block")));
    assert_eq!(scene["planes"][0]["normal"], serde_json::json!([0.0, 0.0, 1.0]));
    assert_eq!(scene["fields"], 31);
    let keys: Vec<&str> =
        scene["parameters"].as_array().unwrap().iter().map(|p| p["key"].as_str().unwrap()).collect();
    let jelly =
        ["bulk", "shear", "bulk_viscosity", "shear_viscosity"].map(|p| format!("materials.jelly.{p}"));
    let jelly = jelly.iter().map(String::as_str);
    let expected: Vec<&str> = ["gravity.z", "gravity.x", "gravity.y"]
        .into_iter()
        .chain(jelly)
        .chain(["contact.friction", "time.max_step"])
        .collect();
    assert_eq!(keys, expected);
    page.say(r#"{"do":"want","fields":31}"#).await;
    // It falls 25 cm, bounces four times and lies.
    let frame = loop {
        let frame = page.newest().await;
        if frame.t > 1.5 {
            break frame;
        }
    };
    assert_eq!((frame.fields, frame.rest.len()), (31, 27 * (3 + 1 + 1 + 3 + 3)));
    let contact = &frame.rest[27 * 5..27 * 8];
    let lifted: f32 = contact.iter().skip(2).step_by(3).sum();
    assert!(frame.contacts > 0 && lifted > 1.0, "{} points, {lifted} N", frame.contacts);
    assert!(frame.positions.iter().all(|x| x[2] > 0.0));
}

#[tokio::test(flavor = "multi_thread")]
async fn time_can_be_stopped_stepped_and_set_back() {
    let view = show_scene(&falling());
    let mut page = Page::open(&view).await;
    while page.newest().await.t < 0.1 {}
    page.say(r#"{"do":"pause"}"#).await;
    page.state(|state| state.paused).await;
    let one = page.newest().await;
    assert!(one.paused);
    page.say(r#"{"do":"ready"}"#).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    page.say(r#"{"do":"step"}"#).await;
    let two = page.frame().await;
    let interval = two.t - one.t;
    assert!(two.paused && two.index == one.index + 1 && (interval - 1.0 / 60.0).abs() < 1e-9, "{interval}");
    page.say(r#"{"do":"ready"}"#).await;
    page.say(r#"{"do":"reset"}"#).await;
    assert_eq!(page.scene().await["points"], 27, "the scene comes again");
    let start = page.frame().await;
    assert!(start.t == 0.0 && start.paused);
    page.say(r#"{"do":"resume"}"#).await;
    page.state(|state| !state.paused).await;
    assert!(page.newest().await.t > 0.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn hand_pulls_and_pins_hold() {
    for text in [BLOCK.to_owned(), falling()] {
        let view = show_scene(&text);
        let mut page = Page::open(&view).await;
        let start = page.newest().await.positions[13];
        page.say(r#"{"do":"grab","point":13,"to":[0.5,0,0.35]}"#).await;
        page.state(|state| state.grabbed == Some(13)).await;
        let mut nearest = f32::INFINITY;
        while page.newest().await.t < 1.0 {
            nearest = nearest.min((page.newest().await.positions[13][0] - 0.5).abs());
        }
        assert!(nearest < 0.1, "from {} to {nearest} of the hand", start[0]);
        page.say(r#"{"do":"pin","point":13}"#).await;
        page.say(r#"{"do":"release"}"#).await;
        let state = page.state(|state| state.grabbed.is_none() && state.pins == [13]).await;
        assert_eq!(state.pins, [13]);
        page.newest().await;
        let held = page.newest().await.positions[13];
        for _ in 0..10 {
            assert_eq!(page.newest().await.positions[13], held);
        }
        page.say(r#"{"do":"unpin","point":13}"#).await;
        page.state(|state| state.pins.is_empty()).await;
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert!(page.newest().await.positions[13] != held, "it moves again");
        page.say(r#"{"do":"pin","point":4000}"#).await;
        let told = page.until(|told| if let Told::Notice(_, text) = told { Some(text) } else { None }).await;
        assert!(told.contains("point 4000"), "{told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn parameters_change_the_run_and_the_saved_scene() {
    let view = show_scene(BLOCK);
    let mut page = Page::open(&view).await;
    while page.newest().await.t < 0.05 {}
    page.say(r#"{"do":"set","key":"gravity.z","value":25}"#).await;
    page.say(r#"{"do":"set","key":"materials.jelly.shear","value":60000}"#).await;
    page.say(r#"{"do":"set","key":"materials.jelly.bulk","value":-1}"#).await;
    let told = page.until(|told| if let Told::Notice(_, text) = told { Some(text) } else { None }).await;
    assert!(told.contains("`bulk` must be greater than 0"), "{told}");
    page.say(r#"{"do":"set","key":"colour","value":1}"#).await;
    let told = page.until(|told| if let Told::Notice(_, text) = told { Some(text) } else { None }).await;
    assert!(told.contains("no parameter `colour`"), "{told}");
    while page.newest().await.t < 0.5 {}
    let frame = page.newest().await;
    assert!(frame.positions[0][2] > 1.0, "it falls up: {} m", frame.positions[0][2]);
    page.say(r#"{"do":"save"}"#).await;
    let (name, text) =
        page.until(|told| if let Told::File(name, text) = told { Some((name, text)) } else { None }).await;
    assert_eq!(name, "block.toml");
    assert!(text.contains("shear = \"60 kPa\"   # soft\n"), "{text}");
    assert_eq!(Scene::parse(&text).unwrap().gravity.0.si().z, 25.0);
    let mut other = Page::open(&view).await;
    let scene = other.scene().await;
    assert_eq!(scene["parameters"][0]["value"], 25.0, "who comes later sees the present value");
}

/// A press that is driven through a held block.
const PRESS: &str = r#"
duration = "1 s"
[time]
min_step = "1 ms"
[materials.jelly]
preset = "gelatin"
[bodies.block]
material = "jelly"
shape = { box = { size = ["10 cm", "10 cm", "10 cm"], cells = [1, 1, 1] } }
[constraints.hand]
hold = { body = "block" }
[obstacles.press]
shape = { plate = { size = ["50 cm", "50 cm"] } }
position = ["0 cm", "0 cm", "20 cm"]
motion = { path = [{ at = "0 s", by = [0, 0, 0] }, { at = "0.2 s", by = ["0 cm", "0 cm", "-40 cm"] }] }
"#;

#[tokio::test(flavor = "multi_thread")]
async fn failed_step_is_explained_and_the_run_stays_on_show_until_it_is_reset() {
    let view = show_scene(PRESS);
    let mut page = Page::open(&view).await;
    page.say(r#"{"do":"ready"}"#).await;
    // The sentence and the last frame come in either order.
    let (mut told, mut last): (Option<String>, Option<Seen>) = (None, None);
    while told.is_none() || !last.as_ref().is_some_and(|frame| frame.failed) {
        match page.hear().await {
            Told::Notice(level, text) if level == "error" => told = Some(text),
            Told::Frame(frame) => {
                last = Some(*frame);
                page.say(r#"{"do":"ready"}"#).await;
            }
            _ => (),
        }
    }
    let (told, frame) = (told.unwrap(), last.unwrap());
    assert!(told.contains("`press` (points") && told.contains("room left between them"), "{told}");
    assert!(told.contains("squeezed between parts that cannot give way"), "with a cure: {told}");
    assert!(frame.paused && frame.t > 0.05 && frame.positions.len() == 12);
    page.say(r#"{"do":"reset"}"#).await;
    page.scene().await;
    let frame = page.frame().await;
    assert!(frame.t == 0.0 && !frame.failed && !frame.paused);
    assert!(page.newest().await.t > 0.0, "it runs again");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_viewers_share_one_run() {
    let view = show_scene(BLOCK);
    let (mut one, mut other) = (Page::open(&view).await, Page::open(&view).await);
    while one.newest().await.t < 0.1 {}
    one.say(r#"{"do":"pause"}"#).await;
    other.state(|state| state.paused).await;
    one.state(|state| state.paused).await;
    let seen = other.newest().await;
    one.close().await;
    other.say(r#"{"do":"step"}"#).await;
    let next = other.newest().await;
    assert!(next.index >= seen.index && next.paused);
}
