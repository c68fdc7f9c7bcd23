//! The toasts of Windows. They go off the screen after a few seconds and lie in
//! the notification center from then on, where a click opens them as well. What
//! lies there is not taken back, and a fuller one stands beside the one that it
//! would replace.

use super::{Desk, Heard, Message};
use ozbrain_core::rules::notices::NoticeId;
use tauri_winrt_notification::{Toast, ToastDismissalReason};
use tokio::sync::mpsc::UnboundedSender;

/// What the application is called by the system.
const APPLICATION: &str = "ai.ozbrain.desktop";

pub(super) struct Center {
    heard: UnboundedSender<Heard>,
    last: NoticeId,
}

impl Center {
    pub(super) fn new(heard: UnboundedSender<Heard>) -> Self {
        Self { heard, last: 0 }
    }
}

impl Desk for Center {
    async fn show(&mut self, message: &Message, _: Option<NoticeId>) -> Result<NoticeId, String> {
        self.last = self.last.wrapping_add(1);
        let id = self.last;
        let (opened, ended) = (self.heard.clone(), self.heard.clone());
        Toast::new(APPLICATION)
            .title(&message.title)
            .text1(&message.body(false))
            .add_button(message.button, "open")
            .on_activated(move |_| {
                let _ = opened.send(Heard::Opened(id));
                Ok(())
            })
            .on_dismissed(move |why| {
                let seen = [
                    ToastDismissalReason::UserCanceled,
                    ToastDismissalReason::ApplicationHidden,
                ];
                let became = if why.is_some_and(|why| seen.contains(&why)) {
                    Heard::Gone(id)
                } else {
                    Heard::Expired(id)
                };
                let _ = ended.send(became);
                Ok(())
            })
            .show()
            .map_err(|error| error.to_string())?;
        Ok(id)
    }

    async fn withdraw(&mut self, _: NoticeId) {}
}
