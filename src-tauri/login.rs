//! Starting at login: off until the person asks for it.

use crate::words;
use tauri::plugin::TauriPlugin;
use tauri::{AppHandle, Wry};
use tauri_plugin_autostart::ManagerExt;

/// What starts the application at login, in the tray alone.
pub(crate) fn plugin() -> TauriPlugin<Wry> {
    tauri_plugin_autostart::Builder::new()
        .app_name(words::NAME)
        .arg("--hidden")
        .build()
}

/// Whether the system starts the application when the person logs in.
///
/// # Errors
/// What the system says.
pub(crate) fn is_on(app: &AppHandle) -> Result<bool, String> {
    let login = app.autolaunch();
    let on = login.is_enabled().map_err(|error| error.to_string())?;
    #[cfg(target_os = "linux")]
    let on = on && !linux::is_hidden();
    Ok(on)
}

/// Starts the application at login from now on, or no longer.
///
/// # Errors
/// What the system says.
pub(crate) fn turn(app: &AppHandle, on: bool) -> Result<(), String> {
    let login = app.autolaunch();
    let said = |error: tauri_plugin_autostart::Error| error.to_string();
    if !on {
        return if login.is_enabled().map_err(said)? {
            login.disable().map_err(said)
        } else {
            Ok(())
        };
    }
    #[cfg(target_os = "linux")]
    linux::make_folder().map_err(|error| error.to_string())?;
    login.enable().map_err(said)?;
    #[cfg(target_os = "linux")]
    linux::quote().map_err(|error| error.to_string())?;
    Ok(())
}

/// What the plugin leaves out of the entry that it writes.
#[cfg(target_os = "linux")]
mod linux {
    use crate::words;
    use std::fs;
    use std::io::{self, ErrorKind};
    use std::path::PathBuf;

    fn folder() -> io::Result<PathBuf> {
        let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
        let home = home.ok_or_else(|| io::Error::from(ErrorKind::NotFound))?;
        Ok(home.join(".config").join("autostart"))
    }

    fn entry() -> io::Result<PathBuf> {
        Ok(folder()?.join(format!("{}.desktop", words::NAME)))
    }

    pub(super) fn make_folder() -> io::Result<()> {
        fs::create_dir_all(folder()?)
    }

    /// Whether the desktop's own settings turned the entry off.
    pub(super) fn is_hidden() -> bool {
        let text = entry().and_then(fs::read_to_string).unwrap_or_default();
        text.lines().any(|line| {
            let line = line.replace(' ', "");
            line == "Hidden=true" || line == "X-GNOME-Autostart-enabled=false"
        })
    }

    /// Quotes the program in the entry, whose path may have spaces.
    pub(super) fn quote() -> io::Result<()> {
        let file = entry()?;
        let text = quoted(&fs::read_to_string(&file)?);
        fs::write(file, text)
    }

    pub(super) fn quoted(entry: &str) -> String {
        let line = |line: &str| {
            let command = line.strip_prefix("Exec=");
            let Some((program, arguments)) = command.and_then(|line| line.rsplit_once(" --"))
            else {
                return line.to_owned();
            };
            let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
            if program.chars().all(plain) {
                return line.to_owned();
            }
            // As the Desktop Entry Specification has it: once for the quotes,
            // once for the string that they stand in.
            let mut quoted = String::new();
            for c in program.chars() {
                match c {
                    '"' | '`' | '$' => quoted.extend(["\\\\", &c.to_string()]),
                    '\\' => quoted.push_str("\\\\\\\\"),
                    '%' => quoted.push_str("%%"),
                    c => quoted.push(c),
                }
            }
            format!("Exec=\"{quoted}\" --{arguments}")
        };
        entry.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
    }

    #[cfg(test)]
    mod tests {
        use super::quoted;

        #[test]
        fn a_program_with_spaces_or_signs_in_its_path_is_quoted_in_the_entry() {
            let entry =
                |exec: &str| format!("[Desktop Entry]\nExec={exec} --hidden\nTerminal=false\n");
            for (path, written) in [
                ("/usr/bin/ozbrain-desktop", "/usr/bin/ozbrain-desktop"),
                ("/home/a b/x", r#""/home/a b/x""#),
                (r#"/a"b/x"#, r#""/a\\"b/x""#),
                ("/100%/$x", r#""/100%%/\\$x""#),
                (r"/a\b", r#""/a\\\\b""#),
            ] {
                assert_eq!(quoted(&entry(path)), entry(written), "{path}");
            }
        }
    }
}
