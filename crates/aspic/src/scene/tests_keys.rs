//! Wrong keys, words, names and references, and the errors that must follow.

use super::tests::{Bad, check};

#[test]
fn misspelt_keys_and_words_are_named_with_the_nearest_right_one() {
    check(&[
        Bad {
            from: "density = 1000",
            to: "densty = 1000",
            at: (17, 1),
            message: "unknown key `densty` in [materials.rubber]",
            help: "did you mean `density`?",
        },
        Bad {
            from: "[output]",
            to: "[outptu]",
            at: (9, 2),
            message: "unknown key `outptu` in the scene",
            help: "did you mean `output`?",
        },
        Bad {
            from: "sections = 20",
            to: "sectons = 20",
            at: (21, 66),
            message: "unknown key `sectons` in `shape.torus` of [bodies.ring]",
            help: "did you mean `sections`?",
        },
        Bad {
            from: "axis = [1, 0, 0]",
            to: "axes = [1, 0, 0]",
            at: (23, 14),
            message: "unknown key `axes` in `rotation` of [bodies.ring]",
            help: "did you mean `axis`?",
        },
        Bad {
            from: "at = \"2 s\", by",
            to: "at = \"2 s\", to",
            at: (35, 55),
            message: "unknown key `to` in `path[2]` of [constraints.hand]",
            help: "the keys here are `at` and `by`",
        },
        Bad {
            from: "\"ls-stable\"",
            to: "\"ls-stabel\"",
            at: (14, 7),
            message: "unknown law `ls-stabel` in [materials.rubber]",
            help: "did you mean `ls-stable`?",
        },
        Bad {
            from: "{ torus = {",
            to: "{ taurus = {",
            at: (21, 11),
            message: "unknown shape `taurus` in [bodies.ring]",
            help: "did you mean `torus`?",
        },
        Bad {
            from: "\"rkf45\"",
            to: "\"rkf54\"",
            at: (6, 10),
            message: "unknown method `rkf54` in [time]",
            help: "did you mean `rkf45`?",
        },
        Bad {
            from: "law = \"ls-stable\"",
            to: "preset = \"corc\"",
            at: (14, 10),
            message: "[materials.rubber]: unknown preset `corc`",
            help: "did you mean `cork`?",
        },
        Bad {
            from: "density = 1000",
            to: "rho = 1000",
            at: (17, 1),
            message: "unknown key `rho` in [materials.rubber]",
            help: "did you mean `density`?",
        },
    ]);
}

#[test]
fn references_to_nothing_are_refused() {
    check(&[
        Bad {
            from: "[bodies.ring]\nmaterial = \"rubber\"",
            to: "[bodies.ring]\nmaterial = \"ruber\"",
            at: (20, 12),
            message: "[bodies.ring]: unknown material `ruber`",
            help: "did you mean `rubber`?",
        },
        Bad {
            from: "[bodies.block]\nmaterial = \"rubber\"",
            to: "[bodies.block]\nmaterial = \"cork\"",
            at: (26, 12),
            message: "[bodies.block]: unknown material `cork`",
            help: "add [materials.\"cork\"] with preset = \"cork\"",
        },
        Bad {
            from: "hold = { body = \"ring\"",
            to: "hold = { body = \"rng\"",
            at: (30, 17),
            message: "[constraints.nail]: unknown body `rng`",
            help: "did you mean `ring`?",
        },
        Bad {
            from: "on = { body = \"ring\"",
            to: "on = { body = \"wheel\"",
            at: (42, 15),
            message: "[forces.pull]: unknown body `wheel`",
            help: "the bodies are `ring` and `block`",
        },
    ]);
}

#[test]
fn syntax_errors_and_repeated_names_are_readable() {
    check(&[
        Bad {
            from: "[bodies.block]",
            to: "[bodies.ring]",
            at: (25, 9),
            message: "the name `ring` is used twice",
            help: "rename one of them (line 19 has the first)",
        },
        Bad {
            from: "density = 1000",
            to: "density = 1000\nshear = 3",
            at: (18, 1),
            message: "`shear` is given twice",
            help: "keep one of them",
        },
        Bad {
            from: "[output]",
            to: "[time]",
            at: (9, 2),
            message: "[time] is written twice",
            help: "put everything under one [time] (line 5 has the first)",
        },
        Bad {
            from: "\"10 s\"",
            to: "10 s",
            at: (2, 12),
            message: "a value is not quoted",
            help: "put text and values with units in quotes: \"10 s\"",
        },
        Bad {
            from: "\"10 s\"",
            to: "",
            at: (2, 12),
            message: "a value is missing",
            help: "write a value after the `=`",
        },
        Bad {
            from: "[materials.rubber]",
            to: "[[materials]]",
            at: (13, 1),
            message: "`materials` needs named tables, not an array",
            help: "write [materials.NAME] for each",
        },
        Bad {
            from: "[materials.rubber]",
            to: "[materials.rubber",
            at: (13, 18),
            message: "unclosed table, expected `]`",
            help: "",
        },
        Bad {
            from: "[constraints.nail]",
            to: "[constraints.\"\"]",
            at: (29, 1),
            message: "[constraints.\"\"]: the name is empty",
            help: "give it a name, for example [bodies.ring]",
        },
    ]);
}

#[test]
fn missing_and_conflicting_keys_are_named() {
    check(&[
        Bad {
            from: "duration = \"10 s\"\n",
            to: "",
            at: (1, 1),
            message: "the scene has no `duration`",
            help: "add duration = \"10 s\"",
        },
        Bad {
            from: "sections = 20, ",
            to: "",
            at: (21, 19),
            message: "`shape.torus` of [bodies.ring] has no `sections`",
            help: "add sections = 8",
        },
        Bad {
            from: "density = 1000\n",
            to: "",
            at: (13, 1),
            message: "[materials.rubber]: there is no `density`",
            help: "add density = \"1 g/cm^3\", or start from a preset",
        },
        Bad {
            from: "shear = \"30 kPa\"\n",
            to: "",
            at: (13, 1),
            message: "[materials.rubber]: `bulk` is given without `shear`",
            help: "add shear = \"30 kPa\", or start from a preset",
        },
        Bad {
            from: "bulk = \"100 kPa\"\nshear = \"30 kPa\"\n",
            to: "",
            at: (13, 1),
            message: "[materials.rubber]: the stiffness is missing",
            help: "add `bulk` and `shear`, or `young` and `poisson`, or start from a preset",
        },
        Bad {
            from: "shear = \"30 kPa\"",
            to: "poisson = 0.3",
            at: (16, 11),
            message: "[materials.rubber]: `bulk` and `poisson` say the stiffness twice",
            help: "keep either `bulk` and `shear`, or `young` and `poisson`",
        },
        Bad {
            from: "frame_rate = 24",
            to: "frame_rate = 24\nframe_interval = \"10 ms\"",
            at: (11, 18),
            message: "[output]: `frame_rate` and `frame_interval` exclude each other",
            help: "keep exactly one of them",
        },
        Bad {
            from: "shape = { torus = { ring_radius = \"10 cm\", tube_radius = \"3 cm\", sections = 20, sides = 8 } }\n",
            to: "",
            at: (19, 1),
            message: "[bodies.ring]: none of `shape` and `mesh` is given",
            help: "give exactly one of them",
        },
        Bad {
            from: "shape = { box = {",
            to: "mesh = { file = \"part.msh\" }\nshape = { box = {",
            at: (27, 8),
            message: "[bodies.block]: `shape` and `mesh` exclude each other",
            help: "keep exactly one of them",
        },
        Bad {
            from: "{ box = { size = [0.1, 0.1, 0.1], cells = [2, 2, 2] } }",
            to: "{ box = { size = [1, 1, 1], cells = [2, 2, 2] }, ball = { radius = 1, rings = 2 } }",
            at: (27, 9),
            message: "`shape` in [bodies.block] needs exactly one shape",
            help: "give exactly one of `torus`, `box`, `ball`, `cylinder` and `beam`",
        },
        Bad {
            from: "until = \"5 s\"",
            to: "slide = { body = \"ring\" }",
            at: (31, 9),
            message: "[constraints.nail]: `hold` and `slide` exclude each other",
            help: "keep exactly one of them",
        },
        Bad {
            from: "hold = { body = \"ring\", name = \"nail\" }\n",
            to: "",
            at: (29, 1),
            message: "[constraints.nail]: none of `hold`, `drag`, `tie`, `distance` and `slide` is given",
            help: "give exactly one of them",
        },
        Bad {
            from: "until = \"5 s\"",
            to: "length = \"5 cm\"",
            at: (31, 10),
            message: "[constraints.nail]: `length` goes only with `distance`",
            help: "remove `length`, or use `distance`",
        },
        Bad {
            from: "plane = { point = [0, 0, 0], normal = [0, 1, 0] }\n",
            to: "",
            at: (37, 1),
            message: "[constraints.rail]: none of `plane`, `line` and `sphere` is given",
            help: "give exactly one of them",
        },
        Bad {
            from: "hold = { body = \"ring\", name = \"nail\" }",
            to: "distance = [{ point = [0, 0, 0] }, { point = [0, 0, 1] }]",
            at: (30, 23),
            message: "[constraints.nail]: a distance between two fixed points moves nothing",
            help: "give one end a `body`",
        },
        Bad {
            from: "hold = { body = \"ring\", name = \"nail\" }",
            to: "tie = [{ body = \"ring\" }]",
            at: (30, 7),
            message: "`tie` in [constraints.nail] needs an array of 2 values, not 1",
            help: "",
        },
        Bad {
            from: "force = [0, 0, \"-2 N\"]\n",
            to: "",
            at: (41, 1),
            message: "[forces.pull]: none of `force`, `total`, `pressure`, `acceleration` and `wind` is given",
            help: "give exactly one of them",
        },
    ]);
}
