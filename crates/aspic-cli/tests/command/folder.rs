//! Run folders that are occupied, empty, altered or damaged.

use crate::support::{BLOCK, BUSY, Desk, assert_same};

fn finished(scene: &str) -> Desk {
    let desk = Desk::with(scene);
    desk.well(&["run", "scene.toml", "--out", "run", "--quiet"]);
    desk
}

#[test]
fn an_occupied_folder_is_refused_and_left_alone() {
    let desk = finished(BLOCK);
    let before = desk.files("run");
    let answer = desk.aspic(&["run", "scene.toml", "--out", "run"]);
    answer.expect(2, &["run already holds a run", "aspic resume run", "--overwrite", "--out"]);
    assert_same(&before, &desk.files("run"));
}

#[test]
fn overwriting_replaces_the_run_and_leaves_foreign_files_alone() {
    let desk = finished(BUSY);
    for foreign in ["run/notes.txt", "run/frames/mine.vtu", "run/frames/12.vtu", "run/frames/000001.png"] {
        desk.write(foreign, "mine");
    }
    // What a run that was killed while writing leaves behind is not foreign.
    desk.write("run/frames/000040.vtu.tmp", "half a frame");
    desk.write("scene.toml", BLOCK);
    desk.well(&["run", "scene.toml", "--out", "run", "--overwrite", "--quiet"]);
    desk.well(&["run", "scene.toml", "--out", "fresh", "--quiet"]);
    let mut files = desk.files("run");
    for foreign in ["notes.txt", "frames/mine.vtu", "frames/12.vtu", "frames/000001.png"] {
        assert_eq!(files.remove(foreign).as_deref(), Some(&b"mine"[..]), "{foreign}");
    }
    assert_same(&desk.files("fresh"), &files);
}

#[test]
fn a_folder_without_a_run_cannot_be_resumed() {
    let desk = Desk::with(BLOCK);
    std::fs::create_dir(desk.path("empty")).unwrap();
    let cure = "name the folder that `aspic run` wrote";
    desk.aspic(&["resume", "empty"]).expect(2, &["empty holds no run", cure]);
    desk.aspic(&["resume", "nowhere"]).expect(2, &["nowhere does not exist", cure]);
    desk.aspic(&["resume", "scene.toml"]).expect(2, &["scene.toml is a file", cure]);
    desk.aspic(&["info", "empty"]).expect(2, &["empty holds no run", cure]);
}

/// What a run leaves that is killed while it makes its folder.
#[test]
fn a_folder_whose_run_died_before_its_tables_says_so_and_can_be_resumed() {
    let desk = finished(BLOCK);
    let whole = desk.files("run");
    for left in [&["scene.toml"][..], &["scene.toml", "ledger.csv"]] {
        std::fs::create_dir(desk.path("dead")).unwrap();
        left.iter().for_each(|name| desk.write(&format!("dead/{name}"), &whole[*name]));
        if left.len() == 2 {
            // The header was being written.
            desk.write("dead/ledger.csv", &whole["ledger.csv"][..20]);
        }
        let info = desk.well(&["info", "dead"]).stdout;
        for words in ["0 of 3 frames", "ended before its first frame", "aspic resume dead"] {
            assert!(info.contains(words), "{words}: {info}");
        }
        desk.well(&["resume", "dead", "--quiet"]);
        assert_same(&whole, &desk.files("dead"));
        std::fs::remove_dir_all(desk.path("dead")).unwrap();
    }
    // With a checkpoint the table must be there.
    std::fs::remove_file(desk.path("run/ledger.csv")).unwrap();
    desk.aspic(&["info", "run"]).expect(2, &["ledger.csv"]);
}

#[test]
fn resuming_a_finished_run_changes_nothing() {
    let desk = finished(BUSY);
    let (before, checkpoint) = (desk.files("run"), std::fs::read(desk.path("run/checkpoint")).unwrap());
    let answer = desk.well(&["resume", "run"]);
    assert!(answer.stderr.contains("All frames are there already"), "{}", answer.stderr);
    assert_same(&before, &desk.files("run"));
    assert!(checkpoint == std::fs::read(desk.path("run/checkpoint")).unwrap());
}

#[test]
fn an_altered_scene_is_not_resumed() {
    let desk = finished(BLOCK);
    let text = std::fs::read_to_string(desk.path("run/scene.toml")).unwrap();
    desk.write("run/scene.toml", text.replace("density = 1000.0", "density = 1001.0"));
    let before = desk.files("run");
    let answer = desk.aspic(&["resume", "run"]);
    answer.expect(2, &["checkpoint does not belong to the scene.toml", "undo the change", "--overwrite"]);
    assert_same(&before, &desk.files("run"));
    desk.write("run/scene.toml", text);
    desk.well(&["resume", "run"]);
}

#[test]
fn a_mesh_that_changed_behind_the_scene_is_noticed() {
    let desk = Desk::with(
        "duration = \"0.1 s\"\n[materials.m]\npreset = \"cork\"\n[bodies.b]\nmaterial = \"m\"\nmesh = { file = \"b.mesh\" }\n",
    );
    let mesh = |height: &str| {
        format!(
            "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 {height} 0\n\
             Tetrahedra\n1\n1 2 3 4 0\nEnd\n"
        )
    };
    desk.write("b.mesh", mesh("1"));
    desk.well(&["run", "scene.toml", "--out", "run", "--frames", "..2", "--quiet"]);
    desk.write("b.mesh", mesh("1.5"));
    desk.aspic(&["resume", "run"]).expect(2, &["a mesh file has changed"]);
    std::fs::remove_file(desk.path("b.mesh")).unwrap();
    desk.aspic(&["resume", "run"]).expect(2, &["cannot read", "check the name and the folder"]);
    desk.write("b.mesh", mesh("1"));
    desk.well(&["resume", "run"]);
}

/// The constraint holds what the file calls `ref 7`: three corners, or another three, or two.
#[test]
fn groups_of_a_mesh_that_changed_behind_the_scene_are_noticed() {
    let desk = Desk::with(
        "duration = \"0.1 s\"\n[materials.m]\npreset = \"cork\"\n[bodies.b]\nmaterial = \"m\"\n\
         mesh = { file = \"b.mesh\" }\n[constraints.c]\nhold = { body = \"b\", name = \"ref 7\" }\n",
    );
    let mesh = |marks: [u8; 4]| {
        let [a, b, c, d] = marks;
        format!(
            "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 {a}\n1 0 0 {b}\n0 1 0 {c}\n0 0 1 {d}\n\
             Tetrahedra\n1\n1 2 3 4 0\nEnd\n"
        )
    };
    desk.write("b.mesh", mesh([7, 7, 7, 0]));
    desk.well(&["run", "scene.toml", "--out", "run", "--frames", "..2", "--quiet"]);
    let before = desk.files("run");
    for marks in [[7, 7, 0, 7], [7, 7, 0, 0], [7, 7, 7, 8]] {
        desk.write("b.mesh", mesh(marks));
        desk.aspic(&["resume", "run"]).expect(2, &["a mesh file has changed"]);
        assert_same(&before, &desk.files("run"));
    }
    desk.write("b.mesh", mesh([7, 7, 7, 0]));
    desk.well(&["resume", "run"]);
}

#[test]
fn a_damaged_checkpoint_is_refused_and_can_be_deleted() {
    let desk = finished(BLOCK);
    let whole = desk.files("run");
    let checkpoint = std::fs::read(desk.path("run/checkpoint")).unwrap();
    let mut flipped = checkpoint.clone();
    flipped[100] ^= 1;
    let damages: [(&[u8], &str); 4] = [
        (&checkpoint[..200], "cut off"),
        (&flipped, "checksum does not fit"),
        (b"", "cut off after 0 bytes"),
        (b"something else", "not a checkpoint"),
    ];
    for (damage, words) in damages {
        desk.write("run/checkpoint", damage);
        let cure = "delete the checkpoint: `aspic resume` will then run the scene again from the start";
        desk.aspic(&["resume", "run"]).expect(2, &["run/checkpoint", words, cure]);
        assert_same(&whole, &desk.files("run"));
    }
    std::fs::remove_file(desk.path("run/checkpoint")).unwrap();
    desk.well(&["resume", "run"]);
    assert_same(&whole, &desk.files("run"));
}

/// A table that is shorter than the checkpoint says would put later rows on earlier lines.
#[test]
fn a_table_that_lost_rows_is_not_continued() {
    let desk = finished(BLOCK);
    for table in ["run/ledger.csv", "run/reactions.csv"] {
        let text = std::fs::read_to_string(desk.path(table)).unwrap();
        let kept: Vec<&str> = text.lines().take(3).collect();
        desk.write(table, kept.join("\n") + "\n");
        let answer = desk.aspic(&["resume", "run"]);
        answer.expect(2, &[&format!("{table} has 2 rows, but 3 frames were made"), "delete the checkpoint"]);
        desk.write(table, text);
    }
    desk.well(&["resume", "run"]);
}

/// Rows that were written after the last checkpoint are written again, whole or half.
#[test]
fn rows_beyond_the_checkpoint_are_replaced() {
    let desk = finished(BLOCK);
    desk.well(&["run", "scene.toml", "--out", "part", "--frames", "..2", "--quiet"]);
    let whole = desk.files("run");
    let ledger = &whole["ledger.csv"];
    desk.write("part/ledger.csv", &ledger[..ledger.len() - 40]);
    desk.write("part/reactions.csv", &whole["reactions.csv"]);
    desk.write("part/frames/000002.vtu", "half a frame");
    desk.well(&["resume", "part", "--quiet"]);
    assert_same(&whole, &desk.files("part"));
}

/// Whoever pastes the command that a message offers must not be misunderstood by the shell.
#[test]
fn folder_names_with_blanks_are_offered_in_quotes() {
    let desk = Desk::with(BLOCK);
    desk.well(&["run", "scene.toml", "--out", "my run's", "--frames", "..2", "--quiet"]);
    let typed = r"aspic resume 'my run'\''s'";
    desk.aspic(&["run", "scene.toml", "--out", "my run's"]).expect(2, &[typed]);
    let info = desk.well(&["info", "my run's"]).stdout;
    assert!(info.trim_end().ends_with(typed), "{info}");
    desk.shell(typed).expect(0, &[]);
    assert_eq!(desk.files("my run's").keys().filter(|name| name.ends_with(".vtu")).count(), 3);
}
