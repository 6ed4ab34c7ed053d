//! try
use aspic::body::ContactSettings;
use aspic::integrate::{ImplicitSettings, NewtonSettings, Scheme};
use aspic::kinetic::MassModel;
use aspic::mesh::generate;
use aspic::potential::material::Moduli;
use aspic::run::Method;
use aspic::solve::Choice;
use aspic::{Material, Settings, Simulation, Vec3, WorldBuilder};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let scene = args.get(1).map_or("drop", |s| s);
    let mut builder = WorldBuilder::new();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let material = Material::elastic(1000.0, Moduli::from_young_poisson(8e4, 0.4).unwrap());
    let mut contact = ContactSettings::default();
    let mut duration = 1.0;
    match scene {
        "drop" => {
            let mesh = generate::block(Vec3::new(0.1, 0.1, 0.1), [4, 4, 4]).unwrap();
            let id = builder.solid("cube", &mesh, &material, MassModel::Consistent).unwrap();
            for i in builder.nodes(id) {
                builder.positions()[i].z += 0.15;
            }
            builder.add_plane("floor", aspic::mesh::Plane::new(Vec3::zeros(), Vec3::z()).unwrap());
        }
        "tori" => {
            let mesh = generate::torus(0.1, 0.03, 20, 8).unwrap();
            for k in 0..10 {
                let id = builder.solid(&format!("t{k}"), &mesh, &material, MassModel::Consistent).unwrap();
                let (s, c) = (0.4 * k as f64).sin_cos();
                for i in builder.nodes(id) {
                    let x = builder.positions()[i];
                    let tilt = 0.5 * (k as f64 * 1.7).sin();
                    let y = Vec3::new(x.x * c - x.y * s, x.x * s + x.y * c, x.z);
                    let y = Vec3::new(
                        y.x,
                        y.y * tilt.cos() - y.z * tilt.sin(),
                        y.y * tilt.sin() + y.z * tilt.cos(),
                    );
                    builder.positions()[i] = y + Vec3::new(
                        0.05 * (k as f64 * 2.3).sin(),
                        0.05 * (k as f64 * 1.1).cos(),
                        0.12 + 0.13 * k as f64,
                    );
                }
            }
            builder.add_plane("floor", aspic::mesh::Plane::new(Vec3::zeros(), Vec3::z()).unwrap());
            contact.friction = std::env::var("MU").ok().and_then(|s| s.parse().ok()).unwrap_or(0.3);
            if let Some(s) = std::env::var("SCALE").ok().and_then(|s| s.parse().ok()) {
                contact.stiffness_scale = s;
            }
            contact.distance = std::env::var("DHAT").ok().and_then(|s| s.parse().ok());
            duration = 2.0;
        }
        "beam1" | "beam10" | "beam100" => {
            let cells = match scene {
                "beam1" => [12, 4, 4],
                "beam10" => [26, 9, 9],
                _ => [60, 18, 18],
            };
            let mesh = generate::beam(1.0, 0.2, 0.2, cells).unwrap();
            let m = Material {
                law: aspic::potential::material::LawName::NeoHookean,
                ..Material::elastic(1000.0, Moduli::from_young_poisson(1e6, 0.4).unwrap())
            };
            let id = builder.solid("beam", &mesh, &m, MassModel::Consistent).unwrap();
            let held: Vec<u32> =
                builder.nodes(id).filter(|&i| mesh.positions[i].x < 1e-9).map(|i| i as u32).collect();
            builder.hold("wall", &held);
            println!("{} tets", mesh.tets.len());
        }
        _ => panic!(),
    }
    builder.contact(contact);
    let (world, state) = builder.build().unwrap();
    let scheme = match args.get(2).map(|s| &s[..]) {
        Some("bdf2") => Scheme::Bdf2,
        Some("trap") => Scheme::Trapezoid,
        _ => Scheme::BackwardEuler,
    };
    let solver = match args.get(3).map(|s| &s[..]) {
        Some("jacobi") => Choice::Jacobi,
        Some("direct") => Choice::Factor,
        Some("patches") => Choice::Patches,
        _ => Choice::Auto,
    };
    let tol = args.get(4).and_then(|s| s.parse().ok());
    if let Some(d) = args.get(5).and_then(|s| s.parse().ok()) {
        duration = d;
    }
    let settings = Settings {
        duration,
        frame_interval: 1.0 / 60.0,
        method: Method::Implicit(ImplicitSettings {
            scheme,
            newton: NewtonSettings {
                solver,
                tolerance: tol,
                linear_tolerance: std::env::var("ETA").ok().and_then(|s| s.parse().ok()).unwrap_or(1e-2),
                ..Default::default()
            },
        }),
        ..Settings::default()
    };
    let mut sim = Simulation::new(world, state, settings);
    let clock = std::time::Instant::now();
    let mut before = *sim.profile().unwrap();
    let mut frames = 0;
    loop {
        match sim.next_frame() {
            Ok(Some(f)) => {
                frames += 1;
                let p = *sim.profile().unwrap();
                let low = f.positions.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
                if frames % 5 == 1 || p.newton_iterations - before.newton_iterations > 30 {
                    println!(
                        "{:4} t {:.4} K {:.4e} el {:.3e} con {:.3e} num {:.3e} fric {:.3e} tot {:.5e} res {:.2e} low {:.3e} its {} lin {}",
                        f.index,
                        f.ledger.t,
                        f.ledger.kinetic,
                        f.ledger.elastic_bulk + f.ledger.elastic_shear,
                        f.ledger.contact,
                        f.ledger.numerical_loss,
                        f.ledger.friction_loss,
                        f.ledger.total,
                        f.ledger.residual,
                        low,
                        p.newton_iterations - before.newton_iterations,
                        p.linear_iterations - before.linear_iterations
                    );
                }
                before = p;
            }
            Ok(None) => break,
            Err(e) => {
                println!("FAILED {e}");
                break;
            }
        }
    }
    let p = sim.profile().unwrap();
    println!(
        "{} frames, {:.4} s/frame, steps {} rejected {}; newton {} linear {} searches {}; seconds {:?}",
        frames,
        clock.elapsed().as_secs_f64() / frames as f64,
        sim.statistics().steps,
        sim.statistics().rejected,
        p.newton_iterations,
        p.linear_iterations,
        p.searches,
        p.seconds
    );
}
