//! What the person is told outside the window: conflicts at once, one digest a
//! day. What, when and how much is core's to say (`use_cases::notices`); here
//! it is put into words and shown.

mod desk;
mod message;

use crate::parts::{self, Part};
use crate::shell::shell;
use desk::{Desk, Heard};
use message::Message;
use ozbrain_core::Result;
use ozbrain_core::rules::notices::{NoticeId, Shown};
use ozbrain_core::use_cases::{self, Conflicts, TellingMark};
use ozbrain_core::words::Timestamp;
use ozbrain_server::{App, Person, now, zone};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tauri::AppHandle;
use tokio::sync::{mpsc, watch};

/// Opens the window at one of its places.
pub(crate) type Show = fn(&AppHandle, &str);

/// Without a change, how often it is looked: quiet hours end, and the minute of
/// the digest comes, by themselves. A longer sleep would oversleep them after
/// the computer slept, since such waits do not count its sleep.
const GLANCE: Duration = Duration::from_secs(30);

/// Changes that come together are looked at together.
const PAUSE: Duration = Duration::from_millis(100);

/// How many notifications are remembered by the place that they lead to.
const PLACES: usize = 16;

/// Follows what happens, and tells what cannot wait, until the application
/// ends.
pub(crate) fn start(app: &AppHandle, memory: Arc<App>, show: Show) {
    let handle = app.clone();
    let quit = &shell(app).quit;
    let begun = quit.begun();
    quit.first(parts::keep(Part::Notifications, quit.begun(), move || {
        let (tell, heard) = mpsc::unbounded_channel();
        let handle = handle.clone();
        let teller = Teller::new(
            Arc::clone(&memory),
            desk::of_this_system(tell),
            move |place: &str| show(&handle, place),
        );
        teller.run(Arc::clone(&memory), heard, begun.clone())
    }));
}

/// Tells the person what there is to tell.
struct Teller<D> {
    person: Person,
    desk: D,
    open: Box<dyn Fn(&str) + Send + Sync>,
    shown: Shown,
    /// The digest that stands.
    digest: Option<NoticeId>,
    /// Where each notification leads. One that is gone is remembered for a
    /// while: some desktops tell of a click only after that.
    places: VecDeque<(NoticeId, String)>,
    /// What was told and could not be noted yet.
    unkept: Vec<TellingMark>,
    /// What keeps anything from being told, so that it is logged once.
    trouble: Option<Trouble>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trouble {
    /// The memory does not answer.
    Memory,
    /// No notification can be shown.
    Desk,
}

impl<D: Desk> Teller<D> {
    fn new(memory: Arc<App>, desk: D, open: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self {
            person: Person::new(memory),
            desk,
            open: Box::new(open),
            shown: Shown::default(),
            digest: None,
            places: VecDeque::new(),
            unkept: Vec::new(),
            trouble: None,
        }
    }

    async fn run(
        mut self,
        memory: Arc<App>,
        mut heard: mpsc::UnboundedReceiver<Heard>,
        mut quit: watch::Receiver<bool>,
    ) {
        let mut changes = memory.changes();
        loop {
            changes.mark_unchanged();
            let wait = self.look().await;
            let heard = tokio::select! {
                () = asked(&mut quit) => break,
                heard = heard.recv() => heard,
                changed = changes.changed() => {
                    if changed.is_err() {
                        break;
                    }
                    tokio::time::sleep(PAUSE).await;
                    None
                }
                () = tokio::time::sleep(wait) => None,
            };
            if let Some(heard) = heard {
                self.hear(heard).await;
            }
        }
        // Whoever clicked them later would click in vain.
        let all: Vec<_> = self.places.iter().map(|(id, _)| *id).collect();
        for id in all {
            self.withdraw(id).await;
        }
    }

    /// Looks what there is to tell and tells it. Gives how long to wait until
    /// the next look, unless something happens.
    async fn look(&mut self) -> Duration {
        match self.tell().await {
            Ok(again) => {
                if self.trouble == Some(Trouble::Memory) {
                    self.trouble = None;
                }
                again.map_or(GLANCE, |again| {
                    let millis = again.millis().saturating_sub(now().millis());
                    Duration::from_millis(u64::try_from(millis).unwrap_or(0)).min(GLANCE)
                })
            }
            Err(refusal) => {
                if self.trouble.replace(Trouble::Memory) != Some(Trouble::Memory) {
                    tracing::warn!(code = %refusal.code, "nothing can be told: {refusal}");
                }
                GLANCE
            }
        }
    }

    async fn tell(&mut self) -> Result<Option<Timestamp>> {
        // First of all what was told is noted, or it would be told again.
        while let Some(mark) = self.unkept.last().cloned() {
            self.person
                .write(move |call| use_cases::told(call, mark))
                .await?;
            self.unkept.pop();
        }
        let (shown, zone) = (self.shown.clone(), zone());
        let looked = self.person.read(move |call| {
            let notices = use_cases::notices(call, &shown, &zone)?;
            Ok((notices, call.now))
        });
        let (notices, at) = looked.await?;
        for id in notices.withdraw {
            self.withdraw(id).await;
        }
        if let Some(conflicts) = notices.conflicts {
            self.tell_conflicts(conflicts, at).await;
        }
        if let Some((digest, mark)) = notices.digest
            && let Some(id) = self.show(&Message::digest(&digest), self.digest).await
        {
            self.digest = Some(id);
            self.keep(mark).await;
        }
        if let Some(mark) = notices.done {
            self.keep(mark).await;
        }
        Ok(notices.again)
    }

    async fn tell_conflicts(&mut self, conflicts: Conflicts, at: Timestamp) {
        let mut replaced = conflicts.told.replaces.iter().copied();
        let message = Message::conflicts(&conflicts);
        let Some(id) = self.show(&message, replaced.next()).await else {
            return;
        };
        for old in replaced {
            self.withdraw(old).await;
        }
        self.shown.shows(id, &conflicts.told, at);
        self.keep(conflicts.mark).await;
    }

    /// Notes what was told; where that fails, before the next look.
    async fn keep(&mut self, mark: TellingMark) {
        let kept = mark.clone();
        let told = self
            .person
            .write(move |call| use_cases::told(call, kept))
            .await;
        if told.is_err() {
            self.unkept.push(mark);
        }
    }

    /// Shows a message, in the place of another if one is named. What cannot
    /// be shown is not told, and tried again at the next look.
    async fn show(&mut self, message: &Message, replaces: Option<NoticeId>) -> Option<NoticeId> {
        match self.desk.show(message, replaces).await {
            Ok(id) => {
                if self.trouble.take() == Some(Trouble::Desk) {
                    tracing::info!("notifications can be shown again");
                }
                let place = &message.place;
                tracing::info!(id, place, "a notification is shown");
                self.places.retain(|(other, _)| *other != id);
                self.places.push_back((id, place.clone()));
                if self.places.len() > PLACES {
                    self.places.pop_front();
                }
                Some(id)
            }
            Err(why) => {
                if self.trouble.replace(Trouble::Desk) != Some(Trouble::Desk) {
                    tracing::warn!("notifications cannot be shown: {why}");
                }
                None
            }
        }
    }

    async fn withdraw(&mut self, id: NoticeId) {
        tracing::info!(id, "a notification is withdrawn");
        self.desk.withdraw(id).await;
        self.gone(id);
    }

    fn gone(&mut self, id: NoticeId) {
        self.shown.gone(id);
        if self.digest == Some(id) {
            self.digest = None;
        }
    }

    async fn hear(&mut self, heard: Heard) {
        match heard {
            Heard::Opened(id) => {
                let at = self.places.iter().position(|(other, _)| *other == id);
                let Some((_, place)) = at.and_then(|at| self.places.remove(at)) else {
                    return;
                };
                tracing::info!(id, place, "a notification was opened");
                (self.open)(&place);
                self.desk.withdraw(id).await;
                self.gone(id);
            }
            Heard::Gone(id) => self.gone(id),
            Heard::AllGone => {
                let all: Vec<_> = self.places.drain(..).collect();
                for (id, _) in all {
                    self.gone(id);
                }
            }
        }
    }
}

/// Waits until the application is to end.
async fn asked(quit: &mut watch::Receiver<bool>) {
    // Its sender lives as long as the application.
    let _ = quit.wait_for(|quit| *quit).await;
}

#[cfg(test)]
mod tests;
