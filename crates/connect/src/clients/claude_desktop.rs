//! Claude Desktop. It reads JSON without comments, rejects a byte-order mark
//! by resetting the whole file, and writes the file anew from what it holds;
//! while it runs it takes a server as an extension alone.

use crate::description::{
    Base, Bundle, ByteOrderMark, Description, On, Place, Running, Shape, Sign,
};
use crate::process::Program;
use crate::text::{Format, Json};
use ozbrain_core::views::clients::AfterChange;

/// Where its program lies on Windows: of the Store build, and of the other. It is
/// called as that of Claude Code.
pub(super) const WINDOWS_FOLDERS: &[&str] = &["/WindowsApps/Claude_", "/AnthropicClaude/"];

pub(crate) const CLIENT: Description = Description {
    id: "claude-desktop",
    name: "Claude Desktop",
    places: &[
        // The Store build sees a file of its own; one left in %APPDATA% by an
        // older build is not read.
        Place::new(
            On::Windows,
            Base::LocalAppData,
            "Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json",
        )
        .claimed_by("Packages/Claude_*"),
        Place::new(On::Every, Base::App, "Claude/claude_desktop_config.json"),
    ],
    signs: &[
        Sign::Path(On::Every, Base::App, "Claude"),
        Sign::Path(On::MacOs, Base::Root, "Applications/Claude.app"),
        Sign::Path(On::MacOs, Base::Home, "Applications/Claude.app"),
        Sign::Path(On::Windows, Base::LocalAppData, "AnthropicClaude"),
        Sign::Path(On::Windows, Base::LocalAppData, "Packages/Claude_*"),
        Sign::Command("claude-desktop"),
    ],
    format: Format::Json(Json::STRICT),
    container: "mcpServers",
    shape: Shape::Plain,
    mark: ByteOrderMark::Goes,
    after: AfterChange::Restart,
    // Not `claude`: that is Claude Code.
    running: Running::QuitFirst(&[
        Program::named(On::Unix, "Claude"),
        Program::named(On::Unix, "claude-desktop"),
        Program::within(On::Windows, WINDOWS_FOLDERS).called("claude"),
    ]),
    link: None,
    // The builds for Linux are not its maker's, and whether one opens such a file
    // is not known of any.
    bundle: Some(Bundle {
        on: &[On::MacOs, On::Windows],
        file: "ozbrain.mcpb",
        unpacked: &[
            Place::new(
                On::Windows,
                Base::LocalAppData,
                "Packages/Claude_*/LocalCache/Roaming/Claude/Claude Extensions/local.*/manifest.json",
            ),
            Place::new(
                On::Every,
                Base::App,
                "Claude/Claude Extensions/local.*/manifest.json",
            ),
        ],
        settings: "Settings > Extensions",
    }),
    rules: None,
};
