//! The tray as the system shows it: it makes the changes that the model names,
//! and nothing else.

use super::model::{Act, Change, Entry, Icon, Tray, changes};
#[cfg(target_os = "linux")]
use crate::shell::shell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
#[cfg(any(target_os = "linux", windows))]
use tauri::Manager;
use tauri::image::Image;
use tauri::menu::{IsMenuItem, Menu, MenuItem, PredefinedMenuItem, Submenu};
use tauri::tray::{TrayIcon, TrayIconBuilder};
use tauri::{AppHandle, Wry, include_image};

/// The tray's id.
const ID: &str = "ozbrain";

/// What each entry of the menu does, by its id.
type Acts = Arc<Mutex<HashMap<String, Act>>>;

pub(super) struct View {
    tray: TrayIcon,
    menu: Menu<Wry>,
    /// As the menu shows them.
    lines: Vec<Line>,
    acts: Acts,
}

enum Line {
    Says(MenuItem<Wry>, String),
    Offers(Submenu<Wry>, Vec<String>),
    Parts(PredefinedMenuItem<Wry>),
}

impl Line {
    fn item(&self) -> &dyn IsMenuItem<Wry> {
        match self {
            Self::Says(item, _) => item,
            Self::Offers(item, _) => item,
            Self::Parts(item) => item,
        }
    }
}

impl View {
    /// Shows the tray. `act` hears what the person asks for.
    pub(super) fn new(
        app: &AppHandle,
        first: &Tray,
        act: fn(&AppHandle, &Act),
    ) -> tauri::Result<Self> {
        let acts = Acts::default();
        let menu = Menu::new(app)?;
        let mut lines = Vec::new();
        for entry in &first.menu {
            let line = line(app, &acts, entry)?;
            menu.append(line.item())?;
            lines.push(line);
        }
        let known = Arc::clone(&acts);
        let tray = TrayIconBuilder::with_id(ID)
            .icon(image(first.icon))
            .tooltip(&first.tooltip)
            .menu(&menu)
            .on_menu_event(move |app, event| {
                let acts = known.lock().unwrap_or_else(PoisonError::into_inner);
                let asked = acts.get(event.id().as_ref()).cloned();
                drop(acts);
                if let Some(asked) = asked {
                    act(app, &asked);
                }
            });
        // macOS colours it like the others of its bar.
        #[cfg(target_os = "macos")]
        let tray = tray.icon_as_template(true);
        // There a click opens the application, and the other button the menu.
        #[cfg(windows)]
        let tray = tray
            .show_menu_on_left_click(false)
            .on_tray_icon_event(move |tray, event| {
                use tauri::tray::{MouseButton, MouseButtonState, TrayIconEvent};
                if let TrayIconEvent::Click {
                    button: MouseButton::Left,
                    button_state: MouseButtonState::Up,
                    ..
                } = event
                {
                    act(tray.app_handle(), &Act::Open);
                }
            });
        #[cfg(target_os = "linux")]
        let tray = match folder(app) {
            Some(folder) => tray.temp_dir_path(folder),
            None => tray,
        };
        Ok(Self {
            tray: tray.build(app)?,
            menu,
            lines,
            acts,
        })
    }

    /// Shows another state of the tray.
    pub(super) fn show(&mut self, app: &AppHandle, old: &Tray, new: &Tray) -> tauri::Result<()> {
        if old.icon != new.icon {
            self.tray.set_icon(Some(image(new.icon)))?;
            #[cfg(target_os = "macos")]
            self.tray.set_icon_as_template(true)?;
        }
        if old.tooltip != new.tooltip {
            self.tray.set_tooltip(Some(&new.tooltip))?;
        }
        for change in changes(&old.menu, &new.menu) {
            match change {
                Change::Text(at, text) => {
                    if let Some(Line::Says(item, _)) = self.lines.get(at) {
                        item.set_text(text)?;
                    }
                }
                Change::Remove(at) if at < self.lines.len() => {
                    let line = self.lines.remove(at);
                    self.menu.remove(line.item())?;
                    self.forget(&line);
                }
                Change::Remove(_) => {}
                Change::Insert(at, entry) => {
                    let line = line(app, &self.acts, &entry)?;
                    self.menu.insert(line.item(), at)?;
                    self.lines.insert(at.min(self.lines.len()), line);
                }
            }
        }
        Ok(())
    }

    fn forget(&self, line: &Line) {
        let mut acts = self.acts.lock().unwrap_or_else(PoisonError::into_inner);
        match line {
            Line::Says(_, id) => drop(acts.remove(id)),
            Line::Offers(_, ids) => ids.iter().for_each(|id| drop(acts.remove(id))),
            Line::Parts(_) => {}
        }
    }
}

/// Where the icon's picture lies for the panel to read: a folder that only this
/// user reads, and of this application alone. Its name counts up from zero, and
/// another that serves another data folder would take this one's away.
#[cfg(target_os = "linux")]
fn folder(app: &AppHandle) -> Option<std::path::PathBuf> {
    let place = app
        .path()
        .runtime_dir()
        .or_else(|_| app.path().app_cache_dir());
    Some(place.ok()?.join(format!("{ID}-tray-{}", shell(app).mark)))
}

/// A line of the menu, with what it does made known.
fn line(app: &AppHandle, acts: &Acts, entry: &Entry) -> tauri::Result<Line> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let known = |act: Option<&Act>| {
        let id = format!("{ID}-{}", NEXT.fetch_add(1, Ordering::Relaxed));
        if let Some(act) = act {
            let mut acts = acts.lock().unwrap_or_else(PoisonError::into_inner);
            acts.insert(id.clone(), act.clone());
        }
        id
    };
    let says = |text: &str, act: Option<&Act>| {
        let id = known(act);
        let item = MenuItem::with_id(app, &id, text, act.is_some(), None::<&str>)?;
        Ok::<_, tauri::Error>((item, id))
    };
    Ok(match entry {
        Entry::Head(text) => {
            let (item, id) = says(text, None)?;
            Line::Says(item, id)
        }
        Entry::Does(text, act) => {
            let (item, id) = says(text, Some(act))?;
            Line::Says(item, id)
        }
        Entry::Choices(text, choices) => {
            let submenu = Submenu::new(app, text, true)?;
            let mut ids = Vec::new();
            for (text, act) in choices {
                let (item, id) = says(text, Some(act))?;
                submenu.append(&item)?;
                ids.push(id);
            }
            Line::Offers(submenu, ids)
        }
        Entry::Line => Line::Parts(PredefinedMenuItem::separator(app)?),
    })
}

/// The icon, clear on a light panel and on a dark one: the system does not say
/// which it has. A panel shows it as small as its own are.
#[cfg(not(target_os = "macos"))]
fn image(icon: Icon) -> Image<'static> {
    match icon {
        Icon::Idle => include_image!("icons/tray/idle-44.png"),
        Icon::Attention => include_image!("icons/tray/attention-44.png"),
        Icon::Paused => include_image!("icons/tray/paused-44.png"),
    }
}

/// The icon in ink alone, which the menu bar colours.
#[cfg(target_os = "macos")]
fn image(icon: Icon) -> Image<'static> {
    match icon {
        Icon::Idle => include_image!("icons/tray/macos/idle-44.png"),
        Icon::Attention => include_image!("icons/tray/macos/attention-44.png"),
        Icon::Paused => include_image!("icons/tray/macos/paused-44.png"),
    }
}
