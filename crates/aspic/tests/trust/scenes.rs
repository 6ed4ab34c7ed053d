//! Scenes whose ends are known: free spins, bounces, slides, slopes, rolling balls and ropes around posts.

pub const GRAVITY: f64 = 9.81;

/// Shapes of free bodies: name, and how a scene asks for it.
pub const SHAPES: [(&str, &str); 3] = [
    ("box", "{ box = { size = [0.3, 0.2, 0.1], cells = [2, 2, 1] } }"),
    ("ellipsoid", "{ ellipsoid = { radii = [0.15, 0.19, 0.30], rings = 3 } }"),
    ("torus", "{ torus = { ring_radius = 0.1, tube_radius = 0.03, sections = 20, sides = 8 } }"),
];

/// How a scene asks for a kind of body, of this Young's modulus  \[Pa\]
pub fn kind_key(kind: &str, young: f64) -> String {
    match kind {
        "block" => "block = {}".into(),
        "affine" => format!("kind = \"affine\"\nstiffness = {young:e}"),
        _ => format!("kind = \"{kind}\""),
    }
}

const FLOOR: &str = "[obstacles.floor]\nshape = { plane = { point = [0, 0, 0], normal = [0, 0, 1] } }\n";

/// A material: Young's modulus \[Pa\], Poisson's ratio, density \[kg/m³\], law.
pub struct Stuff<'a> {
    pub young: f64,
    pub poisson: f64,
    pub density: f64,
    pub law: &'a str,
}

impl Stuff<'_> {
    /// Of this stiffness, with the default law.
    pub fn of(young: f64, density: f64) -> Stuff<'static> {
        Stuff { young, poisson: 0.3, density, law: "ls-stable" }
    }

    fn text(&self) -> String {
        let Stuff { young, poisson, density, law } = self;
        format!(
            "[materials.m]\nyoung = {young:e}\npoisson = {poisson}\ndensity = {density}\nlaw = \"{law}\"\n"
        )
    }
}

/// A body that spins in empty space, touching nothing, in frames of 1/60 s.
pub fn spin(kind: &str, shape: &str, stuff: &Stuff, spin: [f64; 3], duration: f64) -> String {
    let (stuff, kind) = (stuff.text(), kind_key(kind, stuff.young));
    format!(
        "duration = {duration}\ngravity = 0\n[output]\nframe_rate = 60\n[contact]\n{stuff}[bodies.b]\n{kind}\n\
         material = \"m\"\nshape = {shape}\nspin = {spin:?}\nvelocity = [0.3, -0.2, 0.1]\n"
    )
}

/// Radius of the ball that is dropped  \[m\]
pub const BALL: f64 = 0.05;

/// A ball dropped from a height, until the top of its first bounce.
pub fn bounce(kind: &str, young: f64, height: f64, time: &str) -> String {
    let (fall, kind) = ((2.0 * height / GRAVITY).sqrt(), kind_key(kind, young));
    let stuff = Stuff::of(young, 1000.0).text();
    format!(
        "duration = {}\n[output]\nframe_rate = 60\n[time]\n{time}\n[contact]\n{stuff}[bodies.ball]\n{kind}\nmaterial = \"m\"\n\
         shape = {{ ball = {{ radius = {BALL}, rings = 3 }} }}\nposition = [0, 0, {}]\nrotation = {{ axis = [1, 2, 3], angle = 0.7 }}\n\
         {FLOOR}",
        2.6 * fall,
        BALL + height
    )
}

/// A block that slides on a floor until it rests, and the way there  \[m\]
pub fn slide(kind: &str, speed: f64, friction: f64, gap: f64, step: f64) -> (String, f64) {
    let distance = speed * speed / (2.0 * friction * GRAVITY);
    let (stuff, kind) = (Stuff::of(1e7, 700.0).text(), kind_key(kind, 1e7));
    let duration = 1.2 * speed / (friction * GRAVITY) + 0.15;
    let text = format!(
        "duration = {duration}\n[output]\nframe_rate = {}\n[contact]\ndistance = \"1 mm\"\nfriction = {friction}\n{stuff}\
         [bodies.block]\n{kind}\nmaterial = \"m\"\nshape = {{ box = {{ size = [0.2, 0.2, 0.05], cells = [2, 2, 1] }} }}\n\
         position = [0, 0, {}]\nvelocity = [{speed}, 0, 0]\n{FLOOR}",
        1.0 / step,
        0.025 + gap
    );
    (text, distance)
}

/// Gravity on a slope that is level: the world is tilted by an angle \[rad\] instead.
fn tilted(angle: f64) -> String {
    format!("gravity = [{}, 0, {}]\n", GRAVITY * angle.sin(), -GRAVITY * angle.cos())
}

/// A block on a slope.
pub fn slope(kind: &str, young: f64, angle: f64, friction: f64, duration: f64) -> String {
    let (stuff, kind, gravity) = (Stuff::of(young, 1000.0).text(), kind_key(kind, young), tilted(angle));
    format!(
        "duration = {duration}\n{gravity}[output]\nframe_rate = 60\n[contact]\nfriction = {friction}\n{stuff}\
         [bodies.block]\n{kind}\nmaterial = \"m\"\nshape = {{ box = {{ size = [0.2, 0.2, 0.1], cells = [2, 2, 1] }} }}\n\
         position = [0, 0, 0.0502]\n{FLOOR}"
    )
}

/// A ball that rolls down a slope from rest.
pub fn roll(kind: &str, young: f64, angle: f64, friction: f64, rings: u32, duration: f64) -> String {
    let (stuff, kind, gravity) = (Stuff::of(young, 1000.0).text(), kind_key(kind, young), tilted(angle));
    format!(
        "duration = {duration}\n{gravity}[output]\nframe_rate = 60\n[contact]\nfriction = {friction}\n{stuff}\
         [bodies.ball]\n{kind}\nmaterial = \"m\"\nshape = {{ ball = {{ radius = {BALL}, rings = {rings} }} }}\n\
         position = [0, 0, {}]\n{FLOOR}",
        1.002 * BALL
    )
}

/// Load at one end of the rope around a post  \[N\]
pub const LOAD: f64 = 10.0;

/// A rope half a turn around a post, loaded at one end and pulled slowly at the other. It is thin: what bends with the
/// stiffness B around the radius R carries B/2R² past the friction, here 0.1 N.
pub fn capstan(friction: f64, time: &str) -> String {
    let (post, rope, turns) = (0.05, 0.002, 24);
    let arc = post + 1.3 * rope;
    let mut path = vec![format!("[{}, 0, -0.25], [{}, 0, -0.02]", -arc, -arc)];
    path.extend((0..=turns).map(|k| {
        let (sine, cosine) = (std::f64::consts::PI * (1.0 - f64::from(k) / f64::from(turns))).sin_cos();
        format!("[{}, 0, {}]", arc * cosine, arc * sine)
    }));
    path.push(format!("[{arc}, 0, -0.02], [{arc}, 0, -0.25]"));
    let stuff = Stuff::of(5e7, 1000.0).text();
    format!(
        "duration = 2\ngravity = 0\n[output]\nframe_rate = 60\n[time]\n{time}\n[contact]\nfriction = {friction}\n{stuff}\
         [bodies.rope]\nmaterial = \"m\"\nrope = {{ path = [{}], segments = 100, radius = {rope} }}\n\
         [obstacles.post]\nshape = {{ capsule = {{ radius = {post}, length = 0.1, rings = 8 }} }}\nrotation = {{ axis = [1, 0, 0], angle = \"90 deg\" }}\n\
         [forces.load]\non = {{ body = \"rope\", name = \"start\" }}\nforce = [0, 0, -{LOAD}]\n\
         [constraints.pull]\ndrag = {{ body = \"rope\", name = \"end\" }}\npath = [{{ at = 2, by = [0, 0, -0.06] }}]\n",
        path.join(", ")
    )
}

/// A ball between a floor and a plate that comes down, each of which it is pressed to by `approach` at the end of the run,
/// and the force of Hertz there  \[N\]: F = 4/3 E/(1 − ν²) √R δ^(3/2)
pub fn hertz(young: f64, rings: u32, approach: f64, contact: &str) -> (String, f64) {
    let gap = 1e-3;
    let fall = 2.0 * approach + gap;
    let stuff = Stuff::of(young, 1000.0).text();
    let text = format!(
        "duration = 1\ngravity = 0\n[output]\nframe_rate = 60\n[contact]\n{contact}\n{stuff}shear_viscosity = {}\n\
         [bodies.ball]\nmaterial = \"m\"\nshape = {{ ball = {{ radius = {BALL}, rings = {rings} }} }}\nposition = [0, 0, {BALL}]\n\
         {FLOOR}[obstacles.plate]\nshape = {{ box = {{ size = [0.2, 0.2, 0.02] }} }}\nposition = [0, 0, {}]\n\
         motion = {{ path = [{{ at = 0.8, by = [0, 0, -{fall}] }}] }}\n",
        0.01 * young,
        2.0 * BALL + 0.01 + gap,
    );
    let modulus = young / (1.0 - 0.3 * 0.3);
    (text, 4.0 / 3.0 * modulus * BALL.sqrt() * approach.powf(1.5))
}
