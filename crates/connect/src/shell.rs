//! Commands as one line that a shell takes.

use crate::environment::Platform;

/// Words as one line of the usual shell of a system.
pub(crate) fn line(words: &[String], platform: Platform) -> String {
    let words: Vec<String> = words.iter().map(|word| quoted(word, platform)).collect();
    words.join(" ")
}

fn quoted(word: &str, platform: Platform) -> String {
    let windows = platform == Platform::Windows;
    let plain =
        |c: char| c.is_ascii_alphanumeric() || "-_./:=+@,".contains(c) || (windows && c == '\\');
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else if windows {
        for_windows(word)
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// As programs for Windows take their command line apart: a backslash means
/// itself, but for those right before a quote.
fn for_windows(word: &str) -> String {
    let mut line = String::from("\"");
    let mut backslashes = 0;
    for c in word.chars() {
        match c {
            '\\' => backslashes += 1,
            '"' => {
                line.push_str(&"\\".repeat(backslashes + 1));
                backslashes = 0;
            }
            _ => backslashes = 0,
        }
        line.push(c);
    }
    line.push_str(&"\\".repeat(backslashes));
    line.push('"');
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(words: &[&str], platform: Platform) -> String {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        line(&words, platform)
    }

    #[test]
    fn words_are_quoted_where_a_shell_would_change_them() {
        for (words, unix, windows) in [
            (
                &["/usr/bin/ozbrain", "mcp", "--data-dir", "/home/ann/a b"][..],
                "/usr/bin/ozbrain mcp --data-dir '/home/ann/a b'",
                "/usr/bin/ozbrain mcp --data-dir \"/home/ann/a b\"",
            ),
            (&["it's", ""], "'it'\\''s' ''", "\"it's\" \"\""),
            (&["{\"a\":1}"], "'{\"a\":1}'", "\"{\\\"a\\\":1}\""),
            (
                &[r"C:\Data", r"C:\My Data\", r#"a b\"c"#],
                r#"'C:\Data' 'C:\My Data\' 'a b\"c'"#,
                r#"C:\Data "C:\My Data\\" "a b\\\"c""#,
            ),
            (
                &["$HOME", "%PATH%", "a&b"],
                "'$HOME' '%PATH%' 'a&b'",
                r#""$HOME" "%PATH%" "a&b""#,
            ),
        ] {
            assert_eq!(of(words, Platform::Linux), unix);
            assert_eq!(of(words, Platform::MacOs), unix);
            assert_eq!(of(words, Platform::Windows), windows);
        }
    }

    /// The words of a line, as programs for Windows take it apart.
    fn parted(line: &str) -> Vec<String> {
        let mut words = Vec::new();
        let mut word = String::new();
        let mut inside = false;
        let mut rest = line.chars().peekable();
        while let Some(c) = rest.next() {
            match c {
                '\\' => {
                    let mut count = 1;
                    while rest.next_if_eq(&'\\').is_some() {
                        count += 1;
                    }
                    if rest.peek() == Some(&'"') {
                        word.push_str(&"\\".repeat(count / 2));
                        if count % 2 == 1 {
                            word.push('"');
                            rest.next();
                        }
                    } else {
                        word.push_str(&"\\".repeat(count));
                    }
                }
                '"' => inside = !inside,
                ' ' if !inside => words.push(std::mem::take(&mut word)),
                c => word.push(c),
            }
        }
        words.push(word);
        words
    }

    proptest! {
        #[test]
        fn a_program_gets_the_words_that_were_meant(
            words in prop::collection::vec("[a-z \\\\\"'$%{}:]{0,8}", 1..5),
        ) {
            prop_assert_eq!(parted(&line(&words, Platform::Windows)), words.clone());
            #[cfg(unix)]
            {
                let script = format!("printf '%s\\n' {}", line(&words, Platform::Linux));
                let ran = std::process::Command::new("/bin/sh").args(["-c", &script]).output();
                let printed = String::from_utf8(ran.unwrap().stdout).unwrap();
                let lines: Vec<&str> = printed.split_terminator('\n').collect();
                prop_assert_eq!(lines, words);
            }
        }
    }
}
