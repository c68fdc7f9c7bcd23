//! Serves the screens: the page for each of its places, and its files.

use crate::http::refused;
use axum::body::Body;
use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use ozbrain_core::Code;
use rust_embed::{Embed, EmbeddedFile};

/// What Vite built. A program with debug assertions reads it from its folder.
#[derive(Embed)]
#[folder = "../../ui/dist"]
#[allow_missing = true]
struct Built;

// The folder's place is in what is compiled: a checkout elsewhere that shares
// the target folder must not read the screens of this one.
const _: &str = env!("CARGO_MANIFEST_DIR");

const PAGE: &str = "index.html";

/// Where files lie whose names change with what they say.
const HASHED: &str = "assets/";

/// Answers what is no door: the page, or one of its files.
pub(crate) async fn screens(method: Method, uri: Uri) -> Response {
    answer(&method, uri.path(), Built::get)
}

fn answer(method: &Method, path: &str, file: impl Fn(&str) -> Option<EmbeddedFile>) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return nothing();
    }
    let path = path.trim_start_matches('/');
    let (name, caching) = match kind(path) {
        Kind::Hashed => (path, "public, max-age=31536000, immutable"),
        Kind::File => (path, "no-cache"),
        Kind::Place => (PAGE, "no-cache"),
    };
    match file(name) {
        Some(file) => {
            let headers = [
                (header::CONTENT_TYPE, content_type(name)),
                (header::CACHE_CONTROL, caching),
            ];
            (headers, Body::from(file.data.into_owned())).into_response()
        }
        None if name == PAGE => (
            StatusCode::NOT_FOUND,
            [(header::CONTENT_TYPE, "text/plain; charset=utf-8")],
            "The screens are not built. Run `npm start`.\n",
        )
            .into_response(),
        None => nothing(),
    }
}

fn nothing() -> Response {
    refused(
        StatusCode::NOT_FOUND,
        Code::Invalid.as_str(),
        "There is nothing here.",
    )
}

enum Kind {
    Hashed,
    File,
    /// A place of the page itself, such as `/inbox`. Topics may have dots.
    Place,
}

fn kind(path: &str) -> Kind {
    if path.starts_with(HASHED) {
        Kind::Hashed
    } else if !path.contains('/') && path.contains('.') {
        Kind::File
    } else {
        Kind::Place
    }
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::to_bytes;
    use rust_embed::Metadata;

    /// A folder with the page, a hashed script and an icon.
    fn built(name: &str) -> Option<EmbeddedFile> {
        ["index.html", "assets/app-1a2b.js", "icon.svg"]
            .contains(&name)
            .then(|| EmbeddedFile {
                data: name.to_owned().into_bytes().into(),
                metadata: Metadata::__rust_embed_new([0; 32], None, None),
            })
    }

    async fn get(path: &str) -> (u16, String, String, String) {
        told(answer(&Method::GET, path, built)).await
    }

    async fn told(answer: Response) -> (u16, String, String, String) {
        let (head, body) = answer.into_parts();
        let header = |name| {
            let value = head.headers.get(name);
            value.map_or("", |value| value.to_str().unwrap()).to_owned()
        };
        let body = to_bytes(body, 1_000).await.unwrap();
        (
            head.status.as_u16(),
            header(header::CONTENT_TYPE),
            header(header::CACHE_CONTROL),
            String::from_utf8(body.to_vec()).unwrap(),
        )
    }

    #[tokio::test]
    async fn every_place_is_the_page() {
        for path in [
            "/",
            "/inbox",
            "/conflicts/01J8",
            "/brains/team/acme.com",
            "/brains/team/..%2f..%2fetc",
            "/../../etc/passwd",
        ] {
            let (status, kind, caching, body) = get(path).await;
            assert_eq!((status, body.as_str()), (200, "index.html"), "{path}");
            assert_eq!(kind, "text/html; charset=utf-8");
            assert_eq!(caching, "no-cache");
        }
    }

    #[tokio::test]
    async fn files_have_their_types_and_hashed_ones_are_kept_for_long() {
        let (status, kind, caching, body) = get("/assets/app-1a2b.js").await;
        assert_eq!((status, body.as_str()), (200, "assets/app-1a2b.js"));
        assert_eq!(kind, "text/javascript; charset=utf-8");
        assert!(caching.contains("immutable"), "{caching}");
        let (status, kind, caching, _) = get("/icon.svg").await;
        assert_eq!((status, kind.as_str()), (200, "image/svg+xml"));
        assert_eq!(caching, "no-cache");
        for path in [
            "/assets/gone.js",
            "/assets/",
            "/robots.txt",
            "/assets/../index.html",
        ] {
            assert_eq!(get(path).await.0, 404, "{path}");
        }
    }

    #[tokio::test]
    async fn a_page_that_was_not_built_says_so() {
        for path in ["/", "/inbox"] {
            let answer = answer(&Method::GET, path, |_| None);
            let (status, _, _, body) = told(answer).await;
            assert_eq!(status, 404);
            assert_eq!(body, "The screens are not built. Run `npm start`.\n");
        }
    }

    #[tokio::test]
    async fn nothing_is_sent_here() {
        for method in [Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS] {
            let (status, ..) = told(answer(&method, "/inbox", built)).await;
            assert_eq!(status, 404, "{method}");
        }
    }

    #[test]
    fn what_lies_beside_the_screens_is_not_served() {
        for path in [
            "assets/../../package.json",
            "../package.json",
            "assets/../../../Cargo.toml",
            "/etc/passwd",
            "assets//etc/passwd",
            "assets/..\\..\\package.json",
        ] {
            assert!(Built::get(path).is_none(), "{path}");
        }
    }
}
