//! Links by which clients install a server themselves, after they asked the
//! person.

use crate::description::{Link, Shape};
use crate::entry::Launch;
use crate::text::Tree;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What `encodeURIComponent` leaves.
const PART: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

fn part(text: &str) -> String {
    utf8_percent_encode(text, PART).to_string()
}

/// The link that installs an entry. `scheme`: that of another edition than the
/// usual one.
pub(crate) fn install(link: Link, scheme: Option<&str>, name: &str, launch: &Launch) -> String {
    let plain = launch.entry(Shape::Plain, name).json(false);
    let config = || part(&STANDARD.encode(&plain));
    match link {
        Link::Cursor => format!(
            "cursor://anysphere.cursor-deeplink/mcp/install?name={}&config={}",
            part(name),
            config()
        ),
        Link::LmStudio => format!("lmstudio://add_mcp?name={}&config={}", part(name), config()),
        Link::VsCode => {
            let mut all = vec![("name".to_owned(), Tree::text(name))];
            let entry = launch.entry(Shape::Typed, name);
            all.extend_from_slice(entry.pairs().unwrap_or_default());
            format!(
                "{}:mcp/install?{}",
                scheme.unwrap_or("vscode"),
                part(&Tree::Map(all).json(false))
            )
        }
        Link::Goose => {
            let arguments: Vec<String> = launch
                .arguments
                .iter()
                .map(|argument| format!("&arg={}", part(argument)))
                .collect();
            format!(
                "goose://extension?cmd={}{}&id={}&name={}&description={}",
                part(&launch.program),
                arguments.concat(),
                part(name),
                part("OzBrain"),
                part("A memory that all your agents share")
            )
        }
    }
}
