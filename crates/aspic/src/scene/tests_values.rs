//! Wrong values, and the errors that must follow.

use super::tests::{Bad, check};

#[test]
fn wrong_units_and_types_are_explained() {
    check(&[
        Bad {
            from: "\"3 cm\"",
            to: "\"30 kg\"",
            at: (21, 58),
            message: "\"30 kg\" is a mass, a length is needed",
            help: "the units of a length are m, mm, cm, km, in, ft",
        },
        Bad {
            from: "\"30 kPa\"",
            to: "\"30 kpa\"",
            at: (16, 9),
            message: "unknown unit `kpa` in \"30 kpa\"",
            help: "did you mean `kPa`? the units of a pressure are Pa, kPa, MPa, GPa, bar, psi",
        },
        Bad {
            from: "density = 1000",
            to: "density = \"heavy\"",
            at: (17, 11),
            message: "\"heavy\" does not start with a number; a density is needed",
            help: "write it like \"1.5 kg/m^3\"",
        },
        Bad {
            from: "density = 1000",
            to: "density = nan",
            at: (17, 11),
            message: "`NaN` is not a number",
            help: "write a finite number",
        },
        Bad {
            from: "density = 1000",
            to: "density = true",
            at: (17, 11),
            message: "`density` in [materials.rubber] needs a density such as \"1 g/cm^3\", not true",
            help: "",
        },
        Bad {
            from: "[\"0 m\", 0, \"50 cm\"]",
            to: "[\"0 m\", 0]",
            at: (22, 12),
            message: "a vector needs three values, but 2 values are given",
            help: "write [x, y, z]",
        },
        Bad {
            from: "[\"0 m\", 0, \"50 cm\"]",
            to: "\"50 cm\"",
            at: (22, 12),
            message: "`position` in [bodies.ring] needs three values [x, y, z] in m, not the text \"50 cm\"",
            help: "",
        },
        Bad {
            from: "cells = [2, 2, 2]",
            to: "cells = [2, 2, 2, 2]",
            at: (27, 51),
            message: "`cells` in `shape.box` of [bodies.block] needs an array of 3 values, not 4",
            help: "",
        },
        Bad {
            from: "sides = 8",
            to: "sides = 2.5",
            at: (21, 89),
            message: "`sides` in `shape.torus` of [bodies.ring] needs a whole number, 0 or more, not 2.5",
            help: "",
        },
        Bad {
            from: "stress = true",
            to: "stress = \"yes\"",
            at: (11, 10),
            message: "`stress` in [output] needs true or false, not the text \"yes\"",
            help: "",
        },
        Bad {
            from: "\"ls-stable\"",
            to: "3",
            at: (14, 7),
            message: "`law` in [materials.rubber] needs a word in quotes",
            help: "",
        },
        Bad {
            from: "{ axis = [1, 0, 0], angle = \"80 deg\" }",
            to: "\"80 deg\"",
            at: (23, 12),
            message: "`rotation` in [bodies.ring] needs a table like { axis = [1, 0, 0], angle = \"80 deg\" } \
                      or an array of such tables, not the text \"80 deg\"",
            help: "",
        },
    ]);
}

#[test]
fn impossible_numbers_are_refused() {
    check(&[
        Bad {
            from: "\"10 s\"",
            to: "-1",
            at: (2, 12),
            message: "`duration` must be greater than 0, not -1 s",
            help: "write for example duration = \"10 s\"",
        },
        Bad {
            from: "1e-6",
            to: "0.5",
            at: (7, 13),
            message: "[time]: `tolerance` must be at most 0.1, not 0.5",
            help: "1e-3 is coarse, 1e-6 is fine",
        },
        Bad {
            from: "tolerance = 1e-6",
            to: "first_step = \"1 s\"",
            at: (7, 14),
            message: "[time]: `first_step` (1 s) must lie between `min_step` (0.000000001 s) and `max_step` (0.02 s)",
            help: "change `first_step`, or move the limits",
        },
        Bad {
            from: "frame_rate = 24",
            to: "frame_rate = \"1 GHz\"",
            at: (10, 14),
            message: "[output]: that makes 10000000000 frames, more than 1000000",
            help: "write fewer frames per second, or shorten `duration`",
        },
        Bad {
            from: "density = 1000",
            to: "density = 0",
            at: (17, 11),
            message: "[materials.rubber]: `density` must be greater than 0, not 0 kg/m³",
            help: "write for example density = \"1 g/cm^3\"",
        },
        Bad {
            from: "bulk = \"100 kPa\"\nshear = \"30 kPa\"",
            to: "young = \"100 kPa\"\npoisson = 0.5",
            at: (16, 11),
            message: "[materials.rubber]: `poisson` must lie between -1 and 0.5, not at 0.5",
            help: "rubbers are near 0.45 here, cork near 0; 0.5 would mean no change of volume at all",
        },
        Bad {
            from: "density = 1000",
            to: "density = 1000\nshear_viscosity = \"-1 Pa s\"",
            at: (18, 19),
            message: "[materials.rubber]: `shear_viscosity` must not be negative, as -1 Pa·s is",
            help: "write 0, or for example shear_viscosity = \"1 Pa s\"",
        },
        Bad {
            from: "\"3 cm\"",
            to: "\"10 cm\"",
            at: (21, 58),
            message: "[bodies.ring]: the tube (0.1 m) fills the ring (0.1 m): it has no hole",
            help: "make `tube_radius` smaller than `ring_radius`",
        },
        Bad {
            from: "sides = 8",
            to: "sides = 2",
            at: (21, 89),
            message: "[bodies.ring]: `sides` must be 3 to 2000, not 2",
            help: "write a larger number",
        },
        Bad {
            from: "cells = [2, 2, 2]",
            to: "cells = [2, 0, 2]",
            at: (27, 55),
            message: "[bodies.block]: `cells` must be 1 to 2000, not 0",
            help: "write a larger number",
        },
        Bad {
            from: "cells = [2, 2, 2]",
            to: "cells = [900, 1000, 800]",
            at: (27, 57),
            message: "[bodies.block]: that makes 720000000 cells, more than 10000000",
            help: "write a smaller number for `cells`",
        },
        Bad {
            from: "size = [0.1, 0.1, 0.1]",
            to: "size = [0.1, 0.1, 0]",
            at: (27, 37),
            message: "[bodies.block]: `size` must be greater than 0, not 0 m",
            help: "every component must be greater than 0",
        },
        Bad {
            from: "axis = [1, 0, 0]",
            to: "axis = [0, 0, 0]",
            at: (23, 21),
            message: "[bodies.ring]: `axis` has no direction",
            help: "write for example axis = [0, 0, 1]",
        },
        Bad {
            from: "normal = [0, 1, 0]",
            to: "normal = [0, 0, 0]",
            at: (39, 39),
            message: "[constraints.rail]: `normal` has no direction",
            help: "write for example normal = [0, 0, 1]",
        },
    ]);
}

#[test]
fn solids_that_cannot_yield_as_asked_are_refused() {
    const BLOCK: &str = "[bodies.block]\n";
    check(&[
        Bad {
            from: BLOCK,
            to: "[bodies.block]\nplasticity = { shape = { yield = 0.5, creep = 20, max = 0.2 } }\n",
            at: (26, 34),
            message: "[bodies.block]: `yield` is above `max`: nothing could ever yield and stay so",
            help: "make `max` larger than `yield`",
        },
        Bad {
            from: BLOCK,
            to: "[bodies.block]\nplasticity = { shape = { yield = 0, creep = 20, max = 0.2 } }\n",
            at: (26, 34),
            message: "[bodies.block]: `yield` must be greater than 0, not 0",
            help: "write for example yield = 0.3",
        },
        Bad {
            from: BLOCK,
            to: "[bodies.block]\nplasticity = { distance = { yield = 0.1, creep = 20, max = 0.2 } }\n",
            at: (26, 27),
            message: "[bodies.block]: plasticity of `distance` goes only with mass points",
            help: "write `shape`",
        },
        Bad {
            from: BLOCK,
            to: "[bodies.block]\nkind = \"affine\"\nplasticity = { shape = { yield = 0.1, creep = 20, max = 0.2 } }\n",
            at: (27, 24),
            message: "[bodies.block]: only solids and mass points yield",
            help: "make it kind = \"solid\", or remove `plasticity`",
        },
    ]);
}

#[test]
fn times_out_of_order_are_refused() {
    check(&[
        Bad {
            from: "until = \"5 s\"",
            to: "until = 0",
            at: (31, 9),
            message: "[constraints.nail]: `until` must be greater than 0, not 0 s",
            help: "write for example until = \"10 ms\"",
        },
        Bad {
            from: "at = \"2 s\"",
            to: "at = \"1 s\"",
            at: (35, 48),
            message: "[constraints.hand]: the key at 1 s comes after the one at 1 s",
            help: "write the keys in the order of time, each time once",
        },
        Bad {
            from: "path = [{ at = \"1 s\", by = [0, 0, 0] }, { at = \"2 s\", by = [0, 0, \"30 cm\"] }]",
            to: "path = []",
            at: (35, 8),
            message: "[constraints.hand]: `path` has no keys",
            help: "write path = [{ at = \"2 s\", by = [0, 0, 0.3] }]",
        },
        Bad {
            from: "at = \"1 s\", by = [0, 0, 0]",
            to: "at = 0, by = [0, 0, 1]",
            at: (35, 24),
            message: "[constraints.hand]: a path starts without displacement: `by` must be [0, 0, 0] at 0 s",
            help: "place the body with `position`, and move it from there",
        },
        Bad {
            from: "{ at = \"0 s\", scale = 0 }",
            to: "{ at = -1, scale = 0 }",
            at: (44, 16),
            message: "[forces.pull]: a key at -1 s lies before the start",
            help: "times start at 0, for example \"10 ms\"",
        },
    ]);
}
