//! A window of the same toolkit that shows one word and does nothing more: what
//! the desktop application's memory, and the time until its window is there, are
//! measured against.

use tauri::http::Response;
use tauri::{Builder, Url, WebviewUrl, WebviewWindowBuilder, generate_context};

const PAGE: &str = "<!doctype html><title>Bare</title><body>Bare</body>";

fn main() -> tauri::Result<()> {
    let address: Url = "bare://localhost/"
        .parse()
        .map_err(|_| tauri::Error::CannotDeserializeScope("the address is written here".into()))?;
    Builder::default()
        .register_uri_scheme_protocol("bare", |_, _| Response::new(PAGE.as_bytes()))
        .setup(|app| {
            WebviewWindowBuilder::new(app, "bare", WebviewUrl::CustomProtocol(address))
                .title("Bare")
                .inner_size(1180.0, 780.0)
                .build()?;
            Ok(())
        })
        .run(generate_context!())
}
