//! The window's door: its page and `/api`, answered in this process.

use crate::shell::shell;
use crate::window::MAIN;
use tauri::http::{HeaderValue, Request, Response, StatusCode, header};
use tauri::{UriSchemeContext, UriSchemeResponder};

/// The scheme of the page.
pub(crate) const SCHEME: &str = "oz";

/// Where the page lies.
pub(crate) const ORIGIN: &str = if cfg!(windows) {
    "http://oz.localhost"
} else {
    "oz://localhost"
};

/// What the page may call besides its own origin: the commands of the shell.
const COMMANDS: &str = "ipc: http://ipc.localhost";

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
        responder.respond(in_window(answer));
    });
}

fn empty(status: StatusCode) -> Response<Vec<u8>> {
    let mut answer = Response::new(Vec::new());
    *answer.status_mut() = status;
    answer
}

/// The answer with the policy of the window: that of a browser, and the
/// shell's commands.
fn in_window(mut answer: Response<Vec<u8>>) -> Response<Vec<u8>> {
    let policy = answer
        .headers()
        .get(header::CONTENT_SECURITY_POLICY)
        .and_then(|policy| policy.to_str().ok())
        .map(|policy| {
            policy.replace(
                "connect-src 'self'",
                &format!("connect-src 'self' {COMMANDS}"),
            )
        })
        .and_then(|policy| HeaderValue::try_from(policy).ok());
    if let Some(policy) = policy {
        answer
            .headers_mut()
            .insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    answer
}
