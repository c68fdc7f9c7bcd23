//! Starting at login, in the tray alone: off until the person asks for it.

#[cfg(target_os = "linux")]
pub(crate) use linux::{is_on, turn};
#[cfg(not(target_os = "linux"))]
pub(crate) use others::{is_on, plugin, turn};

/// What the system is told to start the application with.
const HIDDEN: &str = "--hidden";

/// By an entry of the XDG Autostart Specification.
#[cfg(target_os = "linux")]
mod linux {
    use super::HIDDEN;
    use crate::words;
    use std::fs;
    use std::io::{self, ErrorKind};
    use std::path::{Path, PathBuf};
    use tauri::{AppHandle, Manager};

    /// Whether the system starts the application when the person logs in.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn is_on(app: &AppHandle) -> Result<bool, String> {
        starts(&entry(app)?).map_err(|error| error.to_string())
    }

    /// Starts the application at login from now on, or no longer.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn turn(app: &AppHandle, on: bool) -> Result<(), String> {
        let entry = entry(app)?;
        let done = if on {
            program().and_then(|program| write(&entry, &program))
        } else {
            remove(&entry)
        };
        done.map_err(|error| format!("{}: {error}", entry.display()))
    }

    /// Where the entry lies: with the person's other settings.
    fn entry(app: &AppHandle) -> Result<PathBuf, String> {
        let folder = app.path().config_dir().map_err(|error| error.to_string())?;
        let name = format!("{}.desktop", words::NAME);
        Ok(folder.join("autostart").join(name))
    }

    /// What starts this program: the image that it is carried in, if it is.
    fn program() -> io::Result<PathBuf> {
        let image = std::env::var_os("APPIMAGE").filter(|image| !image.is_empty());
        image.map_or_else(std::env::current_exe, |image| Ok(image.into()))
    }

    /// Whether there is an entry that the desktop's own settings did not turn
    /// off.
    fn starts(entry: &Path) -> io::Result<bool> {
        let text = match fs::read_to_string(entry) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            read => read?,
        };
        let off = ["Hidden=true", "X-GNOME-Autostart-enabled=false"];
        let mut lines = text.lines().map(|line| line.replace(' ', ""));
        Ok(!lines.any(|line| off.contains(&line.as_str())))
    }

    fn write(entry: &Path, program: &Path) -> io::Result<()> {
        if let Some(folder) = entry.parent() {
            fs::create_dir_all(folder)?;
        }
        let Some(program) = program.to_str() else {
            // An entry is text.
            return Err(io::Error::new(
                ErrorKind::InvalidData,
                "the program's path is no text",
            ));
        };
        let (name, program) = (words::NAME, quoted(program));
        let text = format!(
            "[Desktop Entry]\nType=Application\nName={name}\nExec={program} {HIDDEN}\n\
             Icon=ozbrain-desktop\nTerminal=false\nStartupNotify=false\n"
        );
        fs::write(entry, text)
    }

    fn remove(entry: &Path) -> io::Result<()> {
        match fs::remove_file(entry) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }

    /// A program's path as the Desktop Entry Specification writes it: where it
    /// has more than plain signs, once for the quotes, and once for the string
    /// that they stand in.
    fn quoted(program: &str) -> String {
        let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
        if program.chars().all(plain) {
            return program.to_owned();
        }
        let mut quoted = String::from('"');
        for c in program.chars() {
            match c {
                '"' | '`' | '$' => quoted.extend(["\\\\", &c.to_string()]),
                '\\' => quoted.push_str("\\\\\\\\"),
                '%' => quoted.push_str("%%"),
                '\n' => quoted.push_str("\\n"),
                c => quoted.push(c),
            }
        }
        quoted.push('"');
        quoted
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_program_with_spaces_or_signs_in_its_path_is_quoted() {
            for (path, written) in [
                ("/usr/bin/ozbrain-desktop", "/usr/bin/ozbrain-desktop"),
                ("/home/a b/x", r#""/home/a b/x""#),
                (r#"/a"b/x"#, r#""/a\\"b/x""#),
                ("/100%/$x", r#""/100%%/\\$x""#),
                (r"/a\b", r#""/a\\\\b""#),
                ("/a\nExec=evil", r#""/a\nExec=evil""#),
            ] {
                assert_eq!(quoted(path), written, "{path}");
            }
        }

        #[test]
        fn an_entry_is_written_seen_turned_off_elsewhere_and_removed() {
            let folder = tempfile::tempdir().unwrap();
            let entry = folder.path().join("autostart").join("OzBrain.desktop");
            assert!(!starts(&entry).unwrap());
            remove(&entry).unwrap();
            write(&entry, Path::new("/opt/a b/ozbrain-desktop")).unwrap();
            assert!(starts(&entry).unwrap());
            let text = fs::read_to_string(&entry).unwrap();
            assert!(
                text.contains("\nExec=\"/opt/a b/ozbrain-desktop\" --hidden\n"),
                "{text}"
            );
            for off in ["Hidden = true", "X-GNOME-Autostart-enabled=false"] {
                fs::write(&entry, format!("{text}{off}\n")).unwrap();
                assert!(!starts(&entry).unwrap(), "{off}");
            }
            write(&entry, Path::new("/usr/bin/ozbrain-desktop")).unwrap();
            assert!(starts(&entry).unwrap());
            remove(&entry).unwrap();
            assert!(!entry.exists());
        }
    }
}

/// By the system's own list of what starts.
#[cfg(not(target_os = "linux"))]
mod others {
    use super::HIDDEN;
    use crate::words;
    use tauri::plugin::TauriPlugin;
    use tauri::{AppHandle, Wry};
    use tauri_plugin_autostart::ManagerExt;

    /// What keeps the list.
    pub(crate) fn plugin() -> TauriPlugin<Wry> {
        tauri_plugin_autostart::Builder::new()
            .app_name(words::NAME)
            .arg(HIDDEN)
            .build()
    }

    /// Whether the system starts the application when the person logs in.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn is_on(app: &AppHandle) -> Result<bool, String> {
        let on = app.autolaunch().is_enabled();
        on.map_err(|error| error.to_string())
    }

    /// Starts the application at login from now on, or no longer.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn turn(app: &AppHandle, on: bool) -> Result<(), String> {
        let login = app.autolaunch();
        let done = if on {
            login.enable()
        } else if is_on(app)? {
            login.disable()
        } else {
            Ok(())
        };
        done.map_err(|error| error.to_string())
    }
}
