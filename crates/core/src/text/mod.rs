//! Text: placeholder until the module lands.
/// A snippet.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Piece {
    /// Text.
    pub text: String,
    /// Tokens.
    pub tokens: u32,
}
/// The version of the analysis.
pub const ANALYSIS_VERSION: u32 = 1;
