//! Lists of toggles, each as it is written, with the properties that this program does not know.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

/// A list of toggles, as `GET /api/client/features` sends it. `T` is the form of a toggle; by default its text.
#[derive(Debug, Deserialize)]
pub struct RawToggles<'b, T = &'b RawValue> {
    /// Toggles.
    pub features: Vec<T>,
    #[serde(borrow)]
    segments: Option<&'b RawValue>,
}

/// The name of a toggle.
#[derive(Debug, Deserialize)]
pub struct ToggleName<'b> {
    /// The name.
    #[serde(borrow)]
    pub name: Cow<'b, str>,
}

impl<'b, T> RawToggles<'b, T> {
    /// Reads the segments. A list without them has none.
    ///
    /// # Errors
    /// If they are not a list of `S`.
    pub fn segments<S: Deserialize<'b>>(&self) -> Result<Vec<S>, serde_json::Error> {
        self.segments.map_or_else(|| Ok(Vec::new()), |segments| serde_json::from_str(segments.get()))
    }
}

/// Reads the name of a toggle from its text.
///
/// # Errors
/// If it has none.
pub fn name_of(toggle: &RawValue) -> Result<Cow<'_, str>, serde_json::Error> {
    Ok(serde_json::from_str::<ToggleName<'_>>(toggle.get())?.name)
}
