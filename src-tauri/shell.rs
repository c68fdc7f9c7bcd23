//! The application as a whole: what it is made of, and the order in which its
//! parts start.

use crate::args::Args;
use crate::links::{self, Link};
use crate::{
    clients, commands, dialog, door, drafts, host, login, notifications, quit, tray, window,
};
use ozbrain_core::ports::Store;
use ozbrain_core::use_cases::{self, Call};
use ozbrain_server::{App, DataDir, Person};
use ozbrain_sqlite::SqliteStore;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use tauri::{AppHandle, Manager, RunEvent};

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
}

/// What every part needs, of a running application.
pub(crate) fn shell(app: &AppHandle) -> tauri::State<'_, Shell> {
    app.state::<Shell>()
}

/// Runs the application until it is quit.
///
/// # Errors
/// The system gives it no window system, or no tray.
pub(crate) fn run(args: Args, home: DataDir) -> tauri::Result<()> {
    let started = Instant::now();
    let single = tauri_plugin_single_instance::Builder::new().callback(|app, args, _| {
        let args = Args::parse(args.into_iter().skip(1));
        follow(app, args.link.as_deref());
    });
    #[cfg(target_os = "linux")]
    let single = single.dbus_id(bus_name(&home));
    let places = tauri_plugin_window_state::Builder::new()
        .with_state_flags(window::REMEMBERED)
        .build();
    let app = tauri::Builder::default()
        .plugin(single.build())
        .plugin(login::plugin())
        .plugin(places)
        .plugin(commands::plugin())
        .register_asynchronous_uri_scheme_protocol(door::SCHEME, door::answer)
        .setup(move |app| {
            start(app.handle(), &args, &home);
            tracing::info!(millis = started.elapsed().as_millis(), "started");
            Ok(())
        })
        .build(tauri::generate_context!())?;
    app.run(|app, event| match event {
        // The last window was closed: the tray goes on.
        RunEvent::ExitRequested {
            code: None, api, ..
        } => api.prevent_exit(),
        #[cfg(target_os = "macos")]
        RunEvent::Reopen { .. } => window::open(app),
        #[cfg(target_os = "macos")]
        RunEvent::Opened { urls } => {
            for url in urls {
                follow(app, Some(url.as_str()));
            }
        }
        RunEvent::Exit => quit::last(app),
        _ => {}
    });
    Ok(())
}

fn start(app: &AppHandle, args: &Args, home: &DataDir) {
    let folder = home.path().to_owned();
    let memory = App::new(move || {
        let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&folder)?);
        Ok(store)
    });
    memory.knows_clients(clients::of_this_computer(home));
    app.manage(Shell {
        app: Arc::clone(&memory),
        window: window::Keeper::new(app.clone()),
        drafts: drafts::Drafts::default(),
        tray: tray::Host::watch(),
        quit: quit::Quit::new(),
    });
    dialog::ready(app);
    let shell = shell(app);
    quit::on_signals(app);
    shell
        .quit
        .first(host::run(Arc::clone(&memory), shell.quit.begun()));
    tray::start(app);
    drafts::forget_erased(app);
    notifications::start(app, memory, window::show);
    if let Some(link) = &args.link {
        follow(app, Some(link));
    } else if !args.hidden {
        window::open(app);
    }
    tray::stand_in(app);
}

/// Goes where a link leads; without one, or where it leads nowhere, brings the
/// window forward.
fn follow(app: &AppHandle, link: Option<&str>) {
    let Some(link) = link.and_then(links::parse) else {
        return window::open(app);
    };
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        if leads_somewhere(&app, &link).await {
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
    let path = home.path();
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    format!("{NAME}.d{:016x}", hash(&path))
}

#[cfg(target_os = "linux")]
fn hash(path: &Path) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    hasher.finish()
}
