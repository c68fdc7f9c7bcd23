//! The tray: what waits, at a glance. [`model`] says what it shows, [`view`]
//! shows it, [`host`] knows whether anything can be shown.

mod host;
mod model;
mod view;

pub(crate) use host::Host;

use crate::parts::{self, Part};
use crate::shell::shell;
use crate::{log, quit, window};
use model::{Act, Inbox, Item, NEWEST, Seen, Tray};
use ozbrain_core::use_cases::{self, Call};
use ozbrain_core::views::inbox::{InboxInput, InboxKind};
use ozbrain_core::views::settings::{Pause, SettingsInput, SettingsPart};
use ozbrain_server::{Person, day_start, now, zone};
use std::sync::Arc;
use std::time::Duration;
use tauri::AppHandle;
use view::View;

/// Changes that come together are shown together.
const PAUSE: Duration = Duration::from_millis(100);

/// Without a change, how often what waits is counted: facts age by themselves.
const GLANCE: Duration = Duration::from_secs(5 * 60);

/// How often a memory that could not be opened is looked at again: nothing
/// tells of it when another part opens it.
const CLOSED: Duration = Duration::from_secs(5);

/// How long a desktop that starts may take to bring its tray.
const LATE: Duration = Duration::from_secs(10);

/// Shows the tray for as long as the application runs.
pub(crate) fn start(app: &AppHandle) {
    let first = Tray::of(&Seen::default(), now());
    // Where the system's library for icons is missing, making one panics.
    let view = match log::expected(|| View::new(app, &first, act_on)) {
        Ok(Ok(view)) => view,
        failed => {
            match failed {
                Ok(Err(error)) => tracing::error!("there is no tray icon: {error}"),
                _ => tracing::error!("there is no tray icon: the system's library is missing"),
            }
            shell(app).tray.fail();
            return window::open(app);
        }
    };
    tracing::info!("the tray icon is there");
    let shown = Arc::new(tokio::sync::Mutex::new((view, first)));
    let (app, quit) = (app.clone(), shell(app).quit.begun());
    tauri::async_runtime::spawn(parts::keep(Part::Tray, quit, move || {
        follow(app.clone(), Arc::clone(&shown))
    }));
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
        Act::Quit => quit::asked(app),
        Act::PauseHour => change(app, pause(Some(Pause::Hour))),
        Act::PauseTomorrow => change(app, pause(Some(Pause::Tomorrow))),
        Act::Resume => change(app, pause(None)),
    }
}

/// Holds notifications back, or no longer.
fn pause(pause: Option<Pause>) -> SettingsInput {
    SettingsInput {
        clear: pause.is_none().then(|| vec![SettingsPart::Pause]),
        pause,
        ..SettingsInput::default()
    }
}

/// Changes a setting; the tray hears of it as of every change.
fn change(app: &AppHandle, input: SettingsInput) {
    let person = Person::new(Arc::clone(&shell(app).app));
    tauri::async_runtime::spawn(async move {
        let change = |call: Call<'_>| use_cases::change_settings(call, input, &zone());
        if let Err(refusal) = person.write(change).await {
            tracing::warn!(code = %refusal.code, "the settings did not change: {refusal}");
        }
    });
}

async fn follow(app: AppHandle, shown: Arc<tokio::sync::Mutex<(View, Tray)>>) {
    let mut shown = shown.lock().await;
    let (view, shown) = &mut *shown;
    let memory = Arc::clone(&shell(&app).app);
    let mut changes = memory.changes();
    let mut quit = shell(&app).quit.begun();
    let person = Person::new(Arc::clone(&memory));
    loop {
        changes.mark_unchanged();
        let seen = look(&person).await;
        let tray = Tray::of(&seen, now());
        if tray != *shown {
            match view.show(&app, shown, &tray) {
                Ok(()) => *shown = tray,
                Err(error) => tracing::warn!("the tray does not follow: {error}"),
            }
        }
        tokio::select! {
            changed = changes.changed() => if changed.is_err() { return },
            () = tokio::time::sleep(glance(&seen)) => {}
            _ = quit.wait_for(|quit| *quit) => return,
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// How long what was seen holds by itself: until a pause ends, at most.
fn glance(seen: &Seen) -> Duration {
    if matches!(seen.inbox, Inbox::Closed) {
        return CLOSED;
    }
    let left = seen
        .paused_until
        .map(|until| until.millis() - now().millis());
    let left = left.and_then(|left| u64::try_from(left).ok());
    left.map_or(GLANCE, |left| GLANCE.min(Duration::from_millis(left + 1)))
}

/// What waits now, and whether notifications are held back.
async fn look(person: &Person) -> Seen {
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
        let settings = use_cases::settings(call)?;
        Ok(Seen {
            inbox: Inbox::Open(counts.unwrap_or_default(), items),
            paused_until: settings.paused_until.map(|until| until.0),
            silent: !settings.notifications,
        })
    });
    seen.await.unwrap_or_else(|refusal| {
        tracing::warn!(code = %refusal.code, "the tray cannot see what waits: {refusal}");
        Seen {
            inbox: Inbox::Closed,
            ..Seen::default()
        }
    })
}
