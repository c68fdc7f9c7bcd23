//! What tauri makes of its configuration at build time.

use tauri_build::{Attributes, InlinedPlugin};

/// What the window's page may ask the shell for; `commands.rs` answers, and
/// `tauri.conf.json` says which window may.
const COMMANDS: &[&str] = &[
    "follow",
    "unfollow",
    "place",
    "drafts",
    "keep_draft",
    "open_link",
    "starts_at_login",
    "start_at_login",
];

fn main() {
    let commands = InlinedPlugin::new().commands(COMMANDS);
    let attributes = Attributes::new().plugin("ozbrain", commands);
    if let Err(error) = tauri_build::try_build(attributes) {
        println!("cargo::error={error:#}");
    }
}
