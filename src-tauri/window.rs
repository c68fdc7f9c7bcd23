//! The window: made when it is wanted, destroyed when it is closed, so that it
//! costs nothing while only the tray is there.

use crate::shell::shell;
use crate::{dialog, door, quit, words};
use ozbrain_core::words::EventId;
use ozbrain_server::Window;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tauri::async_runtime::JoinHandle;
use tauri::ipc::Channel;
use tauri::webview::{NewWindowResponse, PageLoadEvent};
use tauri::window::Color;
use tauri::{
    AppHandle, Manager, Theme, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder, WindowEvent,
};
use tauri_plugin_window_state::{AppHandleExt, StateFlags};
use tokio::sync::mpsc;

/// The window's label; `tauri.conf.json` names it too.
pub(crate) const MAIN: &str = "main";

/// What is remembered of the window from one time to the next.
pub(crate) const REMEMBERED: StateFlags = StateFlags::SIZE
    .union(StateFlags::POSITION)
    .union(StateFlags::MAXIMIZED);

/// A window whose page does not come is shown all the same.
const PATIENCE: Duration = Duration::from_secs(3);

/// A file whose being there says that closing was explained.
const EXPLAINED: &str = "closing-explained";

/// The window, open or not.
pub(crate) struct Keeper {
    wanted: mpsc::UnboundedSender<Option<String>>,
    open: Mutex<Option<Open>>,
}

/// An open window.
struct Open {
    door: Arc<Window>,
    loaded: bool,
    /// Where it goes once its page is there.
    place: Option<String>,
    /// The streams that its page follows.
    follows: HashMap<u32, JoinHandle<()>>,
}

impl Keeper {
    pub(crate) fn new(app: AppHandle) -> Self {
        let (wanted, mut asked) = mpsc::unbounded_channel::<Option<String>>();
        // One after the other: two clicks make one window.
        tauri::async_runtime::spawn(async move {
            while let Some(place) = asked.recv().await {
                if let Err(error) = bring(&app, place) {
                    tracing::error!("the window cannot be shown: {error}");
                }
            }
        });
        Self {
            wanted,
            open: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, Option<Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The door of the open window.
    pub(crate) fn door(&self) -> Option<Arc<Window>> {
        self.state().as_ref().map(|open| Arc::clone(&open.door))
    }

    /// Whether it is open.
    pub(crate) fn is_open(&self) -> bool {
        self.state().is_some()
    }

    /// Follows what happens for the page, from after an event or from now on.
    /// The channel says `None` once the stream stands, then each change as JSON.
    ///
    /// # Errors
    /// Why the store cannot be read.
    pub(crate) async fn follow(
        &self,
        id: u32,
        after: Option<EventId>,
        hear: Channel<Option<String>>,
    ) -> Result<(), String> {
        let Some(door) = self.door() else {
            return Err("The window is closed.".into());
        };
        let mut changes = door
            .follow(after)
            .await
            .map_err(|refusal| refusal.message)?;
        let following = async move {
            let mut told = hear.send(None);
            while told.is_ok() {
                let Some(row) = changes.next().await else {
                    return;
                };
                match serde_json::to_string(&row) {
                    Ok(row) => told = hear.send(Some(row)),
                    Err(error) => tracing::error!("a change cannot be written as JSON: {error}"),
                }
            }
        };
        if let Some(open) = self.state().as_mut() {
            let task = tauri::async_runtime::spawn(following);
            if let Some(old) = open.follows.insert(id, task) {
                old.abort();
            }
        }
        Ok(())
    }

    /// Ends a stream.
    pub(crate) fn unfollow(&self, id: u32) {
        if let Some(task) = self
            .state()
            .as_mut()
            .and_then(|open| open.follows.remove(&id))
        {
            task.abort();
        }
    }

    /// A new page begins: what the last one followed ends.
    fn begins(&self) {
        if let Some(open) = self.state().as_mut() {
            open.loaded = false;
            end(&mut open.follows);
        }
    }

    /// The page is there. Gives where it should go.
    fn loaded(&self) -> Option<String> {
        let mut state = self.state();
        let open = state.as_mut()?;
        open.loaded = true;
        open.place.take()
    }

    /// The window is gone.
    fn closed(&self) {
        if let Some(mut open) = self.state().take() {
            end(&mut open.follows);
        }
    }

    /// Closes the window, without a question.
    pub(crate) fn close(&self) {
        // Bringing one forward is over as well.
        let _ = self.wanted.send(None);
    }
}

fn end(follows: &mut HashMap<u32, JoinHandle<()>>) {
    for (_, task) in follows.drain() {
        task.abort();
    }
}

/// Opens the window, or brings it forward, at a place of the screens' own, such
/// as `/conflict/ID`.
pub(crate) fn show(app: &AppHandle, place: &str) {
    let place = Some(place.to_owned());
    // The task that hears it lives as long as the application.
    let _ = shell(app).window.wanted.send(place);
}

/// Opens the window, or brings it forward, where it is.
pub(crate) fn open(app: &AppHandle) {
    let _ = shell(app).window.wanted.send(None);
}

fn bring(app: &AppHandle, place: Option<String>) -> tauri::Result<()> {
    let shell = shell(app);
    if *shell.quit.begun().borrow() {
        return app
            .get_webview_window(MAIN)
            .map_or(Ok(()), |window| window.destroy());
    }
    let Some(window) = app.get_webview_window(MAIN) else {
        return make(app, place);
    };
    let goes = match shell.window.state().as_mut() {
        Some(open) if open.loaded => place,
        Some(open) => {
            open.place = place.or(open.place.take());
            None
        }
        None => None,
    };
    if let Some(place) = goes {
        go(&window, &place)?;
    }
    window.unminimize()?;
    forward(&window)
}

fn forward(window: &WebviewWindow) -> tauri::Result<()> {
    window.show()?;
    window.set_focus()
}

/// Tells the page where to go: `window.ts` hears it.
fn go(window: &WebviewWindow, place: &str) -> tauri::Result<()> {
    let place = serde_json::Value::from(place);
    window.eval(format!(
        "window.dispatchEvent(new CustomEvent('ozbrain:place', {{ detail: {place} }}))"
    ))
}

fn make(app: &AppHandle, place: Option<String>) -> tauri::Result<()> {
    let place = place.unwrap_or_else(|| "/inbox".to_owned());
    let Ok(page) = Url::parse(&format!("{}{place}", door::PAGE.origin)) else {
        tracing::error!("this is no place of the window");
        return Ok(());
    };
    let keeper = &shell(app).window;
    *keeper.state() = Some(Open {
        door: Arc::new(Window::new(Arc::clone(&shell(app).app), door::PAGE)),
        loaded: false,
        place: None,
        follows: HashMap::new(),
    });
    let page = if cfg!(windows) {
        WebviewUrl::External(page)
    } else {
        WebviewUrl::CustomProtocol(page)
    };
    let made = WebviewWindowBuilder::new(app, MAIN, page)
        .title(words::NAME)
        .inner_size(1180.0, 780.0)
        .min_inner_size(480.0, 400.0)
        .visible(false)
        .initialization_script(shell(app).drafts.script())
        .disable_drag_drop_handler()
        .zoom_hotkeys_enabled(true)
        .on_navigation(|to| to.as_str().starts_with(&format!("{}/", door::PAGE.origin)))
        .on_new_window(|to, _| {
            open_outside(to.as_str());
            NewWindowResponse::Deny
        })
        .on_download(|_, _| false)
        .on_page_load(|window, load| match load.event() {
            PageLoadEvent::Started => shell(window.app_handle()).window.begins(),
            PageLoadEvent::Finished => {
                let place = shell(window.app_handle()).window.loaded();
                let shown = match place {
                    Some(place) => go(&window, &place),
                    None => Ok(()),
                };
                if let Err(error) = shown.and_then(|()| shows_at_first(&window)) {
                    tracing::warn!("the window does not show: {error}");
                }
            }
        })
        .build();
    let window = match made {
        Ok(window) => window,
        Err(error) => {
            keeper.closed();
            return Err(error);
        }
    };
    // What shows before the page is painted, as after a change of size.
    let ground = match window.theme() {
        Ok(Theme::Dark) => Color(0x17, 0x19, 0x17, 0xff),
        _ => Color(0xfb, 0xfb, 0xf9, 0xff),
    };
    if let Err(error) = window.set_background_color(Some(ground)) {
        tracing::debug!("the window's ground stays white: {error}");
    }
    let handle = app.clone();
    window.on_window_event(move |event| match event {
        WindowEvent::CloseRequested { api, .. } if asks_before_closing(&handle) => {
            api.prevent_close();
            let asked = handle.clone();
            dialog::closing(&handle, move |quits| {
                if quits {
                    quit::quit(&asked);
                }
            });
        }
        WindowEvent::Destroyed => {
            shell(&handle).window.closed();
            if let Err(error) = handle.save_window_state(REMEMBERED) {
                tracing::warn!("the window's place is not remembered: {error}");
            }
            tracing::info!("the window closed");
            if shell(&handle).tray.is_missing() {
                quit::quit(&handle);
            }
        }
        _ => {}
    });
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(PATIENCE).await;
        let _ = shows_at_first(&window);
    });
    Ok(())
}

/// Shows a window that was not shown yet.
fn shows_at_first(window: &WebviewWindow) -> tauri::Result<()> {
    if window.is_visible()? {
        return Ok(());
    }
    forward(window)?;
    tracing::info!("the window opened");
    Ok(())
}

/// Opens an address in the system's own program, if it is one of the web.
/// Whether it is.
pub(crate) fn open_outside(address: &str) -> bool {
    let of_the_web = Url::parse(address)
        .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    if of_the_web {
        let address = address.to_owned();
        // It may wait for the program.
        tauri::async_runtime::spawn_blocking(move || {
            if let Err(error) = open::that_detached(address) {
                tracing::warn!("the system opens no link: {error}");
            }
        });
    }
    of_the_web
}

/// Whether closing must be explained first: it quits, and nobody said so yet.
fn asks_before_closing(app: &AppHandle) -> bool {
    let shell = shell(app);
    if *shell.quit.begun().borrow() || !shell.tray.is_missing() {
        return false;
    }
    let Some(file) = explained(app) else {
        return false;
    };
    if file.exists() {
        return false;
    }
    let kept = file
        .parent()
        .map_or(Ok(()), std::fs::create_dir_all)
        .and_then(|()| std::fs::write(&file, ""));
    if let Err(error) = kept {
        tracing::warn!("that closing was explained is not remembered: {error}");
    }
    true
}

fn explained(app: &AppHandle) -> Option<PathBuf> {
    Some(app.path().app_config_dir().ok()?.join(EXPLAINED))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_web_are_opened_outside() {
        for address in [
            "file:///etc/passwd",
            "javascript:alert(1)",
            "ozbrain:team:x",
            "oz://localhost/inbox",
            "mailto:a@b.c",
            "ssh://host",
            "http://",
            "/inbox",
            "--help",
            "",
        ] {
            assert!(!open_outside(address), "{address}");
        }
    }
}
