//! The notification center of macOS, by way of notify-rust. It shows a
//! notification, and tells what became of it, only to a thread that waits for
//! that; and it takes nothing back: what was settled elsewhere stands until the
//! person removes it, and a fuller notification stands beside the one that it
//! would replace.

use super::{Desk, Heard, Message};
use crate::words;
use notify_rust::{CloseReason, Notification, NotificationResponse};
use ozbrain_core::rules::notices::NoticeId;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::mpsc::UnboundedSender;

/// What the application is called by the system.
const APPLICATION: &str = "ai.ozbrain.desktop";

/// The most threads that wait for a click, and how much each needs, in bytes.
/// One that nobody clicks holds its thread until the end. What is shown beyond
/// them brings the application forward, and opens nothing.
const WAITING: usize = 128;
const STACK: usize = 128 * 1024;

pub(super) struct Center {
    heard: UnboundedSender<Heard>,
    last: NoticeId,
    waiting: Arc<AtomicUsize>,
}

impl Center {
    pub(super) fn new(heard: UnboundedSender<Heard>) -> Self {
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
        let handle = notification.show().map_err(|error| error.to_string())?;
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= WAITING {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            // Dropped, it is sent all the same.
            return Ok(id);
        }
        let (heard, waiting) = (self.heard.clone(), Arc::clone(&self.waiting));
        let wait = move || {
            let told = heard.clone();
            let sent = handle.wait_for_response(move |response: &NotificationResponse| {
                let became = match response {
                    NotificationResponse::Closed(CloseReason::Expired) => Heard::Expired(id),
                    NotificationResponse::Closed(_) => Heard::Gone(id),
                    _ => Heard::Opened(id),
                };
                let _ = told.send(became);
            });
            if let Err(error) = sent {
                tracing::warn!("a notification was not shown: {error}");
                let _ = heard.send(Heard::Failed(id));
            }
            waiting.fetch_sub(1, Ordering::Relaxed);
        };
        let thread = std::thread::Builder::new()
            .name("notification".into())
            .stack_size(STACK);
        if let Err(error) = thread.spawn(wait) {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            return Err(error.to_string());
        }
        Ok(id)
    }

    async fn withdraw(&mut self, _: NoticeId) {}
}
