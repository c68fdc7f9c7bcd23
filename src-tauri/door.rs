//! The window's door: its page and `/api`, answered in this process.

use crate::shell::shell;
use crate::window::MAIN;
use ozbrain_server::Page;
use tauri::http::{Request, Response, StatusCode};
use tauri::{UriSchemeContext, UriSchemeResponder};

/// The scheme of the page.
pub(crate) const SCHEME: &str = "oz";

/// Where the page lies. WebView2 knows no schemes of others, so on Windows the
/// page lies at an address of the web's; its requests come here under the
/// scheme all the same.
pub(crate) const PAGE: Page = if cfg!(windows) {
    Page {
        address: "oz://localhost",
        origin: "http://oz.localhost",
        calls: "http://ipc.localhost",
    }
} else {
    Page {
        address: "oz://localhost",
        origin: "oz://localhost",
        calls: "ipc:",
    }
};

/// Answers a request of the main window's page; of no other window.
pub(crate) fn answer(
    context: UriSchemeContext<'_, tauri::Wry>,
    request: Request<Vec<u8>>,
    responder: UriSchemeResponder,
) {
    let door = (context.webview_label() == MAIN)
        .then(|| shell(context.app_handle()).window.door())
        .flatten();
    let Some(door) = door else {
        tracing::warn!("a request that is not the window's was refused");
        return responder.respond(empty(StatusCode::FORBIDDEN));
    };
    tauri::async_runtime::spawn(async move {
        let answer = tauri::async_runtime::spawn(async move { door.answer(request).await });
        // A panic is logged already; the page is told that it failed.
        let answer = answer
            .await
            .unwrap_or_else(|_| empty(StatusCode::INTERNAL_SERVER_ERROR));
        responder.respond(answer);
    });
}

fn empty(status: StatusCode) -> Response<Vec<u8>> {
    let mut answer = Response::new(Vec::new());
    *answer.status_mut() = status;
    answer
}
