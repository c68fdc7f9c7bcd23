//! Goose, on the command line and on the desktop.

use crate::description::{
    Base, ByteOrderMark, Description, Link, On, Place, Rules, Running, Shape, Sign,
};
use crate::text::Format;
use ozbrain_core::views::clients::AfterChange;

pub(crate) const CLIENT: Description = Description {
    id: "goose",
    name: "Goose",
    places: &[
        Place::new(
            On::Every,
            Base::Variable("GOOSE_PATH_ROOT"),
            "config/config.yaml",
        )
        .claimed_by(""),
        Place::new(On::Windows, Base::App, "Block/goose/config/config.yaml"),
        Place::new(On::Unix, Base::Xdg, "goose/config.yaml"),
    ],
    signs: &[
        Sign::Path(On::Windows, Base::App, "Block/goose"),
        Sign::Path(On::Unix, Base::Xdg, "goose"),
        Sign::Path(On::MacOs, Base::Root, "Applications/Goose.app"),
        Sign::Command("goose"),
    ],
    format: Format::Yaml,
    container: "extensions",
    shape: Shape::Extension,
    mark: ByteOrderMark::Stays,
    after: AfterChange::NewSession,
    running: Running::Fine,
    link: Some(Link::Goose),
    bundle: None,
    rules: Some(Rules::at(&[
        Place::new(
            On::Every,
            Base::Variable("GOOSE_PATH_ROOT"),
            "config/.goosehints",
        )
        .claimed_by(""),
        Place::new(On::Windows, Base::App, "Block/goose/config/.goosehints"),
        Place::new(On::Unix, Base::Xdg, "goose/.goosehints"),
    ])),
};
