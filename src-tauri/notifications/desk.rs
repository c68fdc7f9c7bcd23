//! Where notifications are shown, and what is heard of them.

use super::message::Message;
use ozbrain_core::rules::notices::NoticeId;
use tokio::sync::mpsc::UnboundedSender;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod other;

/// What becomes of a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Heard {
    /// The person clicked it, or its button.
    Opened(NoticeId),
    /// It stands no longer.
    Gone(NoticeId),
    /// None stands any longer: whoever showed them has ended.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "elsewhere it is a part of the system")
    )]
    AllGone,
}

/// Whoever shows notifications.
pub(crate) trait Desk: Send + 'static {
    /// Shows a message, in the place of a notification if one is named. Gives
    /// what it is called by from then on.
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
    #[cfg(not(target_os = "linux"))]
    {
        other::Center::new(heard)
    }
}
