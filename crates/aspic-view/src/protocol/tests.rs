use super::*;

fn vectors(numbers: &[[f64; 3]]) -> Vec<Vec3> {
    numbers.iter().map(|x| Vec3::from(*x)).collect()
}

/// Bytes written out by hand, with the widths of the specification.
#[derive(Default)]
struct Expected(Vec<u8>);

impl Expected {
    fn u32(mut self, numbers: &[u32]) -> Self {
        numbers.iter().for_each(|n| self.0.extend(n.to_le_bytes()));
        self
    }

    fn f64(mut self, numbers: &[f64]) -> Self {
        numbers.iter().for_each(|n| self.0.extend(n.to_le_bytes()));
        self
    }

    fn f32(mut self, numbers: &[f32]) -> Self {
        numbers.iter().for_each(|n| self.0.extend(n.to_le_bytes()));
        self
    }
}

#[test]
fn text_messages_are_kind_length_and_json() {
    let message = notice(Level::Warning, "frame 3 is damaged");
    let text = br#"{"level":"warning","text":"frame 3 is damaged"}"#;
    let expected = [&[4, 0, 0, 0, text.len() as u8, 0, 0, 0][..], text].concat();
    assert_eq!(message, expected);
    let state = LiveState { paused: true, pins: vec![3, 17], grabbed: None, ignored: 2 };
    let message = json(kind::STATE, &state);
    assert_eq!(message[..4], 7u32.to_le_bytes());
    assert_eq!(&message[8..], br#"{"paused":true,"pins":[3,17],"grabbed":null,"ignored":2}"#);
    let file = TextFile { name: "a.toml".into(), text: "b = \"µ\"\n".into() };
    let message = json(kind::FILE, &file);
    assert_eq!(message[..4], 6u32.to_le_bytes());
    assert_eq!(&message[8..], "{\"name\":\"a.toml\",\"text\":\"b = \\\"µ\\\"\\n\"}".as_bytes());
    assert_eq!(message[4..8], (message.len() as u32 - 8).to_le_bytes());
}

#[test]
fn growth_is_three_numbers() {
    assert_eq!(growth(513, true), [5, 0, 0, 0, 1, 2, 0, 0, 1, 0, 0, 0][..]);
    assert_eq!(growth(0, false), [5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0][..]);
}

#[test]
fn topology_is_counts_triangles_tetrahedra_edges_and_rest() {
    let rest = vectors(&[[0.0, 0.5, -1.0], [1e-3, 2.0, 3.0]]);
    let mesh = Topology {
        triangles: vec![[0, 1, 0]],
        tets: vec![[1, 0, 1, 0]],
        edges: vec![[0, 1], [1, 0]],
        ..Topology::default()
    };
    let expected = Expected::default().u32(&[2, 2, 1, 1, 2, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0]);
    let expected = expected.f32(&[0.0, 0.5, -1.0, 1e-3, 2.0, 3.0]);
    assert_eq!(topology(&mesh, &rest), expected.0);
}

#[test]
fn frame_is_a_head_of_64_bytes_the_ledger_and_the_wanted_arrays_in_order() {
    let (x, v) = (vectors(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), vectors(&[[7.0; 3], [8.0; 3]]));
    let (c, r) = (vectors(&[[0.25, 0.0, 0.0], [0.0; 3]]), vectors(&[[0.0; 3], [-1.0, -2.0, -3.0]]));
    let head = Head {
        index: 12,
        t: 0.5,
        contacts: 1,
        slower: 2.5,
        step: 1e-3,
        steps: 100,
        rejected: 7,
        newton: 300,
        paused: true,
        failed: true,
    };
    let arrays = Arrays {
        ledger: &[0.5, -1.25],
        positions: &x,
        velocities: &v,
        stress: &[10.0, 20.0],
        energy: &[0.1, 0.2],
        contact: &c,
        reaction: &r,
    };
    let all = Expected::default().u32(&[3, 12]).f64(&[0.5]).u32(&[2, 31, 1, 2]).f64(&[2.5, 1e-3]);
    let all = all.u32(&[100, 7, 300, 3]);
    assert_eq!(all.0.len(), HEAD);
    let all =
        all.f64(&[0.5, -1.25]).f32(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).f32(&[7.0, 7.0, 7.0, 8.0, 8.0, 8.0]);
    let all = all.f32(&[10.0, 20.0, 0.1, 0.2]).f32(&[0.25, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let all = all.f32(&[0.0, 0.0, 0.0, -1.0, -2.0, -3.0]);
    assert_eq!(frame(&head, &arrays, 31), all.0);
    assert_eq!(all.0.len(), HEAD + 16 + 2 * 4 * numbers_per_point(31));

    // Wanted but not there, there but not wanted.
    let some = frame(&Head::default(), &Arrays { energy: &[], ..arrays }, field::ENERGY | field::STRESS);
    let expected = Expected::default().u32(&[3, 0]).f64(&[0.0]).u32(&[2, field::STRESS, 0, 2]).f64(&[0.0; 2]);
    let expected = expected.u32(&[0; 4]).f64(&[0.5, -1.25]).f32(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 10.0, 20.0]);
    assert_eq!(some, expected.0);
}

#[test]
fn requests_of_the_specified_form_are_read_and_no_others() {
    let right = [
        (r#"{"do":"want","fields":3}"#, Request::Want { fields: 3 }),
        (r#"{"do":"frame","index":12}"#, Request::Frame { index: 12 }),
        (r#"{"do":"ready"}"#, Request::Ready),
        (r#"{"do":"pause"}"#, Request::Pause),
        (r#"{"do":"resume"}"#, Request::Resume),
        (r#"{"do":"step"}"#, Request::Step),
        (r#"{"do":"reset"}"#, Request::Reset),
        (r#"{"do":"grab","point":5,"to":[0,1.5,-2]}"#, Request::Grab { point: 5, to: [0.0, 1.5, -2.0] }),
        (r#"{"do":"release"}"#, Request::Release),
        (r#"{"do":"pin","point":7}"#, Request::Pin { point: 7 }),
        (r#"{"do":"unpin","point":7}"#, Request::Unpin { point: 7 }),
        (
            r#"{"do":"set","key":"gravity.z","value":-1.6}"#,
            Request::Set { key: "gravity.z".into(), value: -1.6 },
        ),
        (r#"{"do":"save"}"#, Request::Save),
    ];
    for (text, request) in right {
        assert_eq!(Request::parse(text), Some(request), "{text}");
    }
    for wrong in [
        "",
        "ready",
        "{}",
        "[]",
        r#"{"do":"dance"}"#,
        r#"{"do":"want"}"#,
        r#"{"do":"want","fields":-1}"#,
        r#"{"do":"frame","index":1.5}"#,
        r#"{"do":"grab","point":5,"to":[0,1]}"#,
        r#"{"do":"grab","point":5,"to":[0,1,1e999]}"#,
        r#"{"do":"pin","point":4294967296}"#,
        r#"{"do":"set","key":"gravity.z","value":null}"#,
        r#"{"do":"pin","point":1,"also":2}"#,
    ] {
        assert_eq!(Request::parse(wrong), None, "{wrong}");
    }
}
