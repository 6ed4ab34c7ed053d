//! Answers under changed boundary conditions without a new factor (James & Pai 1999, capacitance matrix).
//!
//! A reference problem A₀ x + Ā₀ x̄ = B has the unknowns x and the known values x̄. Its Green's functions are the columns of
//! Ξ = −A₀⁻¹ Ā₀: what all unknowns do when one known value rises by one. At the places S, with unit columns E, known and
//! unknown change roles. With the new known values x̄ there and the reference answer y = A₀⁻¹ B + Ξ x̄_ref
//!
//! ```text
//! y₀ = y − Ξ E x̄_ref − E x̄        C = −Eᵀ Ξ E        c = C⁻¹ Eᵀ y₀        x = y₀ + (E + Ξ E) c
//! ```
//!
//! Only columns of places that may ever change are kept. C⁻¹ is kept too and grows or shrinks by one place at a cost of s²
//! for s changed places. One step of iterative refinement mends what many such steps have lost; when that is not enough
//! C⁻¹ is made anew. Nothing is allocated after the beginning. The matrices know nothing of space or its dimension.

use crate::solid::UpdateError;
use crate::solid::capacitance::Capacitance;

/// Residual of C c = Eᵀ y₀, relative to the right-hand side, above which C⁻¹ is made anew.
const STALE: f64 = 1e-11;
/// A candidate that is not switched.
const NOWHERE: usize = usize::MAX;

/// Green's functions of the candidates and the inverse for those that are switched.
#[derive(Clone, Debug)]
pub struct Green {
    rows: usize,
    /// Ξ, column by column  (rows × candidates)
    columns: Vec<f64>,
    /// −Ξ at the places of the candidates, row by row: C is made of it  (candidates × candidates)
    block: Vec<f64>,
    /// The place of each candidate among the unknowns.
    places: Vec<usize>,
    /// The candidate of each place, or nowhere.
    candidate_at: Vec<usize>,
    /// Candidates that are switched, in the order of C.
    active: Vec<usize>,
    /// Where each candidate stands in `active`.
    slots: Vec<usize>,
    capacitance: Capacitance,
    /// A row and a column of C, or the right-hand side and what is left of it.
    work: [Vec<f64>; 2],
    /// c, one for each switched candidate.
    c: Vec<f64>,
}

impl Green {
    /// From Ξ, column by column, and the place of each column among the unknowns. At most `most` can be switched at once.
    pub fn new(
        rows: usize,
        columns: Vec<f64>,
        places: Vec<usize>,
        most: usize,
    ) -> Result<Green, UpdateError> {
        let expected = rows * places.len();
        if columns.len() != expected {
            return Err(UpdateError::Length { what: "Green's columns", expected, given: columns.len() });
        }
        if let Some(&given) = places.iter().find(|&&place| place >= rows) {
            return Err(UpdateError::Length { what: "place of a candidate", expected: rows, given });
        }
        let (most, count) = (most.min(places.len()), places.len());
        let block = (0..count * count).map(|k| -columns[k % count * rows + places[k / count]]).collect();
        let mut candidate_at = vec![NOWHERE; rows];
        places.iter().enumerate().for_each(|(candidate, &place)| candidate_at[place] = candidate);
        Ok(Green {
            rows,
            block,
            candidate_at,
            columns,
            slots: vec![NOWHERE; places.len()],
            places,
            active: Vec::with_capacity(most),
            capacitance: Capacitance::new(most),
            work: std::array::from_fn(|_| vec![0.0; most]),
            c: vec![0.0; most],
        })
    }

    /// How many places could be switched.
    pub fn candidates(&self) -> usize {
        self.places.len()
    }

    /// Candidates that are switched, in no special order.
    pub fn active(&self) -> &[usize] {
        &self.active
    }

    /// Whether a candidate is switched.
    pub fn is_active(&self, candidate: usize) -> bool {
        self.slots.get(candidate).is_some_and(|&slot| slot != NOWHERE)
    }

    /// The switched candidate at a place among the unknowns, if there is one.
    pub fn active_at(&self, place: usize) -> Option<usize> {
        self.candidate_at.get(place).copied().filter(|&candidate| self.is_active(candidate))
    }

    /// The column of Ξ of a candidate.
    pub fn column(&self, candidate: usize) -> &[f64] {
        &self.columns[candidate * self.rows..(candidate + 1) * self.rows]
    }

    /// An entry of C.
    fn entry(&self, row: usize, column: usize) -> f64 {
        self.block[row * self.places.len() + column]
    }

    fn check(&self, candidate: usize) -> Result<(), UpdateError> {
        let candidates = self.candidates();
        if candidate < candidates { Ok(()) } else { Err(UpdateError::NoCandidate { candidate, candidates }) }
    }

    /// Exchanges known and unknown at a candidate. Does nothing if that has been done.
    pub fn enter(&mut self, candidate: usize) -> Result<(), UpdateError> {
        self.check(candidate)?;
        if self.is_active(candidate) {
            return Ok(());
        }
        let (s, most) = (self.active.len(), self.c.len());
        if s == most {
            return Err(UpdateError::Full { most });
        }
        let [mut row, mut column] = std::mem::take(&mut self.work);
        for (a, &other) in self.active.iter().enumerate() {
            (row[a], column[a]) = (self.entry(candidate, other), self.entry(other, candidate));
        }
        let corner = self.entry(candidate, candidate);
        let sound = self.capacitance.grow(&row[..s], &column[..s], corner);
        self.work = [row, column];
        if !sound {
            return Err(UpdateError::Loose { candidate });
        }
        self.slots[candidate] = s;
        self.active.push(candidate);
        Ok(())
    }

    /// Gives a candidate its role in the reference back. Does nothing if it has it.
    pub fn leave(&mut self, candidate: usize) -> Result<(), UpdateError> {
        self.check(candidate)?;
        let slot = self.slots[candidate];
        if slot == NOWHERE {
            return Ok(());
        }
        if !self.capacitance.shrink(slot) {
            return Err(UpdateError::Loose { candidate });
        }
        self.active.swap_remove(slot);
        if let Some(&moved) = self.active.get(slot) {
            self.slots[moved] = slot;
        }
        self.slots[candidate] = NOWHERE;
        Ok(())
    }

    /// Makes C⁻¹ anew.
    pub fn refresh(&mut self) -> Result<(), UpdateError> {
        let (active, block, count) = (&self.active, &self.block, self.places.len());
        let entry = |a: usize, b: usize| block[active[a] * count + active[b]];
        let candidate = self.active.last().copied().unwrap_or(NOWHERE);
        if self.capacitance.refresh(entry) { Ok(()) } else { Err(UpdateError::Loose { candidate }) }
    }

    /// All unknowns x under the switched conditions.
    ///
    /// `answer` is that of the reference, with the values `reference` at the candidates; `known` are the new known values
    /// of the candidates, of which those that are not switched are not looked at.
    pub fn solve(
        &mut self,
        answer: &[f64],
        reference: &[f64],
        known: &[f64],
        x: &mut [f64],
    ) -> Result<(), UpdateError> {
        let (rows, candidates) = (self.rows, self.candidates());
        for (what, expected, given) in [
            ("reference answer", rows, answer.len()),
            ("room for the unknowns", rows, x.len()),
            ("reference values", candidates, reference.len()),
            ("known values", candidates, known.len()),
        ] {
            if expected != given {
                return Err(UpdateError::Length { what, expected, given });
            }
        }
        if self.correct(answer, reference, known) > STALE {
            self.refresh()?;
            self.correct(answer, reference, known);
        }
        x.copy_from_slice(answer);
        let c = &self.c;
        let mut parts = self.active.chunks_exact(4).zip(c.chunks_exact(4));
        for (four, c) in &mut parts {
            let factors: [f64; 4] = std::array::from_fn(|k| c[k] - reference[four[k]]);
            let columns: [&[f64]; 4] = std::array::from_fn(|k| self.column(four[k]));
            let inner = columns[0].iter().zip(columns[1]).zip(columns[2].iter().zip(columns[3]));
            for (x, ((a, b), (c, d))) in x.iter_mut().zip(inner) {
                *x += (factors[0] * a + factors[1] * b) + (factors[2] * c + factors[3] * d);
            }
        }
        let rest = self.active.len() / 4 * 4;
        for (a, &candidate) in self.active.iter().enumerate().skip(rest) {
            let factor = c[a] - reference[candidate];
            x.iter_mut().zip(self.column(candidate)).for_each(|(x, entry)| *x += factor * entry);
        }
        for (a, &candidate) in self.active.iter().enumerate() {
            x[self.places[candidate]] += c[a] - known[candidate];
        }
        Ok(())
    }

    /// c = C⁻¹ Eᵀ y₀ with one step of refinement. Returns the relative residual before that step.
    fn correct(&mut self, answer: &[f64], reference: &[f64], known: &[f64]) -> f64 {
        let s = self.active.len();
        let ([mut right, mut rest], mut c) = (std::mem::take(&mut self.work), std::mem::take(&mut self.c));
        for (a, &row) in self.active.iter().enumerate() {
            let pushed: f64 = self.active.iter().map(|&b| self.entry(row, b) * reference[b]).sum();
            right[a] = answer[self.places[row]] + pushed - known[row];
        }
        c[..s].fill(0.0);
        self.capacitance.add_product(&right[..s], &mut c[..s]);
        for (a, &row) in self.active.iter().enumerate() {
            rest[a] = right[a] - (0..s).map(|b| self.entry(row, self.active[b]) * c[b]).sum::<f64>();
        }
        self.capacitance.add_product(&rest[..s], &mut c[..s]);
        let norm = |v: &[f64]| v.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let (off, size) = (norm(&rest[..s]), norm(&right[..s]).max(norm(&c[..s])));
        (self.work, self.c) = ([right, rest], c);
        if off > 0.0 { off / size } else { 0.0 }
    }
}

#[cfg(test)]
#[path = "update_tests.rs"]
mod tests;
