use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::super::every_script;
use super::*;

fn t(text: &str) -> String {
    terms(text).join(" ")
}

fn q(text: &str) -> String {
    question_terms(text).join(" ")
}

/// Whether a unit that says `text` is found by `question`.
fn finds(question: &str, text: &str) -> bool {
    let terms = terms(text);
    question_terms(question)
        .iter()
        .any(|term| terms.contains(term))
}

fn finds_all(question: &str, text: &str) -> bool {
    let terms = terms(text);
    question_terms(question)
        .iter()
        .all(|term| terms.contains(term))
}

#[test]
fn english_is_stemmed() {
    assert_eq!(t("Reviews happen on Fridays."), "review happen on friday");
    assert_eq!(t("The running clients"), "the run client");
    assert_eq!(t("s3 utf8 h264"), "s3 utf8 h264");
    assert_eq!(index_text("Reviews happen"), "review happen");
    assert_eq!(index_text("…"), "");
}

#[test]
fn compounds_give_their_parts_and_themselves() {
    assert_eq!(t("Q3-launch"), "q3launch q3 launch");
    assert_eq!(t("user_id"), "userid user id");
    assert_eq!(t("foo.bar"), "foobar foo bar");
    assert_eq!(t("a/b/c"), "a b c");
    assert_eq!(t("api.example-site.com"), "api examplesit exampl site com");
    assert_eq!(t("U.S.A."), "usa u s a");
    assert_eq!(t("clients/meridian"), "client meridian");
    assert!(finds_all("email", "Send an e-mail"));
    assert!(finds_all("nodejs", "Node.js 22"));
    assert!(finds_all("colleccio", "col·lecció"));
}

#[test]
fn apostrophes_bend_words() {
    assert_eq!(t("don't"), "dont");
    assert_eq!(t("DON’T"), "dont");
    assert_eq!(t("Meridian's budget"), "meridian budget");
    assert_eq!(t("the clients' data"), "the client data");
    assert_eq!(t("we'll she'd I'm you've"), "we she i you");
    assert_eq!(t("l'équipe"), "lequip l equip");
    assert_eq!(t("O'Brien's"), "obrien o brien");
    assert_eq!(t("Meridian's-plan"), "meridianplan meridian plan");
    assert!(finds_all("обʼєкт", "об'єкт"));
    assert!(finds_all("don´t panic", "don't panic"));
}

#[test]
fn camel_case_gives_both() {
    assert_eq!(t("userId"), "userid user id");
    assert_eq!(t("HTTPServer"), "httpserver http server");
    assert_eq!(t("OzBrain"), "ozbrain oz brain");
    assert_eq!(t("iPhone"), "iphon phone");
    assert_eq!(t("APIs"), "api");
    assert_eq!(t("URLS"), "url");
    assert_eq!(t("S3Bucket"), "s3bucket s3 bucket");
}

#[test]
fn numbers_keep_their_point() {
    assert_eq!(t("1.5"), "1·5");
    assert_eq!(t("15"), "15");
    assert_eq!(t("1·5"), "1·5");
    assert!(!finds("1.5", "15 apples, 1 and 5"));
    assert!(!finds("15", "1.5"));
    assert_eq!(t("v1.5"), "v1·5 1·5");
    assert_eq!(t("1.5GB"), "1·5gb 1·5 gb");
    assert_eq!(t("500ms v2"), "500ms 500 ms v2 2");
    assert_eq!(t("3f9a q3 utf8"), "3f9a q3 utf8");
    assert!(finds_all("1.5.2", "Version 1.5.2 is out."));
    assert!(finds_all("1.5", "Version 1.5.2 is out."));
    assert!(finds_all("2026", "On 28.07.2026"));
    assert_eq!(t("1,500 and 1,500,000.25"), "1500 and 1500000·25");
    assert_eq!(t("1,2,3 q1,500 1,5000"), "1 2 3 q1 500 1 5000");
    assert_eq!(t("2026-07-28"), "20260728 2026 07 28");
    assert_eq!(t("1-5 v1-5 1.5-2 utf-8"), "1 5 v1 1 5 1·5 2 utf8 utf 8");
    assert_eq!(t("It cost 5. Then"), "it cost 5 then");
    assert_eq!(t("٣٫ ৪ ๕"), "3 4 5");
}

#[test]
fn one_word_has_one_spelling() {
    for (one, other) in [
        ("Café", "cafe"),
        ("ÅNGSTRÖM", "angstrom"),
        ("Łódź", "LODZ"),
        ("Straße", "STRASSE"),
        ("ΟΔΌΣ", "οδος"),
        ("ёлка", "ЕЛКА"),
        ("ﬁle", "file"),
        ("ＱＡ", "qa"),
        ("½", "1/2"),
        ("H₂O", "h2o"),
        ("ᾳ", "ΑΙ"),
        ("שָׁלוֹם", "שלום"),
        ("مُحَمَّد", "محمد"),
        ("soft\u{AD}ware", "software"),
        ("naïve\u{FE0F}", "naive"),
        ("ﾊﾟﾝ", "パン"),
        ("한국", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}"),
    ] {
        assert_eq!(t(one), t(other), "{one} {other}");
    }
}

#[test]
fn scripts_without_spaces_give_pairs() {
    assert_eq!(t("東京都"), "東 東京 京 京都 都");
    assert_eq!(q("東京都"), "東京 京都");
    assert_eq!(q("猫"), "猫");
    assert_eq!(q("猫 and 東京"), "猫 東京");
    assert_eq!(t("使用Rust编写"), "使 使用 用 rust 编 编写 写");
    assert_eq!(t("GPT4模型"), "gpt4 模 模型 型");
    assert_eq!(t("がぎ"), "が がぎ ぎ");
    assert_eq!(t("か\u{3099}き\u{3099}"), "が がぎ ぎ");
    assert_eq!(t("กุ้ง"), "กุ้ กุ้ง ง");
    for (question, text) in [
        ("会议", "下周五的会议改到三点。"),
        ("予算", "来期の予算は四万です"),
        ("タワー", "東京タワーに行く"),
        ("회의", "다음 회의는 금요일입니다"),
        ("ประชุม", "การประชุมครั้งต่อไปวันศุกร์"),
        ("ກອງປະຊຸມ", "ກອງປະຊຸມຄັ້ງຕໍ່ໄປ"),
        ("ប្រជុំ", "ការប្រជុំបន្ទាប់"),
        ("အစည်း", "နောက်အစည်းအဝေး"),
    ] {
        assert!(finds_all(question, text), "{question}");
        assert!(
            finds_all(&question.nfd().collect::<String>(), text),
            "{question}"
        );
    }
}

#[test]
fn indic_words_keep_their_vowels() {
    assert_eq!(t("बैठक शुक्रवार को है"), "बैठक शुक्रवार को है");
    assert!(finds_all("तमिल தமிழ் বাংলা", "வணக்கம் தமிழ் तमिल বাংলা"));
    assert_eq!(t("क\u{93C}लम"), t("\u{958}लम"));
}

#[test]
fn signs_and_pictures_are_no_terms() {
    for text in [
        "",
        " \n",
        "…—!?",
        "* ( ) \" : ^ -",
        "👩‍🔧 🎉 ❤️ ✅",
        "🅰️ 🈁 🇫🇷",
        "\u{301}",
        "-'_.,",
    ] {
        assert_eq!(t(text), "", "{text:?}");
        assert_eq!(q(text), "", "{text:?}");
    }
    assert_eq!(t("done ✅."), "done");
}

#[test]
fn filler_is_left_out_of_questions() {
    assert_eq!(
        q("What is the budget of the Q3-launch?"),
        "budget q3launch q3 launch"
    );
    assert_eq!(q("When did Ana's team meet?"), "ana team meet");
    assert_eq!(q("what's the"), "what the");
    assert_eq!(q("Who is it?"), "who is it");
    assert_eq!(q("Budget budgets BUDGET"), "budget");
    assert_eq!(q("Who leads IT?"), "lead it");
    assert_eq!(
        q("budget AND launch NEAR friday* (NOT 'x')"),
        "budget launch near friday x"
    );
    let long: Vec<String> = (0..100).map(|n| format!("w{n}")).collect();
    assert_eq!(question_terms(&long.join(" ")).len(), 32);
}

#[test]
fn long_words_are_cut_alike() {
    let word = "x".repeat(1000);
    assert_eq!(terms(&word), ["x".repeat(64)]);
    assert!(finds_all(&word, &word));
    assert!(
        terms(&"é\u{fe}ß界\u{301}".repeat(500))
            .iter()
            .all(|term| term.len() <= 64)
    );
}

#[test]
fn wanted_terms_are_counted_once() {
    let terms = question_terms("dying clients, skies and 東京 budgets");
    let wanted = Wanted::new(&terms);
    assert_eq!(
        wanted.count_in("To die for a client's sky in 東京都, client!"),
        4
    );
    assert_eq!(wanted.count_in("nothing"), 0);
}

/// Whether `term` may be given to the index.
fn is_term(term: &str) -> bool {
    (1..=64).contains(&term.len())
        && term.chars().all(|c| match c {
            'a'..='z' | '0'..='9' | '·' => true,
            c => !c.is_ascii() && (c.is_alphanumeric() || is_combining_mark(c)),
        })
}

#[test]
fn every_character_keeps_the_alphabet() {
    for c in every_script() {
        for text in [c.to_string(), format!("a{c}b"), format!("東{c}1")] {
            let given = terms(&text);
            assert!(given.iter().all(|term| is_term(term)), "{c:?} {given:?}");
            assert_eq!(terms(&text.nfd().collect::<String>()), given, "{c:?}");
        }
        let upper = c.to_uppercase().to_string();
        assert!(
            terms(&upper).is_empty() || finds(&upper, &c.to_string()),
            "{c:?}"
        );
    }
}

/// Text in which everything that can go wrong is near.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC*",
        "[a-zA-Z0-9'’._,/ -]{0,40}",
        "[aAßẞΣσςİıéǆӁйøÆ'\u{301}\u{323}\u{345}\u{200D}\u{FE0F}]{0,20}",
        "[東京かﾊﾞ\u{3099}한ㅋกำ\u{E49}က္ခក្រa1 .]{0,20}",
        "[हिन्दी\u{93C}தமிழ்a1·. ]{0,20}",
    ]
}

proptest! {
    #[test]
    fn terms_keep_the_alphabet(text in text()) {
        let given = terms(&text);
        prop_assert!(given.iter().all(|term| is_term(term)), "{:?}", given);
        prop_assert_eq!(index_text(&text), given.join(" "));
        prop_assert_eq!(terms(&text.nfc().collect::<String>()), given.clone());
        prop_assert_eq!(terms(&text.nfd().collect::<String>()), given);
    }

    #[test]
    fn questions_ask_for_terms_of_their_text(text in text()) {
        let (asked, given) = (question_terms(&text), terms(&text));
        prop_assert!(asked.iter().all(|term| given.contains(term)), "{:?} {:?}", asked, given);
        prop_assert_eq!(asked.is_empty(), given.is_empty());
        prop_assert!(asked.len() <= 32);
        let wanted = Wanted::new(&asked);
        prop_assert_eq!(wanted.count_in(&text), asked.len());
    }

    #[test]
    fn every_word_is_found_in_any_case_and_composition(text in text()) {
        // In capitals the iota subscript is a letter of its own, in small ones a mark.
        prop_assume!(!text.nfd().any(|c| c == '\u{345}'));
        for word in text.split_whitespace() {
            for asked in [
                word.to_owned(),
                word.to_lowercase(),
                word.to_uppercase(),
                word.nfd().collect(),
                word.to_uppercase().nfd().collect(),
            ] {
                prop_assert!(terms(&asked).is_empty() || finds(&asked, &text), "{:?}", asked);
            }
        }
    }

    #[test]
    fn pairs_are_found_in_longer_runs(
        run in "[\u{4E00}-\u{9FFF}ぁ-ゖァ-ヺ가-힣]{2,12}",
        at in 0_usize..11,
    ) {
        let at = at % (run.chars().count() - 1);
        let pair: String = run.chars().skip(at).take(2).collect();
        prop_assert!(finds_all(&pair, &run));
    }

    #[test]
    fn query_syntax_is_only_words(
        words in prop::collection::vec(
            "[a-z]{1,6}|AND|OR|NOT|NEAR|\\*|\\(|\\)|\"|:|\\^|-|'",
            0..12,
        ),
    ) {
        for text in [words.join(" "), words.concat()] {
            prop_assert!(terms(&text).iter().all(|term| is_term(term)));
            prop_assert!(question_terms(&text).iter().all(|term| is_term(term)));
        }
    }
}

#[test]
fn a_word_that_is_being_typed_begins_a_term() {
    let typed = |text: &str| last_word(text).map(|(word, _)| word);
    assert_eq!(typed("the Laun"), Some("laun".into()));
    assert_eq!(typed("x"), None);
    assert_eq!(typed("  "), None);
    // Each beginning of a word leads to the word's own term.
    for word in ["quickly", "delaying", "running", "delayed", "statement"] {
        let term = &terms(word)[0];
        for end in 3..=word.len() {
            let begun = &word[..end];
            let (beginning, mut exact) = last_word(begun).unwrap();
            exact.extend(terms(begun));
            assert!(
                term.starts_with(&beginning) || exact.contains(term),
                "{begun}"
            );
        }
    }
}
