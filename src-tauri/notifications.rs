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
use ozbrain_core::use_cases::{self, Call, Conflicts, TellingMark};
use ozbrain_core::views::settings::Digest;
use ozbrain_core::words::{Timestamp, UnitId};
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

/// How long whoever shows notifications may take for one. One that hangs must
/// hold up neither what comes after it nor the end of the application.
const PATIENCE: Duration = Duration::from_secs(5);

/// Why nothing is shown where nobody says why.
const SILENT: &str = "whoever shows them does not answer";

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
            now,
            move |place: &str| show(&handle, place),
        );
        teller.run(Arc::clone(&memory), heard, begun.clone())
    }));
}

/// Tells the person what there is to tell.
struct Teller<D> {
    person: Person,
    desk: D,
    clock: Box<dyn Fn() -> Timestamp + Send + Sync>,
    open: Box<dyn Fn(&str) + Send + Sync>,
    shown: Shown,
    /// The digest that was shown last, if the next one is to take its place, and
    /// what it said, if nobody saw to it yet.
    digest: Option<(NoticeId, Option<Digest>)>,
    /// Where each notification leads. One that is gone is remembered for a
    /// while: some desktops tell of a click only after that.
    places: VecDeque<(NoticeId, String)>,
    /// What was told or seen and could not be noted yet, in its order.
    unkept: VecDeque<TellingMark>,
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
    fn new(
        memory: Arc<App>,
        desk: D,
        clock: impl Fn() -> Timestamp + Send + Sync + 'static,
        open: impl Fn(&str) + Send + Sync + 'static,
    ) -> Self {
        Self {
            person: Person::new(memory),
            desk,
            clock: Box::new(clock),
            open: Box::new(open),
            shown: Shown::default(),
            digest: None,
            places: VecDeque::new(),
            unkept: VecDeque::new(),
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
        self.end().await;
    }

    /// Takes back what stands: whoever clicked it later would click in vain. What
    /// nobody saw to is told again by the next run.
    async fn end(&mut self) {
        if let Some((_, Some(digest))) = &self.digest {
            let mark = TellingMark::unseen(digest);
            self.keep(mark).await;
        }
        if self.trouble == Some(Trouble::Desk) {
            return;
        }
        for (id, _) in std::mem::take(&mut self.places) {
            if !self.take_back(id).await {
                return;
            }
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
                    let millis = again.millis().saturating_sub((self.clock)().millis());
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
        self.note().await?;
        let (shown, zone, at) = (self.shown.clone(), zone(), (self.clock)());
        let looked = self
            .person
            .read(move |call| use_cases::notices(Call { now: at, ..call }, &shown, &zone));
        let notices = looked.await?;
        for id in notices.withdraw {
            if !self.take_back(id).await {
                return Ok(None);
            }
            self.seen(id).await;
        }
        if let Some(conflicts) = notices.conflicts {
            self.tell_conflicts(conflicts, at).await;
        }
        if let Some((digest, mark)) = notices.digest {
            self.tell_digest(digest, mark).await;
        }
        if let Some(mark) = notices.done {
            self.keep(mark).await;
        }
        Ok(notices.again)
    }

    async fn tell_conflicts(&mut self, conflicts: Conflicts, at: Timestamp) {
        let message = Message::conflicts(&conflicts);
        if let Some(id) = self.show_over(&message, &conflicts.told.replaces).await {
            self.shown.shows(id, &conflicts.told, at);
            self.keep(conflicts.mark).await;
        }
    }

    async fn tell_digest(&mut self, digest: Digest, mark: TellingMark) {
        let old: Vec<_> = self.digest.iter().map(|(id, _)| *id).collect();
        if let Some(id) = self.show_over(&Message::digest(&digest), &old).await {
            self.digest = Some((id, Some(digest)));
            self.keep(mark).await;
        }
    }

    /// Notes what was told or seen; where that fails, before the next look.
    async fn keep(&mut self, mark: TellingMark) {
        self.unkept.push_back(mark);
        if let Err(refusal) = self.note().await {
            tracing::debug!(code = %refusal.code, "it is noted later: {refusal}");
        }
    }

    /// Notes what waits for it, in its order.
    async fn note(&mut self) -> Result<()> {
        while let Some(mark) = self.unkept.front().cloned() {
            self.person
                .write(move |call| use_cases::told(call, mark))
                .await?;
            self.unkept.pop_front();
        }
        Ok(())
    }

    /// Shows a message in the place of others.
    async fn show_over(&mut self, message: &Message, others: &[NoticeId]) -> Option<NoticeId> {
        let id = self.show(message, others.first().copied()).await?;
        // Some desktops show it beside what they keep of the old one.
        for old in others.iter().filter(|old| **old != id) {
            if !self.take_back(*old).await {
                break;
            }
        }
        Some(id)
    }

    /// Shows a message, in the place of another if one is named. What cannot
    /// be shown is not told, and tried again at the next look.
    async fn show(&mut self, message: &Message, replaces: Option<NoticeId>) -> Option<NoticeId> {
        let shown = self.desk.show(message, replaces);
        match tokio::time::timeout(PATIENCE, shown).await {
            Ok(Ok(id)) => {
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
            Ok(Err(why)) => {
                self.troubled(&why);
                self.lose_all().await;
                None
            }
            // What it shows may stand all the same.
            Err(_) => {
                self.troubled(SILENT);
                None
            }
        }
    }

    /// Notes why nothing can be shown, once.
    fn troubled(&mut self, why: &str) {
        if self.trouble.replace(Trouble::Desk) != Some(Trouble::Desk) {
            tracing::warn!("notifications cannot be shown: {why}");
        }
    }

    /// Takes a notification back. Whether whoever shows it answered.
    async fn take_back(&mut self, id: NoticeId) -> bool {
        tracing::info!(id, "a notification is withdrawn");
        let withdrawn = tokio::time::timeout(PATIENCE, self.desk.withdraw(id)).await;
        if withdrawn.is_err() {
            self.troubled(SILENT);
        }
        withdrawn.is_ok()
    }

    /// A notification stands no longer, and is not told again.
    async fn seen(&mut self, id: NoticeId) {
        self.digest.take_if(|(digest, _)| *digest == id);
        let units = self.shown.gone(id);
        self.keep_seen(units).await;
    }

    /// It went off the screen by itself.
    async fn expired(&mut self, id: NoticeId) {
        if let Some((digest, unseen)) = &mut self.digest
            && *digest == id
        {
            *unseen = None;
        }
        let units = self.shown.expired(id);
        self.keep_seen(units).await;
    }

    async fn keep_seen(&mut self, units: Vec<UnitId>) {
        if !units.is_empty() {
            self.keep(TellingMark::seen(units)).await;
        }
    }

    /// It stands no longer, and nobody saw to it: it is told again.
    async fn lost(&mut self, id: NoticeId) {
        self.shown.gone(id);
        let digest = self.digest.take_if(|(digest, _)| *digest == id);
        if let Some((_, Some(digest))) = digest {
            self.keep(TellingMark::unseen(&digest)).await;
        }
    }

    async fn lose_all(&mut self) {
        self.places.clear();
        self.shown.all_gone();
        if let Some((digest, _)) = self.digest {
            self.lost(digest).await;
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
                self.take_back(id).await;
                self.seen(id).await;
            }
            Heard::Gone(id) => self.seen(id).await,
            Heard::Expired(id) => self.expired(id).await,
            Heard::Failed(id) => {
                self.places.retain(|(other, _)| *other != id);
                self.lost(id).await;
            }
            Heard::AllGone => self.lose_all().await,
            // The next look tells it, and comes now.
            Heard::CanShow => {}
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
