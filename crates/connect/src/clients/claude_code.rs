//! Claude Code. Its file is written often by every session that runs, under
//! the lock of proper-lockfile: a folder beside the file.

use super::claude_desktop;
use crate::description::{
    Base, ByteOrderMark, Description, On, Place, Rules, Running, Shape, Sign,
};
use crate::process::Program;
use crate::text::{Format, Json};
use ozbrain_core::views::clients::AfterChange;

pub(crate) const CLIENT: Description = Description {
    id: "claude-code",
    name: "Claude Code",
    places: &[
        Place::new(
            On::Every,
            Base::Variable("CLAUDE_CONFIG_DIR"),
            ".claude.json",
        )
        .claimed_by(""),
        Place::new(On::Every, Base::Home, ".claude.json"),
    ],
    signs: &[
        Sign::Path(On::Every, Base::Home, ".claude"),
        Sign::Command("claude"),
    ],
    format: Format::Json(Json::STRICT),
    container: "mcpServers",
    shape: Shape::Typed,
    mark: ByteOrderMark::Goes,
    after: AfterChange::NewSession,
    running: Running::OwnCommand(
        "claude",
        &[
            Program::named(On::Unix, "claude"),
            // What `claude` leads to is called as its version.
            Program::within(On::Unix, &["/claude/versions/"]),
            Program::named(On::Windows, "claude").outside(claude_desktop::WINDOWS_FOLDERS),
            Program::within(On::Windows, &["/claude/versions/"]),
        ],
    ),
    link: None,
    bundle: None,
    rules: Some(Rules::at(&[
        Place::new(On::Every, Base::Variable("CLAUDE_CONFIG_DIR"), "CLAUDE.md").claimed_by(""),
        Place::new(On::Every, Base::Home, ".claude/CLAUDE.md"),
    ])),
};
