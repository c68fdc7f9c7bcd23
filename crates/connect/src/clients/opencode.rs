//! opencode. It reads comments and trailing commas, in either file.

use crate::description::{Base, ByteOrderMark, Description, On, Place, Running, Shape, Sign};
use crate::text::{Format, Json};
use ozbrain_core::views::clients::AfterChange;

pub(crate) const CLIENT: Description = Description {
    id: "opencode",
    name: "opencode",
    places: &[
        Place::new(On::Every, Base::Xdg, "opencode/opencode.json"),
        Place::new(On::Every, Base::Xdg, "opencode/opencode.jsonc"),
    ],
    signs: &[
        Sign::Path(On::Every, Base::Xdg, "opencode"),
        Sign::Path(On::Every, Base::Home, ".opencode"),
        Sign::Command("opencode"),
    ],
    format: Format::Json(Json::LENIENT),
    container: "mcp",
    shape: Shape::Local,
    mark: ByteOrderMark::Goes,
    after: AfterChange::NewSession,
    running: Running::Fine,
    link: None,
};
