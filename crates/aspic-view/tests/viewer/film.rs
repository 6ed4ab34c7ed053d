//! Films: every frame on request, whatever is wrong with the folder.

use crate::support::{BLOCK, Page, Seen, Told, Writer, falling, show_folder};

fn same_places(seen: &Seen, frame: &aspic::frame::Frame) -> bool {
    let rounded = frame.positions.iter().map(|x| [x.x as f32, x.y as f32, x.z as f32]);
    seen.positions.iter().copied().eq(rounded)
}

#[tokio::test(flavor = "multi_thread")]
async fn two_viewers_see_every_frame_of_a_run_with_the_fields_they_want() {
    let folder = tempfile::tempdir().unwrap();
    let frames = Writer::new(folder.path(), BLOCK).finish();
    let view = show_folder(folder.path());
    let (mut one, mut other) = (Page::open(&view).await, Page::open(&view).await);
    let scene = one.scene().await;
    assert_eq!((scene["version"].as_u64(), scene["mode"].as_str()), (Some(1), Some("film")));
    assert_eq!((scene["points"].as_u64(), scene["tets"].as_u64()), (Some(27), Some(40)));
    assert_eq!((scene["frames"].as_u64(), scene["complete"].as_bool()), (Some(11), Some(true)));
    assert_eq!(scene["title"], "block");
    assert_eq!(scene["bodies"][0]["name"], "block");
    assert_eq!(scene["bodies"][0]["kind"], "solid");
    assert_eq!(scene["bodies"][0]["points"], serde_json::json!([0, 27]));
    assert_eq!(scene["ledger"].as_array().unwrap().len(), 25);
    assert_eq!((scene["ledger"][0].as_str(), scene["ledger"][1].as_str()), (Some("t"), Some("kinetic")));
    assert_eq!(scene["fields"], 31);
    let triangles = scene["triangles"].as_u64().unwrap() as u32;
    assert_eq!(one.hear().await, Told::Topology([27, triangles, 40]));
    assert_eq!(one.hear().await, Told::Growth(11, true));
    other.say(r#"{"do":"want","fields":3}"#).await;
    // All at once: answers come in the order of the questions.
    for index in (0..11).rev() {
        one.say(&format!(r#"{{"do":"frame","index":{index}}}"#)).await;
        other.say(&format!(r#"{{"do":"frame","index":{index}}}"#)).await;
    }
    for index in (0..11).rev() {
        let (plain, full) = (one.frame().await, other.frame().await);
        let frame = &frames[index];
        assert_eq!((plain.index, full.index), (index as u32, index as u32));
        assert_eq!((plain.fields, plain.rest.len()), (0, 0));
        assert_eq!((full.fields, full.rest.len()), (3, 4 * 27));
        assert_eq!((plain.t, plain.ledger[1]), (frame.ledger.t, frame.ledger.kinetic));
        assert!(same_places(&plain, frame) && same_places(&full, frame));
        assert_eq!(full.rest[5], frame.velocities[1].z as f32);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_frame_is_a_warning_in_its_turn_and_the_others_come() {
    let folder = tempfile::tempdir().unwrap();
    let frames = Writer::new(folder.path(), BLOCK).finish();
    let file = folder.path().join("frames/000003.vtu");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, &text[..text.len() / 2]).unwrap();
    let view = show_folder(folder.path());
    let mut page = Page::open(&view).await;
    page.until(|told| matches!(told, Told::Growth(..)).then_some(())).await;
    for index in [2, 3, 4, 99, 5] {
        page.say(&format!(r#"{{"do":"frame","index":{index}}}"#)).await;
    }
    for expected in [Ok(2), Err("frame 3 is left out"), Ok(4), Err("there is no frame 99"), Ok(5)] {
        match (page.hear().await, expected) {
            (Told::Frame(frame), Ok(index)) => assert!(same_places(&frame, &frames[index])),
            (Told::Notice(level, text), Err(words)) => {
                assert!(level == "warning" && text.contains(words), "{text}");
            }
            (told, expected) => panic!("{told:?} instead of {expected:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn film_grows_while_its_run_is_being_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = Writer::new(folder.path(), &falling());
    let view = show_folder(folder.path());
    let mut page = Page::open(&view).await;
    let scene = page.scene().await;
    assert_eq!((scene["frames"].as_u64(), scene["points"].as_u64()), (Some(0), Some(0)), "nothing yet");
    writer.write(1);
    assert_eq!(page.scene().await["points"], 27, "the bodies are known with the first frame");
    page.until(|told| (told == Told::Growth(1, false)).then_some(())).await;
    writer.write(3);
    page.until(|told| (told == Told::Growth(4, false)).then_some(())).await;
    page.say(r#"{"do":"frame","index":3}"#).await;
    assert!(same_places(&page.frame().await, &writer.frames[3]));
    writer.finish();
    page.until(|told| (told == Told::Growth(11, true)).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn run_that_replaces_another_is_shown_instead() {
    let folder = tempfile::tempdir().unwrap();
    Writer::new(folder.path(), BLOCK).finish();
    let view = show_folder(folder.path());
    let mut page = Page::open(&view).await;
    assert_eq!(page.scene().await["points"], 27);
    std::fs::remove_dir_all(folder.path().join("frames")).unwrap();
    for file in ["scene.toml", "ledger.csv", "run.json", "checkpoint", "ledger.svg"] {
        std::fs::remove_file(folder.path().join(file)).unwrap();
    }
    let mut writer = Writer::new(folder.path(), &BLOCK.replace("cells = [2, 2, 2]", "cells = [1, 1, 1]"));
    writer.write(2);
    assert_eq!(page.scene().await["points"], 8);
    page.say(r#"{"do":"frame","index":1}"#).await;
    assert!(same_places(&page.frame().await, &writer.frames[1]));
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement: run it alone, with --ignored --nocapture"]
async fn frames_of_two_hundred_thousand_points_are_read_and_sent() {
    let folder = tempfile::tempdir().unwrap();
    let fine = falling()
        .replace("cells = [2, 2, 2]", "cells = [58, 58, 58]")
        .replace("material = \"jelly\"", "material = \"jelly\"\nmass = \"lumped\"")
        .replace("duration = \"0.5 s\"", "duration = \"0.5 ms\"")
        .replace("frame_rate = \"20 fps\"", "frame_interval = \"0.1 ms\"");
    let frames = Writer::new(folder.path(), &fine).finish();
    let size = std::fs::metadata(folder.path().join("frames/000003.vtu")).unwrap().len();
    let view = show_folder(folder.path());
    for fields in [0, 1, 2, 31] {
        let mut page = Page::open(&view).await;
        page.say(&format!(r#"{{"do":"want","fields":{fields}}}"#)).await;
        let clock = std::time::Instant::now();
        let count = 12;
        for index in 0..count {
            page.say(&format!(r#"{{"do":"frame","index":{}}}"#, index % frames.len())).await;
        }
        for _ in 0..count {
            assert_eq!(page.frame().await.positions.len(), 59 * 59 * 59);
        }
        let rate = count as f64 / clock.elapsed().as_secs_f64();
        println!("fields {fields}: {rate:.1} frames/s from files of {:.0} MB", size as f64 / 1e6);
    }
}
