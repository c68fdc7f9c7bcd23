//! What the program is started with.

/// What the program is asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Args {
    /// Starts in the tray, without a window: how the system starts it at login.
    pub(crate) hidden: bool,
    /// A link to follow, such as `ozbrain:team:projects/q3-launch`.
    pub(crate) link: Option<String>,
}

impl Args {
    /// Reads the arguments after the program's name. What is not known is
    /// passed over: systems add arguments of their own.
    pub(crate) fn parse(args: impl IntoIterator<Item = String>) -> Self {
        let mut read = Self::default();
        for arg in args {
            if arg == "--hidden" {
                read.hidden = true;
            } else if read.link.is_none() && crate::links::is_link(&arg) {
                read.link = Some(arg);
            }
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(args: &[&str]) -> Args {
        Args::parse(args.iter().map(|arg| (*arg).to_owned()))
    }

    #[test]
    fn the_flag_and_the_first_link_are_read_and_the_rest_is_passed_over() {
        assert_eq!(parse(&[]), Args::default());
        let args = parse(&["-psn_0_1", "--hidden", "x", "ozbrain:a:b", "ozbrain:c:d"]);
        assert!(args.hidden);
        assert_eq!(args.link.as_deref(), Some("ozbrain:a:b"));
        assert_eq!(parse(&["OzBrain:A"]).link.as_deref(), Some("OzBrain:A"));
    }
}
