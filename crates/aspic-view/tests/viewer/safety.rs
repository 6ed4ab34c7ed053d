//! Who may look, and from where.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use aspic_view::{Options, Show, View, ViewError};

use crate::support::{BLOCK, Page, Writer, anywhere, show_folder, show_scene};

/// The status of a request, sent letter by letter as given: no library may tidy the path.
fn status(view: &View, path: &str, upgrade: bool) -> u16 {
    let address = view.address();
    let host = address.trim_start_matches("http://").split('/').next().unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let upgrade = if upgrade {
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    } else {
        "Connection: close\r\n"
    };
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n{upgrade}\r\n").unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).unwrap();
    std::str::from_utf8(&answer[9..]).unwrap().parse().unwrap()
}

#[test]
fn only_the_page_and_the_socket_behind_the_token_are_there() {
    let folder = tempfile::tempdir().unwrap();
    Writer::new(folder.path(), BLOCK).write(1);
    let view = show_folder(folder.path());
    let token = view.address().trim_end_matches('/').rsplit('/').next().unwrap().to_owned();
    assert!(token.len() == 32 && token.bytes().all(|b| b.is_ascii_hexdigit()), "{token}");
    assert_eq!(status(&view, &format!("/{token}/"), false), 200);
    assert_eq!(status(&view, &format!("/{token}/socket"), true), 101);
    let wrong = format!("{}{}", &token[..31], if token.ends_with('0') { '1' } else { '0' });
    for path in [
        "/".to_owned(),
        "/socket".into(),
        "/index.html".into(),
        "//".into(),
        format!("/{token}"),
        format!("/{token}/index.html"),
        format!("/{token}/scene.toml"),
        format!("/{token}/../scene.toml"),
        format!("/{token}/../../../../../../etc/passwd"),
        format!("/{token}/%2e%2e/%2e%2e/etc/passwd"),
        format!("/{token}/..%2f..%2fetc%2fpasswd"),
        format!("/{token}//etc/passwd"),
        format!("/{wrong}/"),
        format!("/{wrong}/socket"),
        format!("/{}/", &token[..31]),
        format!("/{token}0/"),
        format!("/{}/", token.to_uppercase() + "x"),
    ] {
        for upgrade in [false, true] {
            assert_eq!(status(&view, &path, upgrade), 404, "{path}");
        }
    }
    assert_eq!(status(&view, &format!("/{token}/socket"), false), 404, "a socket is no page");
}

#[test]
fn every_viewer_has_another_token_and_listens_on_this_machine_only() {
    let folder = tempfile::tempdir().unwrap();
    Writer::new(folder.path(), BLOCK).write(1);
    let (one, other) = (show_folder(folder.path()), show_folder(folder.path()));
    assert!(one.address().starts_with("http://127.0.0.1:"), "{}", one.address());
    assert!(!one.is_open_to_others());
    let token = |view: &View| view.address().split('/').nth(3).unwrap().to_owned();
    assert_ne!(token(&one), token(&other));
    let open = Options { host: Some("0.0.0.0".into()), port: Some(0) };
    let open = View::start(Show::Film(folder.path().into()), &open).unwrap();
    assert!(open.is_open_to_others() && open.address().starts_with("http://127.0.0.1:"));
}

#[test]
fn port_that_is_taken_is_left_to_its_owner_and_that_is_told() {
    let owner = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = owner.local_addr().unwrap().port();
    let folder = tempfile::tempdir().unwrap();
    Writer::new(folder.path(), BLOCK).write(1);
    let show = || Show::Film(folder.path().into());
    let view = View::start(show(), &Options { host: None, port: Some(port) }).unwrap();
    assert_eq!(view.taken(), Some(port));
    assert!(!view.address().contains(&format!(":{port}/")));
    assert_eq!(View::start(show(), &anywhere()).unwrap().taken(), None);
    let nowhere = Options { host: Some("no such host.invalid".into()), port: Some(0) };
    let error = View::start(show(), &nowhere).err().unwrap();
    assert!(matches!(error, ViewError::Listen { .. }), "{error}");
}

#[test]
fn folder_that_holds_no_run_and_scene_that_cannot_be_built_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let error = View::start(Show::Film(folder.path().into()), &anywhere()).err().unwrap();
    assert!(error.to_string().contains("holds no run"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_of_the_wrong_form_are_ignored_and_counted() {
    let wrong = ["", "{", "[1,2]", r#"{"do":"fly"}"#, r#"{"do":"grab","point":"x","to":[0,0,0]}"#, "\u{0}"];
    let folder = tempfile::tempdir().unwrap();
    Writer::new(folder.path(), BLOCK).write(2);
    let view = show_folder(folder.path());
    let mut page = Page::open(&view).await;
    for text in wrong {
        page.say(text).await;
    }
    page.say_bytes(&[1, 2, 3]).await;
    page.say(r#"{"do":"pause"}"#).await; // nothing to pause in a film
    page.say(r#"{"do":"frame","index":1}"#).await;
    assert_eq!(page.frame().await.index, 1);
    assert_eq!(view.ignored(), 8);

    let view = show_scene(BLOCK);
    let mut page = Page::open(&view).await;
    for text in wrong {
        page.say(text).await;
    }
    page.say_bytes(&[0; 100]).await;
    page.say(r#"{"do":"frame","index":1}"#).await; // nothing but the newest in a live run
    page.state(|state| state.ignored == 8).await;
    assert!(page.newest().await.t >= 0.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn page_that_sends_too_much_is_cut_off_and_others_go_on() {
    let view = show_scene(BLOCK);
    let (flood, mut page) = (Page::open(&view).await, Page::open(&view).await);
    flood.end_cut_off_by(vec![0; 1 << 20]).await;
    page.newest().await;
    let first = page.newest().await.t;
    assert!(page.newest().await.t >= first);
}
