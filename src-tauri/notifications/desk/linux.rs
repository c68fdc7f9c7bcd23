//! The desktop's notification server, over the session bus
//! (<https://specifications.freedesktop.org/notification-spec/latest/>).
//!
//! One connection, and one stream of all that the server says, in its order: a
//! click and the end of what was clicked come together, and so do the ends of
//! several.

use super::{Desk, Heard, Message};
use crate::words;
use futures_util::StreamExt;
use ozbrain_core::rules::notices::NoticeId;
use std::collections::HashMap;
use std::num::NonZeroUsize;
use tauri::async_runtime::JoinHandle;
use tauri::include_image;
use tokio::sync::mpsc::UnboundedSender;
use zbus::fdo::DBusProxy;
use zbus::message::Type;
use zbus::{Connection, MatchRule, MessageStream, Variant, proxy};

/// The server's name, and that of what it speaks.
const SERVER: &str = "org.freedesktop.Notifications";

/// What a click on the notification itself is called, and our button.
const CLICK: &str = "default";
const BUTTON: &str = "open";

/// How much the server may say before it is read.
const QUEUE: usize = 64;

/// The name of the menu entry: what the desktop groups by and shows the name
/// and settings of.
const ENTRY: &str = "ozbrain";

/// Why one stands no longer: the person saw to it, or we took it back. Whatever
/// else it is, nobody did.
const DISMISSED: u32 = 2;
const TAKEN_BACK: u32 = 3;

/// The urgency of what waits for a person, and does not break into what they
/// do: normal.
const URGENCY: u8 = 1;

#[proxy(
    interface = "org.freedesktop.Notifications",
    default_service = "org.freedesktop.Notifications",
    default_path = "/org/freedesktop/Notifications"
)]
trait Server {
    #[expect(clippy::too_many_arguments, reason = "the specification's")]
    async fn notify(
        &self,
        app_name: &str,
        replaces_id: u32,
        app_icon: &str,
        summary: &str,
        body: &str,
        actions: &[&str],
        hints: HashMap<&str, Variant<'_>>,
        expire_timeout: i32,
    ) -> zbus::Result<u32>;
    async fn close_notification(&self, id: u32) -> zbus::Result<()>;
    async fn get_capabilities(&self) -> zbus::Result<Vec<String>>;
}

/// The session bus, connected when it is first needed.
pub(super) struct Bus {
    heard: UnboundedSender<Heard>,
    line: Option<Line>,
}

/// A connection, and who listens on it.
struct Line {
    server: ServerProxy<'static>,
    listener: JoinHandle<()>,
}

impl Drop for Line {
    fn drop(&mut self) {
        self.listener.abort();
    }
}

impl Bus {
    pub(super) fn new(heard: UnboundedSender<Heard>) -> Self {
        Self { heard, line: None }
    }

    async fn server(&mut self) -> zbus::Result<ServerProxy<'static>> {
        if let Some(line) = &self.line
            && !line.listener.inner().is_finished()
        {
            return Ok(line.server.clone());
        }
        let connection = Connection::session().await?;
        let server = ServerProxy::new(&connection).await?;
        // It listens before anything is shown that could be clicked.
        let said = MatchRule::builder()
            .msg_type(Type::Signal)
            .interface(SERVER)
            .build()?;
        let said =
            MessageStream::for_match_rule(said, &connection, NonZeroUsize::new(QUEUE)).await?;
        let names = DBusProxy::new(&connection).await?;
        let owners = names
            .receive_name_owner_changed_with_args(&[(0, SERVER)])
            .await?;
        let heard = self.heard.clone();
        let listener = tauri::async_runtime::spawn(async move {
            listen(said, owners, &heard).await;
            let _ = heard.send(Heard::AllGone);
        });
        self.line = Some(Line {
            server: server.clone(),
            listener,
        });
        Ok(server)
    }

    async fn try_show(
        &mut self,
        message: &Message,
        replaces: Option<NoticeId>,
    ) -> zbus::Result<NoticeId> {
        let server = self.server().await?;
        let can = server.get_capabilities().await?;
        let can = |what: &str| can.iter().any(|it| it == what);
        let actions = [CLICK, words::OPEN, BUTTON, message.button];
        let icon = include_image!("icons/64x64.png");
        let side = |length: u32| i32::try_from(length).unwrap_or_default();
        let (width, height) = (side(icon.width()), side(icon.height()));
        let picture = (width, height, width * 4, true, 8, 4, icon.rgba().to_vec());
        let hints = HashMap::from([
            ("urgency", Variant::from(URGENCY)),
            ("desktop-entry", Variant::from(ENTRY)),
            ("image-data", Variant::from(zbus::Structure::from(picture))),
        ]);
        server
            .notify(
                words::NAME,
                replaces.unwrap_or(0),
                // The picture is there without being installed.
                "",
                &message.title,
                &message.body(can("body-markup")),
                // A server without buttons may ask in a dialog instead.
                if can("actions") { &actions } else { &[] },
                hints,
                -1,
            )
            .await
    }
}

impl Desk for Bus {
    async fn show(
        &mut self,
        message: &Message,
        replaces: Option<NoticeId>,
    ) -> Result<NoticeId, String> {
        let shown = self.try_show(message, replaces).await;
        shown.map_err(|error| {
            // Where nobody shows any, the bus still tells when somebody does. Else
            // the next try begins anew.
            if !matches!(error, zbus::Error::MethodError(..) | zbus::Error::FDO(_)) {
                self.line = None;
            }
            error.to_string()
        })
    }

    async fn withdraw(&mut self, id: NoticeId) {
        if let Some(line) = &self.line {
            // It may be gone already.
            let _ = line.server.close_notification(id).await;
        }
    }
}

/// Passes on what the server says, until the connection ends.
async fn listen(
    mut said: MessageStream,
    mut owners: zbus::fdo::NameOwnerChangedStream,
    heard: &UnboundedSender<Heard>,
) {
    loop {
        tokio::select! {
            biased;
            message = said.next() => {
                let Some(Ok(message)) = message else { return };
                if let Some(it) = understood(&message) {
                    let _ = heard.send(it);
                }
            }
            owner = owners.next() => {
                let Some(owner) = owner else { return };
                let Ok(owner) = owner.args() else { continue };
                if owner.old_owner().is_some() {
                    let _ = heard.send(Heard::AllGone);
                }
                if owner.new_owner().is_some() {
                    let _ = heard.send(Heard::CanShow);
                }
            }
        }
    }
}

/// What a signal of the server means. It tells everyone of everyone's
/// notifications; the numbers are its own, so those of others are unknown.
fn understood(message: &zbus::Message) -> Option<Heard> {
    let header = message.header();
    match header.member()?.as_str() {
        "ActionInvoked" => {
            let body = message.body();
            let (id, action): (u32, &str) = body.deserialize().ok()?;
            [CLICK, BUTTON]
                .contains(&action)
                .then_some(Heard::Opened(id))
        }
        "NotificationClosed" => {
            let (id, why): (u32, u32) = message.body().deserialize().ok()?;
            Some(match why {
                DISMISSED | TAKEN_BACK => Heard::Gone(id),
                _ => Heard::Expired(id),
            })
        }
        _ => None,
    }
}
