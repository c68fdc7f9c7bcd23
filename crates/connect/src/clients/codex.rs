//! Codex: the command line, the editors' extension and the ChatGPT desktop
//! app read one file.

use crate::description::{
    Base, ByteOrderMark, Description, On, Place, Rules, Running, Shape, Sign,
};
use crate::text::Format;
use ozbrain_core::views::clients::AfterChange;

pub(crate) const CLIENT: Description = Description {
    id: "codex",
    name: "Codex and ChatGPT",
    places: &[
        Place::new(On::Every, Base::Variable("CODEX_HOME"), "config.toml").claimed_by(""),
        Place::new(On::Every, Base::Home, ".codex/config.toml"),
    ],
    signs: &[
        Sign::Path(On::Every, Base::Home, ".codex"),
        Sign::Path(On::MacOs, Base::Root, "Applications/Codex.app"),
        Sign::Path(On::MacOs, Base::Root, "Applications/ChatGPT.app"),
        Sign::Path(
            On::Windows,
            Base::LocalAppData,
            "Packages/OpenAI.ChatGPT-Desktop_*",
        ),
        Sign::Command("codex"),
    ],
    format: Format::Toml,
    container: "mcp_servers",
    shape: Shape::Plain,
    mark: ByteOrderMark::Stays,
    after: AfterChange::NewSession,
    running: Running::Fine,
    link: None,
    bundle: None,
    rules: Some(Rules {
        first_filled: true,
        ..Rules::at(&[
            Place::new(
                On::Every,
                Base::Variable("CODEX_HOME"),
                "AGENTS.override.md",
            ),
            Place::new(On::Every, Base::Variable("CODEX_HOME"), "AGENTS.md"),
            Place::new(On::Every, Base::Home, ".codex/AGENTS.override.md"),
            Place::new(On::Every, Base::Home, ".codex/AGENTS.md"),
        ])
    }),
};
