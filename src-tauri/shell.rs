//! The application as a whole: what it is made of, and the order in which its
//! parts start.

use crate::args::Args;
use crate::links::{self, Link};
#[cfg(not(target_os = "linux"))]
use crate::login;
use crate::parts::{self, Part};
use crate::{clients, commands, dialog, door, drafts, host, notifications, quit, tray, window};
use ozbrain_core::ports::Store;
use ozbrain_core::use_cases::{self, Call};
use ozbrain_server::{App, DataDir, Person};
use ozbrain_sqlite::SqliteStore;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tauri::{AppHandle, Manager, RunEvent};

/// How long a link may take to be looked up before the window shows without it.
const PATIENCE: Duration = Duration::from_secs(1);

/// What every part needs.
pub(crate) struct Shell {
    /// The application behind every door.
    pub(crate) app: Arc<App>,
    /// The window, open or not.
    pub(crate) window: window::Keeper,
    /// What was typed in a window that is closed.
    pub(crate) drafts: drafts::Drafts,
    /// Whether this desktop shows a tray.
    pub(crate) tray: tray::Host,
    /// The end of the application.
    pub(crate) quit: quit::Quit,
    /// What tells this application from one of another data folder.
    #[cfg(target_os = "linux")]
    pub(crate) mark: String,
}

/// What every part needs, of a running application.
pub(crate) fn shell(app: &AppHandle) -> tauri::State<'_, Shell> {
    app.state::<Shell>()
}

/// What was asked for before the application could do it: another start may
/// come as soon as this one has its name on the bus.
#[derive(Clone)]
struct Early(Arc<Mutex<Option<Vec<Args>>>>);

impl Early {
    fn new() -> Self {
        Self(Arc::new(Mutex::new(Some(Vec::new()))))
    }

    /// Keeps what is asked for; gives it back once nothing is kept any more.
    fn keep(&self, args: Args) -> Option<Args> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *kept {
            Some(kept) => {
                kept.push(args);
                None
            }
            None => Some(args),
        }
    }

    /// What was kept, in its order. Nothing is kept from now on.
    fn over(&self) -> Vec<Args> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.take().unwrap_or_default()
    }
}

/// Runs the application until it is quit.
///
/// # Errors
/// The system gives it no window system, or no tray.
pub(crate) fn run(args: Args, home: DataDir) -> tauri::Result<()> {
    let started = Instant::now();
    let early = Early::new();
    let places = tauri_plugin_window_state::Builder::new()
        .with_state_flags(window::REMEMBERED)
        .build();
    let mut builder = tauri::Builder::default();
    if can_be_found() {
        let early = early.clone();
        let single = tauri_plugin_single_instance::Builder::new().callback(move |app, args, _| {
            let args = Args::parse(args.into_iter().skip(1));
            if let Some(args) = early.keep(args) {
                answer(app, &args);
            }
        });
        #[cfg(target_os = "linux")]
        let single = single.dbus_id(bus_name(&home));
        builder = builder.plugin(single.build());
    }
    #[cfg(not(target_os = "linux"))]
    let builder = builder.plugin(login::plugin());
    let begins = early.clone();
    let app = builder
        .plugin(places)
        .plugin(commands::plugin())
        .register_asynchronous_uri_scheme_protocol(door::SCHEME, door::answer)
        .setup(move |app| {
            start(app.handle(), &home);
            let app = app.handle();
            answer(app, &args);
            for args in begins.over() {
                answer(app, &args);
            }
            tray::stand_in(app);
            tracing::info!(millis = started.elapsed().as_millis(), "started");
            Ok(())
        })
        .build(tauri::generate_context!())?;
    app.run(move |app, event| match event {
        // The last window was closed: the tray goes on.
        RunEvent::ExitRequested {
            code: None, api, ..
        } => api.prevent_exit(),
        #[cfg(target_os = "macos")]
        RunEvent::Reopen { .. } => {
            if let Some(args) = early.keep(Args::default()) {
                answer(app, &args);
            }
        }
        #[cfg(target_os = "macos")]
        RunEvent::Opened { urls } => {
            for url in urls {
                let link = Some(url.to_string());
                if let Some(args) = early.keep(Args {
                    link,
                    hidden: false,
                }) {
                    answer(app, &args);
                }
            }
        }
        RunEvent::Exit => quit::last(app),
        _ => {}
    });
    Ok(())
}

/// Whether another start could find this one. Where the bus has no address
/// that can be read, asking for a name there would end the application.
fn can_be_found() -> bool {
    #[cfg(target_os = "linux")]
    if let Err(error) = zbus::Address::session() {
        tracing::warn!("another start will not find this one: {error}");
        return false;
    }
    true
}

/// Starts the parts. None waits for the memory, which opens at the first call:
/// it may wait for other processes, or have much to bring up to date.
fn start(app: &AppHandle, home: &DataDir) {
    let folder = home.path().to_owned();
    let memory = App::later(move || {
        let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&folder)?);
        Ok(store)
    });
    memory.knows_clients(clients::of_this_computer(home));
    let quit = quit::Quit::new();
    app.manage(Shell {
        app: Arc::clone(&memory),
        window: window::Keeper::new(app.clone(), quit.begun()),
        drafts: drafts::Drafts::default(),
        tray: tray::Host::watch(),
        quit,
        #[cfg(target_os = "linux")]
        mark: mark(home),
    });
    dialog::ready(app);
    let shell = shell(app);
    quit::on_signals(app);
    let (served, begun) = (Arc::clone(&memory), shell.quit.begun());
    shell
        .quit
        .first(parts::keep(Part::Host, shell.quit.begun(), move || {
            host::run(Arc::clone(&served), begun.clone())
        }));
    tray::start(app);
    drafts::forget_erased(app);
    notifications::start(app, memory, window::show);
}

/// Does what a start asks for, be it this one or another: it follows a link, or
/// brings the window forward. One that the system makes at login shows nothing.
fn answer(app: &AppHandle, args: &Args) {
    match &args.link {
        Some(link) => follow(app, link),
        None if args.hidden => {}
        None => window::open(app),
    }
}

/// Goes where a link leads; where it leads nowhere, brings the window forward.
fn follow(app: &AppHandle, link: &str) {
    let Some(link) = links::parse(link) else {
        return window::open(app);
    };
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let leads = leads_somewhere(&app, &link);
        tokio::pin!(leads);
        let leads = match tokio::time::timeout(PATIENCE, &mut leads).await {
            Ok(leads) => leads,
            Err(_) => {
                window::open(&app);
                leads.await
            }
        };
        if leads {
            window::show(&app, &link.place);
        } else {
            window::open(&app);
        }
    });
}

async fn leads_somewhere(app: &AppHandle, link: &Link) -> bool {
    let Some(brain) = link.brain.clone() else {
        return true;
    };
    let person = Person::new(Arc::clone(&shell(app).app));
    let there = move |call: Call<'_>| {
        let brains = use_cases::brain_views(call)?.brains;
        Ok(brains.iter().any(|there| there.brain == brain))
    };
    // Where the memory cannot be asked, the window says why.
    person.read(there).await.unwrap_or(true)
}

/// The name by which a second start finds the first: each data folder has its
/// own application.
#[cfg(target_os = "linux")]
fn bus_name(home: &DataDir) -> String {
    const NAME: &str = "ai.ozbrain.desktop";
    if home.is_usual() {
        return NAME.to_owned();
    }
    format!("{NAME}.d{}", mark(home))
}

/// Tells one data folder from another, by its path.
#[cfg(target_os = "linux")]
fn mark(home: &DataDir) -> String {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let path = home.path();
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_too_early_is_kept_in_order_and_nothing_is_kept_later() {
        let early = Early::new();
        let link = |link: &str| Args {
            link: Some(link.to_owned()),
            ..Args::default()
        };
        // As another thread, by its own handle.
        let other = early.clone();
        assert_eq!(other.keep(link("ozbrain:a:b")), None);
        assert_eq!(other.keep(Args::default()), None);
        assert_eq!(early.over(), [link("ozbrain:a:b"), Args::default()]);
        assert_eq!(other.keep(link("ozbrain:c:d")), Some(link("ozbrain:c:d")));
        assert_eq!(early.over(), []);
    }
}
