use proptest::prelude::*;

use super::super::analysis::question_terms;
use super::*;

fn texts(body: &str) -> Vec<String> {
    pieces(body).into_iter().map(|piece| piece.text).collect()
}

#[test]
fn a_short_body_is_one_piece() {
    assert_eq!(
        texts("Reviews are on  Fridays.\nAt  ten."),
        ["Reviews are on Fridays. At ten."]
    );
    assert_eq!(texts(" \n"), [""; 0]);
    assert_eq!(texts("---"), ["---"]);
    assert_eq!(texts("🎉"), ["🎉"]);
}

#[test]
fn paragraphs_part_and_lists_hold() {
    let body = "# Launch\n\nIn October.\n\n## Money\n- Budget: 40k\n- Owner: Ana\n\n\
        ```sh\nls\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |";
    assert_eq!(
        texts(body),
        [
            "# Launch In October.",
            "## Money - Budget: 40k - Owner: Ana",
            "ls",
            "| a | b | | 1 | 2 |"
        ]
    );
}

#[test]
fn long_paragraphs_are_cut_at_sentences() {
    let sentence = "The harbour office closes at four on every day of the week but one. ";
    let pieces = pieces(&sentence.repeat(10));
    assert_eq!(pieces.len(), 5);
    assert!(
        pieces
            .iter()
            .all(|piece| piece.text == format!("{0}{0}", sentence).trim_end())
    );
}

#[test]
fn long_sentences_are_cut_at_words() {
    let body = "harbour office ".repeat(40);
    let pieces = pieces(&body);
    assert!(pieces.len() > 1);
    assert!(
        pieces
            .iter()
            .all(|piece| piece.text.starts_with(['h', 'o']) && piece.text.ends_with(['r', 'e']))
    );
    let joined: Vec<&str> = pieces.iter().map(|piece| piece.text.as_str()).collect();
    assert_eq!(joined.join(" "), body.trim_end());
}

#[test]
fn words_without_end_are_cut_all_the_same() {
    for run in [
        "a",
        "xq",
        "界",
        "=<",
        "👩‍🔧",
        "e\u{301}\u{323}",
        "\u{301}",
        "กำ",
        "\\\"",
        "9",
    ] {
        let pieces = pieces(&run.repeat(10_000));
        assert!((20..=PIECES).contains(&pieces.len()), "{run}");
        assert!(pieces.iter().all(|piece| piece.tokens <= PIECE_TOKENS));
    }
    let text = "界".repeat(500);
    assert_eq!(texts(&text).concat(), text);
}

#[test]
fn pieces_are_pairs_in_json() {
    let piece = Piece {
        text: "Yes.".into(),
        tokens: 3,
    };
    let json = serde_json::to_string(&piece).unwrap();
    assert_eq!(json, r#"["Yes.",3]"#);
    assert_eq!(serde_json::from_str::<Piece>(&json).unwrap(), piece);
}

#[test]
fn the_best_piece_holds_most_terms() {
    let pieces = pieces(
        "Offices are open.\n\nThe budget is 40k.\n\nBudgets of the launch.\n\nLaunch budget.",
    );
    let best = |question: &str| &best_piece(&pieces, &question_terms(question)).unwrap().text;
    assert_eq!(best("budget"), "The budget is 40k.");
    assert_eq!(best("What is the launch budget?"), "Budgets of the launch.");
    assert_eq!(best("nothing"), "Offices are open.");
    assert_eq!(best(""), "Offices are open.");
    assert_eq!(best_piece(&[], &[]), None);
}

fn body() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "([a-zA-Z0-9.]{1,12}[ \n.]{1,2}|\n\n# |\n- |\n1\\. |\\|){0,200}",
        "(\\PC{0,60}[ \n]){0,20}",
        "[東京。か\u{3099}กำ👩\u{200D}🔧\u{301} \"\\\\]{0,400}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn pieces_keep_their_limits(body in body()) {
        let pieces = pieces(&body);
        prop_assert_eq!(pieces.is_empty(), body.trim().is_empty());
        prop_assert!(pieces.len() <= PIECES);
        for piece in &pieces {
            prop_assert!(piece.tokens <= PIECE_TOKENS);
            prop_assert_eq!(piece.tokens, count_json(&piece.text));
            prop_assert!(!piece.text.is_empty());
            let words: Vec<&str> = piece.text.split_whitespace().collect();
            prop_assert_eq!(words.join(" "), piece.text.as_str());
        }
        prop_assert!(best_piece(&pieces, &question_terms(&body)).is_some() || pieces.is_empty());
    }

    #[test]
    fn pieces_leave_no_text_out(body in "([a-z]{1,9}[.,]?[ \n]){0,60}") {
        let all = texts(&body).join(" ");
        let words: Vec<&str> = all.split_whitespace().collect();
        prop_assert_eq!(words, body.split_whitespace().collect::<Vec<_>>());
    }
}
