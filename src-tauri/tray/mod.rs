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
use ozbrain_core::views::settings::{Pause, SettingsInput, SettingsPart};
use ozbrain_server::{Person, day_start, now, zone};
use std::sync::Arc;
use std::time::Duration;
use tauri::AppHandle;
use tokio::time::{Instant, sleep_until};
use view::View;

/// Changes that come together are shown together.
const PAUSE: Duration = Duration::from_millis(100);

/// The least time from one look to the next. What happens shows within a second,
/// and agents that write without a pause cost two looks in each.
const REST: Duration = Duration::from_millis(500);

/// Without a change, how often what waits is counted: facts age by themselves.
const GLANCE: Duration = Duration::from_secs(5 * 60);

/// How often it is tried again where the memory cannot be opened: nothing tells
/// when it can.
const TRY: Duration = Duration::from_secs(5);

/// How long a desktop that starts may take to bring its tray.
const LATE: Duration = Duration::from_secs(10);

/// Shows the tray for as long as the application runs.
pub(crate) fn start(app: &AppHandle) {
    let first = Tray::of(&Seen::default(), now(), &zone());
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
        let looked = Instant::now();
        let seen = look(&person).await;
        // Until the next look the clock alone changes what is shown.
        let changed = loop {
            let tray = Tray::of(&seen, now(), &zone());
            if tray != *shown {
                match view.show(&app, shown, &tray) {
                    Ok(()) => *shown = tray,
                    Err(error) => tracing::warn!("the tray does not follow: {error}"),
                }
            }
            let closed = seen.inbox == Inbox::Closed;
            let glance = looked + if closed { TRY } else { GLANCE };
            let holds = model::holds(&seen, now()).map(|holds| Instant::now() + holds);
            tokio::select! {
                changed = changes.changed() => match changed {
                    Ok(()) => break true,
                    Err(_) => return,
                },
                () = sleep_until(holds.map_or(glance, |holds| holds.min(glance))) => {}
                _ = quit.wait_for(|quit| *quit) => return,
            }
            if Instant::now() >= glance {
                break false;
            }
        };
        if changed {
            sleep_until((looked + REST).max(Instant::now() + PAUSE)).await;
        }
    }
}

/// What waits now, and whether notifications are held back.
async fn look(person: &Person) -> Seen {
    let seen = person.read(|call| {
        let newest = use_cases::newest(call, NEWEST, day_start(call.now))?;
        let settings = use_cases::settings(call)?;
        Ok(Seen {
            inbox: Inbox::Open(newest.counts, newest.items.iter().map(Item::of).collect()),
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
