//! The clients, one file each.

mod claude_code;
mod claude_desktop;
mod cline;
mod codex;
mod cursor;
mod gemini;
mod goose;
mod junie;
mod lmstudio;
mod opencode;
mod vscode;
mod windsurf;
mod zed;

use crate::description::Description;

/// All clients, in the order in which they are shown.
pub(crate) const ALL: [&Description; 13] = [
    &claude_desktop::CLIENT,
    &claude_code::CLIENT,
    &cursor::CLIENT,
    &vscode::CLIENT,
    &codex::CLIENT,
    &windsurf::CLIENT,
    &gemini::CLIENT,
    &zed::CLIENT,
    &goose::CLIENT,
    &cline::CLIENT,
    &junie::CLIENT,
    &opencode::CLIENT,
    &lmstudio::CLIENT,
];
