//! The notification centers of macOS and Windows, by way of notify-rust. They
//! tell of a click only to a thread that waits for it, and take nothing back:
//! what was settled elsewhere stands until the person or the system removes it,
//! and a fuller notification stands beside the one that it would replace.

use super::{Desk, Heard, Message};
use crate::words;
use notify_rust::{Notification, NotificationResponse};
use ozbrain_core::rules::notices::NoticeId;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::mpsc::UnboundedSender;

/// What the application is called by the system.
const APPLICATION: &str = "ai.ozbrain.desktop";

/// The most threads that wait for a click. What is shown beyond them opens
/// nothing.
const WAITING: usize = 8;

pub(super) struct Center {
    heard: UnboundedSender<Heard>,
    last: NoticeId,
    waiting: Arc<AtomicUsize>,
}

impl Center {
    pub(super) fn new(heard: UnboundedSender<Heard>) -> Self {
        #[cfg(target_os = "macos")]
        if let Err(error) = notify_rust::set_application(APPLICATION) {
            tracing::info!("notifications come under another name: {error}");
        }
        Self {
            heard,
            last: 0,
            waiting: Arc::default(),
        }
    }
}

impl Desk for Center {
    async fn show(&mut self, message: &Message, _: Option<NoticeId>) -> Result<NoticeId, String> {
        self.last = self.last.wrapping_add(1);
        let id = self.last;
        let mut notification = Notification::new();
        notification
            .appname(words::NAME)
            .summary(&message.title)
            .body(&message.body(false))
            .action("open", message.button);
        #[cfg(windows)]
        notification.app_id(APPLICATION);
        let handle = notification.show().map_err(|error| error.to_string())?;
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= WAITING {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            return Ok(id);
        }
        let (heard, waiting) = (self.heard.clone(), Arc::clone(&self.waiting));
        let wait = move || {
            let told = heard.clone();
            let waited = handle.wait_for_response(move |response: &NotificationResponse| {
                let became = match response {
                    NotificationResponse::Closed(_) => Heard::Gone(id),
                    _ => Heard::Opened(id),
                };
                let _ = told.send(became);
            });
            if waited.is_err() {
                let _ = heard.send(Heard::Gone(id));
            }
            waiting.fetch_sub(1, Ordering::Relaxed);
        };
        let thread = std::thread::Builder::new().name("notification".into());
        thread.spawn(wait).map_err(|error| error.to_string())?;
        Ok(id)
    }

    async fn withdraw(&mut self, _: NoticeId) {}
}
