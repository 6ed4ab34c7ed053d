//! The energy ledger as a table (`ledger.csv`) and as a picture (`ledger.svg`), and the net
//! forces of the constraints (`reactions.csv`).

mod plot;

use std::path::Path;

use aspic::Vec3;
use aspic::frame::{Frame, Ledger};

pub use plot::write_svg;

use crate::table::{self, Table};
use crate::{OutputError, ReadError};

/// Names of the columns of `ledger.csv`. Units as in [`Ledger`]: s, J, kg m/s, kg m²/s.
pub const COLUMNS: [&str; 25] = [
    "t",
    "kinetic",
    "elastic_bulk",
    "elastic_shear",
    "gravity",
    "springs",
    "contact",
    "viscous_loss",
    "friction_loss",
    "plastic_loss",
    "impact_loss",
    "numerical_loss",
    "drag_work",
    "load_work",
    "total",
    "residual",
    "exchanged",
    "momentum_x",
    "momentum_y",
    "momentum_z",
    "angular_momentum_x",
    "angular_momentum_y",
    "angular_momentum_z",
    "violation",
    "step",
];

/// A ledger row as numbers, in the order of [`COLUMNS`]. Names every field, so a new one is noticed here.
pub fn numbers(row: &Ledger) -> [f64; COLUMNS.len()] {
    let Ledger {
        t,
        kinetic,
        elastic_bulk,
        elastic_shear,
        gravity,
        springs,
        contact,
        viscous_loss,
        friction_loss,
        plastic_loss,
        impact_loss,
        numerical_loss,
        drag_work,
        load_work,
        total,
        residual,
        exchanged,
        momentum: p,
        angular_momentum: l,
        violation,
        step,
    } = *row;
    [
        t,
        kinetic,
        elastic_bulk,
        elastic_shear,
        gravity,
        springs,
        contact,
        viscous_loss,
        friction_loss,
        plastic_loss,
        impact_loss,
        numerical_loss,
        drag_work,
        load_work,
        total,
        residual,
        exchanged,
        p.x,
        p.y,
        p.z,
        l.x,
        l.y,
        l.z,
        violation,
        step,
    ]
}

/// The inverse of [`numbers`]; the table reader has checked the length.
fn ledger(row: &[f64]) -> Ledger {
    Ledger {
        t: row[0],
        kinetic: row[1],
        elastic_bulk: row[2],
        elastic_shear: row[3],
        gravity: row[4],
        springs: row[5],
        contact: row[6],
        viscous_loss: row[7],
        friction_loss: row[8],
        plastic_loss: row[9],
        impact_loss: row[10],
        numerical_loss: row[11],
        drag_work: row[12],
        load_work: row[13],
        total: row[14],
        residual: row[15],
        exchanged: row[16],
        momentum: Vec3::new(row[17], row[18], row[19]),
        angular_momentum: Vec3::new(row[20], row[21], row[22]),
        violation: row[23],
        step: row[24],
    }
}

fn header() -> Vec<String> {
    COLUMNS.map(String::from).to_vec()
}

/// The rows of `ledger.csv`, every number as it was. A half-written last row is left out.
pub fn read(path: &Path) -> Result<Vec<Ledger>, ReadError> {
    Ok(table::read(path, &header())?.iter().map(|row| ledger(row)).collect())
}

/// `ledger.csv`, open to grow a row a frame.
#[derive(Debug)]
pub struct LedgerTable(Table);

impl LedgerTable {
    /// A new table; an old one at that place is replaced.
    pub fn create(path: &Path) -> Result<LedgerTable, OutputError> {
        Table::create(path, &header()).map(LedgerTable)
    }

    /// Goes on behind these rows, which replace what is in the file: a run may have written rows
    /// after its last checkpoint, and they are written again.
    pub fn resume(path: &Path, rows: &[Ledger]) -> Result<LedgerTable, OutputError> {
        let rows: Vec<_> = rows.iter().map(|row| numbers(row).to_vec()).collect();
        Table::restart(path, &header(), &rows).map(LedgerTable)
    }

    /// Appends one row.
    pub fn push(&mut self, row: &Ledger) -> Result<(), OutputError> {
        self.0.push(&numbers(row))
    }
}

/// `reactions.csv`: the time \[s\] and the net force of each constraint on the bodies \[N\].
#[derive(Debug)]
pub struct ReactionTable(Table);

impl ReactionTable {
    /// A new table with three columns for each constraint: `NAME_x`, `NAME_y`, `NAME_z`.
    pub fn create(path: &Path, constraints: &[String]) -> Result<ReactionTable, OutputError> {
        Table::create(path, &reaction_header(constraints)).map(ReactionTable)
    }

    /// Goes on behind these rows, as [`read_reactions`] gives them.
    pub fn resume(
        path: &Path,
        constraints: &[String],
        rows: &[Vec<f64>],
    ) -> Result<ReactionTable, OutputError> {
        Table::restart(path, &reaction_header(constraints), rows).map(ReactionTable)
    }

    /// Appends the reactions of one frame.
    pub fn push(&mut self, frame: &Frame) -> Result<(), OutputError> {
        let forces = frame.reactions.iter().flat_map(|f| [f.x, f.y, f.z]);
        self.0.push(&[frame.ledger.t].into_iter().chain(forces).collect::<Vec<_>>())
    }
}

/// The rows of `reactions.csv`: time \[s\], then x, y, z of each constraint's force \[N\].
pub fn read_reactions(path: &Path, constraints: &[String]) -> Result<Vec<Vec<f64>>, ReadError> {
    table::read(path, &reaction_header(constraints))
}

fn reaction_header(constraints: &[String]) -> Vec<String> {
    let forces = constraints.iter().flat_map(|name| ["x", "y", "z"].map(|axis| format!("{name}_{axis}")));
    [String::from("t")].into_iter().chain(forces).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_number_comes_back_from_the_table(
            values in proptest::collection::vec(any::<f64>(), COLUMNS.len()),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("ledger.csv");
            let row = ledger(&values);
            let mut table = LedgerTable::create(&path).unwrap();
            table.push(&row).unwrap();
            table.push(&Ledger::default()).unwrap();
            let back = read(&path).unwrap();
            prop_assert_eq!(back.len(), 2);
            let bits = |row: &Ledger| numbers(row).map(f64::to_bits);
            prop_assert_eq!(bits(&back[0]), bits(&row));
        }
    }

    #[test]
    fn numbers_are_written_with_the_fewest_digits() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.csv");
        let mut table = LedgerTable::create(&path).unwrap();
        table.push(&Ledger { t: 0.1, kinetic: 1e-300, momentum: Vec3::x(), ..Ledger::default() }).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let second = text.lines().nth(1).unwrap();
        assert!(second.starts_with("0.1,1e-300,0.0,"), "{second}");
        assert_eq!(text.lines().next().unwrap().split(',').nth(17), Some("momentum_x"));
        assert_eq!(second.split(',').nth(17), Some("1.0"));
    }

    #[test]
    fn resumed_table_holds_the_old_rows_then_the_new() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.csv");
        let at = |t| Ledger { t, ..Ledger::default() };
        let mut table = LedgerTable::create(&path).unwrap();
        (0..5).for_each(|i| table.push(&at(f64::from(i))).unwrap());
        let rows = read(&path).unwrap();
        LedgerTable::resume(&path, &rows[..2]).unwrap().push(&at(9.0)).unwrap();
        let times: Vec<_> = read(&path).unwrap().iter().map(|row| row.t).collect();
        assert_eq!(times, [0.0, 1.0, 9.0]);
    }

    #[test]
    fn reactions_have_three_columns_a_constraint() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("reactions.csv");
        let names = ["wall, left".to_string(), "hook".to_string()];
        let mut frame = Frame { reactions: vec![Vec3::new(1.0, 2.0, 3.0), Vec3::x()], ..Frame::default() };
        frame.ledger.t = 0.25;
        let mut table = ReactionTable::create(&path, &names).unwrap();
        table.push(&frame).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(
            text,
            "t,\"wall, left_x\",\"wall, left_y\",\"wall, left_z\",hook_x,hook_y,hook_z\n0.25,1.0,2.0,3.0,1.0,0.0,0.0\n"
        );
        assert_eq!(read_reactions(&path, &names).unwrap(), [[0.25, 1.0, 2.0, 3.0, 1.0, 0.0, 0.0]]);
        frame.reactions.pop();
        let text = table.push(&frame).unwrap_err().to_string();
        assert!(text.contains("4 entries where 7"), "{text}");
    }
}
