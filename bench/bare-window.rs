//! A window of the same toolkit that shows one word and does nothing more: what
//! the desktop application's memory, and the time until its window is there, are
//! measured against.

use tauri::http::{HeaderValue, Response, header::CONTENT_TYPE};
use tauri::{Builder, Url, WebviewUrl, WebviewWindowBuilder, generate_context};

const PAGE: &str = "<!doctype html><title>Bare</title><body style=font-size:20vw>Bare</body>";

fn main() -> tauri::Result<()> {
    let address: Url = "bare://localhost/"
        .parse()
        .map_err(|_| tauri::Error::CannotDeserializeScope("the address is written here".into()))?;
    Builder::default()
        .register_uri_scheme_protocol("bare", |_, _| {
            let mut page = Response::new(PAGE.as_bytes());
            let html = HeaderValue::from_static("text/html");
            page.headers_mut().insert(CONTENT_TYPE, html);
            page
        })
        .setup(|app| {
            WebviewWindowBuilder::new(app, "bare", WebviewUrl::CustomProtocol(address))
                .title("Bare")
                .inner_size(1180.0, 780.0)
                .build()?;
            Ok(())
        })
        .run(generate_context!())
}
