//! What is told in a dialog of the system, because there may be no window.

use crate::log;
use crate::words;
use rfd::{AsyncMessageDialog, MessageButtons, MessageDialogResult, MessageLevel};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use tauri::AppHandle;

/// The running application, for a panic that happens anywhere.
static APP: OnceLock<AppHandle> = OnceLock::new();
/// Whether the person was told that a part failed.
static TOLD: AtomicBool = AtomicBool::new(false);

/// Lets panics be told from now on.
pub(crate) fn ready(app: &AppHandle) {
    let _ = APP.set(app.clone());
}

/// Tells the person, once, that a part failed. Called by whichever thread
/// panicked: it waits for nothing.
pub(crate) fn stumbled() {
    if TOLD.swap(true, Ordering::Relaxed) {
        return;
    }
    let Some(app) = APP.get() else { return };
    let text = words::stumbled(log::file());
    let dialog = message(MessageLevel::Error, words::STUMBLED, &text);
    ask(app, dialog, |_| ());
}

/// Tells why there is no application, and waits until it was read.
pub(crate) fn cannot_start(why: &str) {
    rfd::MessageDialog::new()
        .set_level(MessageLevel::Error)
        .set_title(words::CANNOT_START)
        .set_description(why)
        .show();
}

/// Asks whether closing the window shall quit; `answered` hears whether.
pub(crate) fn closing(app: &AppHandle, answered: impl FnOnce(bool) + Send + 'static) {
    let dialog = message(MessageLevel::Info, words::CLOSING, words::CLOSING_MEANS).set_buttons(
        MessageButtons::OkCancelCustom(words::CLOSING_QUIT.into(), words::CLOSING_STAY.into()),
    );
    ask(app, dialog, |answer| {
        let quits = match answer {
            MessageDialogResult::Ok | MessageDialogResult::Yes => true,
            MessageDialogResult::Custom(said) => said == words::CLOSING_QUIT,
            _ => false,
        };
        answered(quits);
    });
}

/// Asks whether quitting may take along what was typed and not written yet;
/// `answered` hears whether. It is asked once at a time.
pub(crate) fn quitting(app: &AppHandle, answered: impl FnOnce(bool) + Send + 'static) {
    static ASKED: AtomicBool = AtomicBool::new(false);
    if ASKED.swap(true, Ordering::Relaxed) {
        return;
    }
    let dialog = message(
        MessageLevel::Warning,
        words::UNWRITTEN,
        words::UNWRITTEN_MEANS,
    )
    .set_buttons(MessageButtons::OkCancelCustom(
        words::UNWRITTEN_QUIT.into(),
        words::UNWRITTEN_STAY.into(),
    ));
    ask(app, dialog, |answer| {
        ASKED.store(false, Ordering::Relaxed);
        let quits = match answer {
            MessageDialogResult::Ok | MessageDialogResult::Yes => true,
            MessageDialogResult::Custom(said) => said == words::UNWRITTEN_QUIT,
            _ => false,
        };
        answered(quits);
    });
}

fn message(level: MessageLevel, title: &str, text: &str) -> AsyncMessageDialog {
    AsyncMessageDialog::new()
        .set_level(level)
        .set_title(title)
        .set_description(text)
}

fn ask(
    app: &AppHandle,
    dialog: AsyncMessageDialog,
    answered: impl FnOnce(MessageDialogResult) + Send + 'static,
) {
    // A dialog belongs to the thread of the windows.
    let shown = app.run_on_main_thread(move || {
        let answer = dialog.show();
        tauri::async_runtime::spawn(async move { answered(answer.await) });
    });
    if let Err(error) = shown {
        tracing::warn!("a dialog cannot be shown: {error}");
    }
}
