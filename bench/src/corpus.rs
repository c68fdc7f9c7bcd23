//! Units and questions made from a seed: the same in every run. Words are drawn
//! by Zipf's law, so that a few are everywhere and most are rare, as in notes
//! that people and agents write.

/// Steele, Lea and Flood's SplitMix64: small, and good enough to draw words.
pub struct Random(u64);

impl Random {
    pub const fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap_or(0)
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

const VOCABULARY: usize = 12_000;
const STARTS: [&str; 20] = [
    "ba", "cor", "del", "fen", "gra", "har", "jo", "kel", "lum", "mar", "nor", "pel", "quin",
    "ros", "sal", "tam", "ul", "ver", "wes", "zor",
];
const MIDDLES: [&str; 16] = [
    "", "a", "be", "di", "en", "fi", "go", "la", "li", "mo", "na", "or", "ri", "sta", "ti", "vu",
];
const ENDS: [&str; 24] = [
    "ber", "con", "dale", "der", "dine", "ford", "ger", "ham", "ker", "lane", "land", "lyn", "mer",
    "mont", "nix", "pole", "ric", "sey", "son", "tan", "ton", "ver", "wick", "worth",
];
const SUBJECTS: [&str; 8] = [
    "The team",
    "The client",
    "Finance",
    "The vendor",
    "Support",
    "Our agent",
    "The review",
    "Operations",
];
const VERBS: [&str; 10] = [
    "moved",
    "approved",
    "postponed",
    "measured",
    "replaced",
    "confirmed",
    "rejected",
    "shipped",
    "archived",
    "renamed",
];
const AREAS: [&str; 10] = [
    "clients",
    "projects",
    "people",
    "decisions",
    "servers",
    "voice",
    "finance",
    "research",
    "releases",
    "support",
];

/// The word of a rank; the same rank is always the same word.
fn word(rank: usize) -> String {
    let start = STARTS[rank % STARTS.len()];
    let rest = rank / STARTS.len();
    let middle = MIDDLES[rest % MIDDLES.len()];
    let rest = rest / MIDDLES.len();
    let end = ENDS[rest % ENDS.len()];
    let more = if rest / ENDS.len() == 0 {
        ""
    } else {
        MIDDLES[1 + rest / ENDS.len() % 15]
    };
    format!("{start}{middle}{end}{more}")
}

/// A rank by Zipf's law: the chance falls with the rank.
fn rank(random: &mut Random) -> usize {
    let top = (VOCABULARY as f64).ln();
    ((random.unit() * top).exp() as usize).min(VOCABULARY) - 1
}

pub struct Unit {
    pub topic: String,
    pub title: String,
    pub body: String,
    /// Three of the body's words that few other units have.
    pub rare: [String; 3],
}

pub fn unit(number: usize, topics: usize) -> Unit {
    let mut random = Random::seeded(0x0B1A_1000 + number as u64);
    let area = random.pick(&AREAS);
    let topic = format!("{area}/{}", word(200 + random.below(topics)));
    let mut drawn = Vec::new();
    let mut say = |random: &mut Random| {
        let rank = rank(random);
        drawn.push(rank);
        word(rank)
    };
    let mut body = String::new();
    for _ in 0..4 + random.below(5) {
        let (subject, verb) = (random.pick(&SUBJECTS), random.pick(&VERBS));
        body.push_str(&format!(
            "{subject} {verb} the {} {} for {} and {} in week {}. ",
            say(&mut random),
            say(&mut random),
            say(&mut random),
            say(&mut random),
            1 + random.below(52),
        ));
    }
    drawn.sort_unstable();
    drawn.dedup();
    let rare = [1, 2, 3].map(|from_end| word(drawn[drawn.len().saturating_sub(from_end)]));
    Unit {
        topic,
        title: format!("Note {number} on {}", rare[0]),
        body: body.trim_end().to_owned(),
        rare,
    }
}

/// A word that some, not most, units have.
pub fn keyword(number: usize) -> String {
    let mut random = Random::seeded(0xA5_0000 + number as u64);
    word(20 + random.below(600))
}
