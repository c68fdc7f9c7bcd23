//! Cursor. It reads comments, and the file whenever it changes.

use crate::description::{Base, ByteOrderMark, Description, Link, On, Place, Running, Shape, Sign};
use crate::text::{Format, Json};
use ozbrain_core::views::clients::AfterChange;

pub(crate) const CLIENT: Description = Description {
    id: "cursor",
    name: "Cursor",
    places: &[Place::new(On::Every, Base::Home, ".cursor/mcp.json")],
    signs: &[
        Sign::Path(On::Every, Base::Home, ".cursor"),
        Sign::Path(On::Every, Base::App, "Cursor"),
        Sign::Path(On::MacOs, Base::Root, "Applications/Cursor.app"),
        Sign::Path(On::Windows, Base::LocalAppData, "Programs/cursor"),
        Sign::Command("cursor"),
    ],
    format: Format::Json(Json::COMMENTED),
    container: "mcpServers",
    shape: Shape::Plain,
    mark: ByteOrderMark::Goes,
    after: AfterChange::Nothing,
    running: Running::Fine,
    link: Some(Link::Cursor),
    bundle: None,
    rules: None,
};
