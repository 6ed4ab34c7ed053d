//! Metadata of objects and properties: `key=value;key=value`, keys in alphabetic order.
//!
//! Each text stands once in a table at the end of the archive: its length (u8), the text. Headers hold its number from
//! 1; 0 is no metadata. Only the few texts of the schemas are used, all of them shorter than 256 bytes.

/// Texts in the order in which they were first used.
#[derive(Debug, Default)]
pub(super) struct Meta(Vec<&'static str>);

impl Meta {
    /// The number of a text.
    pub(super) fn index(&mut self, text: &'static str) -> u32 {
        if text.is_empty() {
            return 0;
        }
        let known = self.0.iter().position(|&known| known == text);
        let place = known.unwrap_or_else(|| {
            self.0.push(text);
            self.0.len() - 1
        });
        place as u32 + 1
    }

    /// The table.
    pub(super) fn table(&self) -> Vec<u8> {
        let entry = |text: &&'static str| [&[text.len() as u8], text.as_bytes()].concat();
        self.0.iter().flat_map(entry).collect()
    }
}
