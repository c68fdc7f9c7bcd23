//! What the window's page may ask the shell for. `build.rs` names these
//! commands, and `tauri.conf.json` allows them to the main window alone.

use crate::drafts::Of;
use crate::shell::shell;
use crate::{login, window};
use ozbrain_core::words::EventId;
use std::collections::BTreeMap;
use tauri::ipc::Channel;
use tauri::plugin::{Builder, TauriPlugin};
use tauri::{AppHandle, Wry, command, generate_handler};

/// The commands, as the page calls them: `plugin:ozbrain|…`.
pub(crate) fn plugin() -> TauriPlugin<Wry> {
    Builder::new("ozbrain")
        .invoke_handler(generate_handler![
            follow,
            unfollow,
            place,
            drafts,
            keep_draft,
            open_link,
            starts_at_login,
            start_at_login
        ])
        .build()
}

/// Follows what happens after an event, or from now on.
#[command]
async fn follow(
    app: AppHandle,
    id: u32,
    after: Option<EventId>,
    hear: Channel<Option<String>>,
) -> Result<(), String> {
    shell(&app).window.follow(id, after, hear).await
}

/// Ends that.
#[command]
async fn unfollow(app: AppHandle, id: u32) {
    shell(&app).window.unfollow(id);
}

/// Where the page shall go, such as `/conflict/ID`, if it was not told yet.
#[command]
fn place(app: AppHandle) -> Option<String> {
    shell(&app).window.take_place()
}

/// The texts that were not written in the windows before this one, by name. The
/// page asks once; what is erased later goes from both.
#[command]
fn drafts(app: AppHandle) -> BTreeMap<String, String> {
    shell(&app).drafts.all()
}

/// Keeps a text that is not written yet beyond this window, or forgets it, with
/// the brain and the unit that it belongs to. One after the other: of two the
/// later one counts.
#[command]
fn keep_draft(
    app: AppHandle,
    name: String,
    text: Option<String>,
    brain: Option<String>,
    unit: Option<String>,
) {
    let of = Of { brain, unit };
    shell(&app).drafts.keep(name, text, of);
}

/// Opens an address of the web in the person's browser.
#[command]
async fn open_link(address: String) -> Result<(), String> {
    if window::open_outside(&address) {
        Ok(())
    } else {
        Err("Only addresses that begin with http or https are opened.".into())
    }
}

/// Whether the system starts the application when the person logs in.
#[command]
async fn starts_at_login(app: AppHandle) -> Result<bool, String> {
    login::is_on(&app)
}

/// Starts the application at login from now on, or no longer.
#[command]
async fn start_at_login(app: AppHandle, on: bool) -> Result<(), String> {
    login::turn(&app, on)
}
