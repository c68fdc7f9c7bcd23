//! What the person is told outside the window.

use ozbrain_server::App;
use std::sync::Arc;
use tauri::AppHandle;

/// Opens the window at one of its places.
pub(crate) type Show = fn(&AppHandle, &str);

/// Follows what happens, and tells what cannot wait. For now nothing.
pub(crate) fn start(_: &AppHandle, _: Arc<App>, _: Show) {}
