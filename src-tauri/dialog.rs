//! What is told in a dialog of the system, because there may be no window.

use crate::log;
use crate::words;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use tauri::AppHandle;

/// The running application, for a panic that happens anywhere.
static APP: OnceLock<AppHandle> = OnceLock::new();
/// Whether the person was told that a part failed.
static TOLD: AtomicBool = AtomicBool::new(false);

/// What a dialog says, and asks.
struct Message {
    title: &'static str,
    text: String,
    /// Whether it tells of something that failed.
    failed: bool,
    /// What it asks: two buttons. The first is what Enter and Escape choose;
    /// without buttons it is only told.
    asks: Option<[&'static str; 2]>,
}

impl Message {
    fn failure(title: &'static str, text: String) -> Self {
        Self {
            title,
            text,
            failed: true,
            asks: None,
        }
    }
}

/// Lets panics be told from now on.
pub(crate) fn ready(app: &AppHandle) {
    let _ = APP.set(app.clone());
}

/// Tells the person, once, that a part failed. Called by whichever thread
/// panicked: it waits for nothing.
pub(crate) fn stumbled() {
    // What nobody can be told yet does not use up the one telling.
    let Some(app) = APP.get() else { return };
    if TOLD.swap(true, Ordering::Relaxed) {
        return;
    }
    let text = words::stumbled(log::file());
    show(app, Message::failure(words::STUMBLED, text), |_| ());
}

/// Tells why there is no application, and waits until it was read.
pub(crate) fn cannot_start(why: &str) {
    native::wait(&Message::failure(words::CANNOT_START, why.to_owned()));
}

/// Tells why there is no window, unless that stands there already.
pub(crate) fn no_window(app: &AppHandle, why: &str) {
    static STANDS: AtomicBool = AtomicBool::new(false);
    if STANDS.swap(true, Ordering::Relaxed) {
        return;
    }
    let text = words::no_window(why, log::file());
    show(app, Message::failure(words::NO_WINDOW, text), |_| {
        STANDS.store(false, Ordering::Relaxed);
    });
}

/// Asks whether closing the window shall quit; `answered` hears whether.
pub(crate) fn closing(app: &AppHandle, answered: impl FnOnce(bool) + Send + 'static) {
    let question = Message {
        title: words::CLOSING,
        text: words::CLOSING_MEANS.to_owned(),
        failed: false,
        asks: Some([words::CLOSING_STAY, words::QUIT]),
    };
    show(app, question, answered);
}

/// Asks whether to quit though text that is not written yet is lost by that;
/// `answered` hears whether.
pub(crate) fn losing(app: &AppHandle, answered: impl FnOnce(bool) + Send + 'static) {
    let question = Message {
        title: words::LOSING,
        text: words::LOSING_MEANS.to_owned(),
        failed: false,
        asks: Some([words::LOSING_STAY, words::QUIT]),
    };
    show(app, question, answered);
}

/// Shows a dialog; `answered` hears whether its second button was chosen.
fn show(app: &AppHandle, message: Message, answered: impl FnOnce(bool) + Send + 'static) {
    let handle = app.clone();
    // A dialog belongs to the thread of the windows.
    let shown = app.run_on_main_thread(move || native::show(&handle, message, answered));
    if let Err(error) = shown {
        tracing::warn!("a dialog cannot be shown: {error}");
    }
}

#[cfg(target_os = "linux")]
mod native {
    use super::Message;
    use crate::window::MAIN;
    use gtk::prelude::{DialogExt, GtkWindowExt, MessageDialogExt, WidgetExt};
    use gtk::{ButtonsType, DialogFlags, MessageDialog, MessageType, ResponseType, Window};
    use std::cell::Cell;
    use tauri::{AppHandle, Manager};

    fn made(parent: Option<&Window>, message: &Message) -> MessageDialog {
        let kind = match (message.failed, message.asks) {
            (true, _) => MessageType::Error,
            (false, Some(_)) => MessageType::Question,
            (false, None) => MessageType::Info,
        };
        let flags = DialogFlags::MODAL | DialogFlags::DESTROY_WITH_PARENT;
        let buttons = match message.asks {
            Some(_) => ButtonsType::None,
            None => ButtonsType::Close,
        };
        let dialog = MessageDialog::new(parent, flags, kind, buttons, message.title);
        dialog.set_title(message.title);
        dialog.set_secondary_text(Some(&message.text));
        if let Some([stays, acts]) = message.asks {
            dialog.add_button(acts, ResponseType::Accept);
            dialog.add_button(stays, ResponseType::Cancel);
            dialog.set_default_response(ResponseType::Cancel);
        }
        dialog
    }

    pub(super) fn show(app: &AppHandle, message: Message, answered: impl FnOnce(bool) + 'static) {
        // What is asked is about the window; what failed may be the window.
        let window = message.asks.and_then(|_| app.get_webview_window(MAIN));
        let parent = window.and_then(|window| window.gtk_window().ok());
        let parent = parent.filter(WidgetExt::is_visible);
        if let Some(parent) = &parent {
            // One that is minimized would hide the question too.
            parent.present();
        }
        let dialog = made(parent.as_ref().map(AsRef::as_ref), &message);
        let answered = Cell::new(Some(answered));
        dialog.connect_response(move |dialog, response| {
            if let Some(answered) = answered.take() {
                answered(response == ResponseType::Accept);
            }
            // The window manager's own button closes it by itself.
            if response != ResponseType::DeleteEvent {
                dialog.close();
            }
        });
        dialog.show_all();
        dialog.present();
    }

    pub(super) fn wait(message: &Message) {
        if gtk::init().is_ok() {
            made(None, message).run();
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod native {
    use super::Message;
    use crate::window::MAIN;
    use rfd::{MessageButtons, MessageDialogResult, MessageLevel};
    use tauri::{AppHandle, Manager};

    fn level(message: &Message) -> MessageLevel {
        if message.failed {
            MessageLevel::Error
        } else {
            MessageLevel::Info
        }
    }

    pub(super) fn show(
        app: &AppHandle,
        message: Message,
        answered: impl FnOnce(bool) + Send + 'static,
    ) {
        let mut dialog = rfd::AsyncMessageDialog::new()
            .set_level(level(&message))
            .set_title(message.title)
            .set_description(&message.text);
        let acts = message.asks.map(|[_, acts]| acts);
        if let Some([stays, acts]) = message.asks {
            // The first is the one that Enter chooses.
            dialog = dialog.set_buttons(MessageButtons::OkCancelCustom(stays.into(), acts.into()));
        }
        if let Some(window) = app.get_webview_window(MAIN) {
            dialog = dialog.set_parent(&window);
        }
        let answer = dialog.show();
        tauri::async_runtime::spawn(async move {
            let answer = answer.await;
            answered(matches!(
                (answer, acts),
                (MessageDialogResult::Custom(said), Some(acts)) if said == acts
            ));
        });
    }

    pub(super) fn wait(message: &Message) {
        rfd::MessageDialog::new()
            .set_level(level(message))
            .set_title(message.title)
            .set_description(&message.text)
            .show();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_could_be_told_does_not_use_up_the_one_telling() {
        assert!(APP.get().is_none());
        stumbled();
        assert!(!TOLD.load(Ordering::Relaxed));
    }
}
