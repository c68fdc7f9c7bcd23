//! LM Studio.

use crate::description::{Base, ByteOrderMark, Description, Link, On, Place, Running, Shape, Sign};
use crate::text::{Format, Json};
use ozbrain_core::views::clients::AfterChange;

pub(crate) const CLIENT: Description = Description {
    id: "lmstudio",
    name: "LM Studio",
    places: &[Place::new(On::Every, Base::Home, ".lmstudio/mcp.json")],
    signs: &[
        Sign::Path(On::Every, Base::Home, ".lmstudio"),
        Sign::Path(On::MacOs, Base::Root, "Applications/LM Studio.app"),
        Sign::Command("lms"),
    ],
    format: Format::Json(Json::STRICT),
    container: "mcpServers",
    shape: Shape::Plain,
    mark: ByteOrderMark::Goes,
    after: AfterChange::Nothing,
    running: Running::Fine,
    link: Some(Link::LmStudio),
    bundle: None,
    rules: None,
};
