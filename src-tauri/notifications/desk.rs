//! Where notifications are shown, and what is heard of them.

use super::message::Message;
use ozbrain_core::rules::notices::NoticeId;
use tokio::sync::mpsc::UnboundedSender;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "macos")]
mod macos;
#[cfg(windows)]
mod windows;

/// What becomes of a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Heard {
    /// The person clicked it, or its button.
    Opened(NoticeId),
    /// The person saw to it, or it was taken back: it stands no longer.
    Gone(NoticeId),
    /// It went off the screen by itself.
    Expired(NoticeId),
    /// It could not be shown after all.
    #[cfg_attr(
        not(target_os = "macos"),
        allow(dead_code, reason = "told at once elsewhere")
    )]
    Failed(NoticeId),
    /// None stands any longer: whoever showed them has ended.
    #[cfg_attr(
        not(target_os = "linux"),
        allow(dead_code, reason = "elsewhere the system itself does")
    )]
    AllGone,
    /// Somebody shows notifications from now on: what could not be shown can be.
    #[cfg_attr(
        not(target_os = "linux"),
        allow(dead_code, reason = "elsewhere the system itself does")
    )]
    CanShow,
}

/// Whoever shows notifications.
pub(crate) trait Desk: Send + 'static {
    /// Shows a message, in the place of a notification if one is named. Gives
    /// what it is called by from then on. After a failure nothing counts as
    /// shown any longer.
    fn show(
        &mut self,
        message: &Message,
        replaces: Option<NoticeId>,
    ) -> impl Future<Output = Result<NoticeId, String>> + Send;

    /// Takes a notification back, if it stands.
    fn withdraw(&mut self, id: NoticeId) -> impl Future<Output = ()> + Send;
}

/// What this system shows notifications with. `heard` is told what becomes of
/// them.
pub(crate) fn of_this_system(heard: UnboundedSender<Heard>) -> impl Desk {
    #[cfg(target_os = "linux")]
    {
        linux::Bus::new(heard)
    }
    #[cfg(target_os = "macos")]
    {
        macos::Center::new(heard)
    }
    #[cfg(windows)]
    {
        windows::Center::new(heard)
    }
}
