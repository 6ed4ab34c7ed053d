//! What the elastic laws are called in a scene.

/// The elastic law of a solid.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum LawName {
    /// Liesenfeld and Stolfi 1997 as printed. Resists crushing without limit, but loses stability when
    /// stretched beyond about 1.6: a pulled bar turns into a ribbon.
    Ls,
    /// Liesenfeld and Stolfi with a shear term that stays stable at every stretch (the default).
    /// Resists crushing without limit.
    #[default]
    LsStable,
    /// Stable neo-Hookean of Smith, de Goes and Kim 2018. In explicit steps elements may turn inside out and recover;
    /// implicit ones keep them upright, by a wall below a tenth of the volume.
    NeoHookean,
    /// Linear elasticity in a frame that turns with the element.
    Corotated,
    /// Saint Venant–Kirchhoff: Hooke's law on Green's strain. Weak under strong compression.
    StVenant,
}

impl LawName {
    /// Every law there is.
    pub const ALL: [LawName; 5] =
        [LawName::Ls, LawName::LsStable, LawName::NeoHookean, LawName::Corotated, LawName::StVenant];

    /// The name as a scene writes it.
    pub fn name(self) -> &'static str {
        match self {
            LawName::Ls => "ls",
            LawName::LsStable => "ls-stable",
            LawName::NeoHookean => "neo-hookean",
            LawName::Corotated => "corotated",
            LawName::StVenant => "st-venant",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_scene_file() {
        for law in LawName::ALL {
            assert_eq!(serde_json::to_string(&law).unwrap(), format!("\"{}\"", law.name()));
        }
        assert_eq!(LawName::default().name(), "ls-stable");
    }
}
