//! Windsurf.

use crate::description::{
    Base, ByteOrderMark, Description, On, Place, Rules, Running, Shape, Sign,
};
use crate::text::{Format, Json};
use ozbrain_core::views::clients::AfterChange;

pub(crate) const CLIENT: Description = Description {
    id: "windsurf",
    name: "Windsurf",
    places: &[
        Place::new(On::Every, Base::Home, ".codeium/windsurf/mcp_config.json")
            .claimed_by(".codeium/windsurf"),
        // Some builds.
        Place::new(On::Every, Base::Home, ".codeium/mcp_config.json"),
    ],
    signs: &[
        Sign::Path(On::Every, Base::Home, ".codeium/windsurf"),
        Sign::Path(On::Every, Base::App, "Windsurf"),
        Sign::Path(On::MacOs, Base::Root, "Applications/Windsurf.app"),
        Sign::Path(On::Windows, Base::LocalAppData, "Programs/Windsurf"),
        Sign::Command("windsurf"),
    ],
    format: Format::Json(Json::STRICT),
    container: "mcpServers",
    shape: Shape::Plain,
    mark: ByteOrderMark::Goes,
    after: AfterChange::Restart,
    running: Running::Fine,
    link: None,
    bundle: None,
    rules: Some(Rules::at(&[Place::new(
        On::Every,
        Base::Home,
        ".codeium/windsurf/memories/global_rules.md",
    )])),
};
