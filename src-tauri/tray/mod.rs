//! The tray: what waits, at a glance. [`model`] says what it shows, [`view`]
//! shows it, [`host`] knows whether anything can be shown.

mod host;
mod model;
mod view;

pub(crate) use host::Host;

use crate::shell::shell;
use crate::{quit, window};
use model::{Act, Inbox, Item, NEWEST, Seen, Tray};
use ozbrain_core::use_cases;
use ozbrain_core::views::inbox::{InboxInput, InboxKind};
use ozbrain_server::{Person, day_start, now};
use std::sync::Arc;
use std::time::Duration;
use tauri::AppHandle;
use view::View;

/// Changes that come together are shown together.
const PAUSE: Duration = Duration::from_millis(100);

/// Without a change, how often what waits is counted: facts age by themselves.
const GLANCE: Duration = Duration::from_secs(5 * 60);

/// How long a desktop that starts may take to bring its tray.
const LATE: Duration = Duration::from_secs(10);

/// Shows the tray for as long as the application runs.
pub(crate) fn start(app: &AppHandle) {
    let first = Tray::of(&Seen::default(), now());
    let view = match View::new(app, &first, act_on) {
        Ok(view) => view,
        Err(error) => {
            tracing::error!("there is no tray icon: {error}");
            return;
        }
    };
    tracing::info!("the tray icon is there");
    tauri::async_runtime::spawn(follow(app.clone(), view, first));
}

/// Opens the window where there is no tray to open it from.
pub(crate) fn stand_in(app: &AppHandle) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let mut there = shell(&app).tray.there();
        loop {
            let missing = there.wait_for(|there| *there == Some(false)).await.is_ok();
            if !missing {
                return;
            }
            let comes = there.wait_for(|there| *there != Some(false));
            if tokio::time::timeout(LATE, comes).await.is_ok() {
                continue;
            }
            if !shell(&app).window.is_open() {
                tracing::info!("no tray: the window opens");
                window::open(&app);
            }
            if there.wait_for(|there| *there != Some(false)).await.is_err() {
                return;
            }
        }
    });
}

fn act_on(app: &AppHandle, act: &Act) {
    match act {
        Act::Show(place) => window::show(app, place),
        Act::Open => window::open(app),
        Act::Quit => quit::quit(app),
        Act::PauseHour | Act::PauseTomorrow | Act::Resume => {}
    }
}

async fn follow(app: AppHandle, mut view: View, mut shown: Tray) {
    let memory = Arc::clone(&shell(&app).app);
    let mut changes = memory.changes();
    let mut quit = shell(&app).quit.begun();
    let person = Person::new(Arc::clone(&memory));
    let mut seen = Seen::default();
    loop {
        changes.mark_unchanged();
        seen.inbox = look(&person).await;
        let tray = Tray::of(&seen, now());
        if tray != shown {
            match view.show(&app, &shown, &tray) {
                Ok(()) => shown = tray,
                Err(error) => tracing::warn!("the tray does not follow: {error}"),
            }
        }
        tokio::select! {
            changed = changes.changed() => if changed.is_err() { return },
            () = tokio::time::sleep(GLANCE) => {}
            _ = quit.wait_for(|quit| *quit) => return,
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// What waits now.
async fn look(person: &Person) -> Inbox {
    let seen = person.read(|call| {
        let mut items = Vec::new();
        let mut counts = None;
        for kind in [
            InboxKind::Conflict,
            InboxKind::Proposal,
            InboxKind::Decision,
            InboxKind::Problem,
            InboxKind::Aging,
        ] {
            // Aging facts come by how much they are read; of the others the
            // newest come first.
            let limit = if kind == InboxKind::Aging { 20 } else { NEWEST };
            let input = InboxInput {
                kind: Some(kind),
                offset: 0,
                limit: u32::try_from(limit).ok(),
            };
            let inbox = use_cases::inbox(call, input, day_start(call.now))?;
            items.extend(inbox.items.iter().map(Item::of));
            counts = Some(inbox.counts);
        }
        items.sort_by_key(|item| std::cmp::Reverse(item.at));
        items.truncate(NEWEST);
        Ok((counts.unwrap_or_default(), items))
    });
    match seen.await {
        Ok((counts, items)) => Inbox::Open(counts, items),
        Err(refusal) => {
            tracing::warn!(code = %refusal.code, "the tray cannot see what waits: {refusal}");
            Inbox::Closed
        }
    }
}
