//! The viewer as it is started, found and ended; pages that need no viewer.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use crate::support::{BLOCK, Desk, TOUCHING};

/// Starts a viewer and reads the first line that it prints.
fn start(desk: &Desk, arguments: &[&str]) -> (Child, String) {
    let mut command = desk.command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    (child, address.trim_end().to_owned())
}

/// The answer to a request for the page.
fn page(address: &str) -> String {
    let (host, path) = address.trim_start_matches("http://").split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[cfg(unix)]
#[test]
fn first_line_is_the_address_of_a_page_and_an_interrupt_ends_the_viewer_well() {
    let desk = Desk::with(TOUCHING);
    desk.write("block.toml", BLOCK);
    desk.well(&["run", "block.toml", "--quiet"]);
    for what in ["scene.toml", "out/block"] {
        let (mut child, address) = start(&desk, &["view", what, "--no-open", "--port", "0"]);
        assert!(address.starts_with("http://127.0.0.1:") && address.ends_with('/'), "{address}");
        let answer = page(&address);
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        assert!(answer.contains("content-security-policy") && answer.contains("</head>"));
        let id = child.id().to_string();
        std::process::Command::new("kill").args(["-INT", &id]).status().unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0));
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert!(said.contains("Ctrl-C ends the viewer"), "{said}");
    }
}

#[test]
fn two_viewers_do_not_fight_for_a_port() {
    let desk = Desk::with(BLOCK);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let (mut child, address) = start(&desk, &["view", "scene.toml", "--no-open", "--port", &port]);
    assert!(!address.contains(&format!(":{port}/")) && page(&address).starts_with("HTTP/1.1 200"));
    let mut said = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut said).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(said.contains(&format!("Port {port} is taken already")), "{said}");
}

#[test]
fn what_cannot_be_shown_is_bad_input() {
    let desk = Desk::with(&BLOCK.replace("soft rubber", "soft ruber"));
    std::fs::create_dir(desk.path("empty")).unwrap();
    desk.aspic(&["view", "scene.toml", "--no-open"]).expect(2, &["did you mean `soft rubber`?"]);
    desk.aspic(&["view", "nowhere.toml", "--no-open"]).expect(2, &["cannot read nowhere.toml"]);
    desk.aspic(&["view", "empty", "--no-open"]).expect(2, &["empty holds no run"]);
    desk.write("scene.toml", BLOCK);
    let far = desk.aspic(&["view", "scene.toml", "--no-open", "--host", "host.invalid"]);
    far.expect(2, &["cannot listen on host.invalid", "choose another --host or --port"]);
}

#[test]
fn run_becomes_a_page_with_its_film_inside() {
    let desk = Desk::with(BLOCK);
    desk.well(&["run", "scene.toml", "--quiet"]);
    let made = desk.aspic(&["export", "out/scene", "--to", "html", "--out", "film.html"]);
    if made.code == Some(1) {
        return made.expect(1, &["built without the page of its viewer"]);
    }
    made.expect(0, &[]);
    let page = std::fs::read_to_string(desk.path("film.html")).unwrap();
    let (before, film) = page.split_once("<script id=\"film\" type=\"application/octet-stream\">").unwrap();
    assert!(!before.contains("</head>") && film.starts_with("H4sI"), "gzip in base64");
    desk.aspic(&["export", "out/scene", "--to", "html", "--fps", "5"]).expect(2, &["any size and any speed"]);
    desk.aspic(&["export", "nowhere", "--to", "html"]).expect(2, &["nowhere does not exist"]);
}
