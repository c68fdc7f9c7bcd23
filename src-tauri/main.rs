//! The desktop shell. Window, tray and notifications come with the desktop
//! application; until then the memory runs as `ozbrain serve`.

fn main() {}
