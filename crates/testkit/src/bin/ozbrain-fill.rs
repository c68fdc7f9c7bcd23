//! Fills a data folder, for tests that need a past or very many units:
//!
//! - `ozbrain-fill DIR studio`: a team and a person some weeks into their work,
//!   with conflicts, aging facts and a history;
//! - `ozbrain-fill DIR many UNITS CONFLICTS`: a brain `many`, in which that many
//!   units stand, the first of them in conflict.
//!
//! Everything goes through the use cases, at moments that have passed.

use ozbrain_core::shapes::{ConfirmInput, FetchInput, Verdict, WriteInput, WriteReply};
use ozbrain_core::use_cases::{self, Call};
use ozbrain_core::words::{
    Agent, BrainKind, Client, ConnectionName, Session, Timestamp, WritePolicy,
};
use ozbrain_sqlite::SqliteStore;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

type Done<T = ()> = Result<T, Box<dyn Error>>;

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args[..] {
        [dir, "studio"] => World::open(dir).and_then(|world| studio(&world)),
        [dir, "many", units, conflicts] => World::open(dir)
            .and_then(|world| many(&Arc::new(world), units.parse()?, conflicts.parse()?)),
        _ => Err("usage: ozbrain-fill DIR studio | DIR many UNITS CONFLICTS".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            #[expect(clippy::print_stderr, reason = "a test reads it")]
            {
                eprintln!("{error}");
            }
            ExitCode::FAILURE
        }
    }
}

/// The store, and when it is now.
struct World {
    store: SqliteStore,
    now: i64,
}

impl World {
    fn open(dir: &str) -> Done<Self> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis();
        Ok(Self {
            store: SqliteStore::open(Path::new(dir))?,
            now: i64::try_from(now)?,
        })
    }

    fn ago(&self, millis: i64) -> Timestamp {
        Timestamp::from_millis(self.now - millis)
    }

    fn brain(&self, name: &str, title: &str, kind: BrainKind) -> Done {
        let you = self.session("you", "browser", 90 * DAY)?;
        let call = self.call(&you, 90 * DAY);
        use_cases::create_brain(call, name, Some(title), kind, WritePolicy::Open)?;
        Ok(())
    }

    /// A session that began so many milliseconds ago.
    fn session(&self, connection: &str, client: &str, ago: i64) -> Done<Arc<Session>> {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let agent = Agent {
            connection: ConnectionName::parse(connection)?,
            client: Some(Client {
                name: client.into(),
                version: "1.4".into(),
            }),
            session: format!("fill-{}", NEXT.fetch_add(1, Ordering::Relaxed)),
        };
        let began = use_cases::meet(&self.store, &agent, self.ago(ago))?;
        Ok(Arc::new(Session::new(agent, began)))
    }

    fn call<'a>(&'a self, session: &'a Arc<Session>, ago: i64) -> Call<'a> {
        Call {
            store: &self.store,
            session,
            now: self.ago(ago),
        }
    }

    fn write(&self, who: &Arc<Session>, ago: i64, what: What<'_>) -> Done<WriteReply> {
        let input = WriteInput {
            brain: what.brain.into(),
            topic: Some(what.topic.into()),
            title: (!what.title.is_empty()).then(|| what.title.into()),
            body: Some(what.body.into()),
            tags: (!what.tags.is_empty())
                .then(|| what.tags.iter().map(|&tag| tag.into()).collect()),
            source: (!what.source.is_empty()).then(|| what.source.into()),
            ..WriteInput::default()
        };
        Ok(use_cases::write(self.call(who, ago), input)?)
    }

    fn read(&self, who: &Arc<Session>, ago: i64, id: &str) -> Done {
        use_cases::fetch(self.call(who, ago), FetchInput { id: id.into() })?;
        Ok(())
    }

    fn confirm(&self, who: &Arc<Session>, ago: i64, written: &WriteReply) -> Done {
        let input = ConfirmInput {
            id: written.id.to_string(),
            revision: Some(written.revision),
            verdict: Some(Verdict::StillTrue),
            body: None,
        };
        use_cases::confirm(self.call(who, ago), input)?;
        Ok(())
    }
}

/// What is written.
#[derive(Clone, Copy, Default)]
struct What<'a> {
    brain: &'a str,
    topic: &'a str,
    title: &'a str,
    body: &'a str,
    tags: &'a [&'a str],
    source: &'a str,
}

const LAUNCH: [(&str, &str); 4] = [
    ("", "Launch of Meridian’s self-serve plan, date open."),
    (
        "Tom Adeyemi, kick-off",
        "Launch of Meridian’s self-serve plan.\n\nThe launch is in September.",
    ),
    (
        "Call with Priya Nair",
        "Launch of Meridian’s self-serve plan.\n\nThe launch moves to Thursday 24 September, 10:00 \
         London time.\n\nPricing page: Meridian’s legal team must approve it. Priya Nair expects \
         that by Friday 18 September.\n\nThe press embargo lifts at the same hour.\n\nOwner on the \
         day: Tom Adeyemi.\n\nTo roll back, turn the flag off. Nothing is migrated.",
    ),
    (
        "release-plan.md in meridian-web",
        "Launch of Meridian’s self-serve plan.\n\nThe launch stays on Thursday 17 September, 10:00 \
         London time.\n\nPricing page: merged, behind the flag `pricing_v2`.\n\nThe press embargo \
         lifts at the same hour.\n\nOwner on the day: Lena Fischer.\n\nTo roll back, turn the flag \
         off. Nothing is migrated.",
    ),
];

/// A client's facts: title, days since they were written, text.
const MERIDIAN: [(&str, i64, &str); 11] = [
    (
        "Who decides what",
        2,
        "- **Strategy:** Elin Strand. She wants options, not one proposal.\n- **Budget:** Priya Nair. Above £20,000 she asks the board, which takes two weeks.\n- **Design:** Jonas Weber, alone. Do not copy in the brand team.",
    ),
    (
        "Brand names in print",
        3,
        "Always “Meridian Energy” at first mention, “Meridian” after that. Never “ME”.",
    ),
    (
        "Meeting rhythm",
        5,
        "Tuesdays 10:00, Elin and Jonas. No meeting in the last week of a month.",
    ),
    (
        "Tone with the board",
        6,
        "Plain, numbers first, no campaign words.\n\n| Board member | Reads |\n|---|---|\n| Elin Strand | everything |\n| Arne Holt | the first page |",
    ),
    (
        "File exchange",
        9,
        "Their SharePoint, folder *Studio*. No links that expire: their archive keeps links.",
    ),
    (
        "Photo rights",
        11,
        "Cleared for web and print in the EU until the end of 2027. See [the contract](https://meridian.example/rights).",
    ),
    (
        "Crisis contact",
        12,
        "Elin Strand, mobile, day and night. Then the press desk.",
    ),
    (
        "Contract dates",
        12,
        "Runs to 31 March 2027, three months’ notice, in writing.",
    ),
    (
        "Words to avoid",
        13,
        "“Solution”, “journey”, “unlock”. They strike them out themselves.",
    ),
    (
        "Invoice contents",
        13,
        "Purchase order number, project code, period.\n\n```text\nPO-2026-114 / MER-SELF / 2026-09\n```",
    ),
    ("Travel", 10, "Second class, booked by us, billed at cost."),
];

/// Topics with as many short facts.
const OTHERS: [(&str, usize); 11] = [
    ("clients/oakwell", 14),
    ("clients/north-pier", 13),
    ("decisions/hosting", 8),
    ("decisions/tools", 14),
    ("decisions/pricing", 8),
    ("projects/q3-launch", 20),
    ("projects/site-refresh", 27),
    ("projects/annual-report", 14),
    ("suppliers", 12),
    ("voice", 17),
    ("people", 9),
];

fn studio(world: &World) -> Done {
    world.brain("studio", "Studio", BrainKind::Shared)?;
    world.brain("ops", "Ops", BrainKind::Shared)?;
    let you = world.session("you", "browser", 80 * DAY)?;
    let codex = world.session("Codex", "codex", 80 * DAY)?;
    let [claude, cursor, chatgpt] = [
        ("Claude", "claude-desktop"),
        ("Cursor", "cursor-vscode"),
        ("ChatGPT", "chatgpt"),
    ]
    .map(|(name, client)| world.session(name, client, 70 * DAY));
    let (claude, cursor, chatgpt) = (claude?, cursor?, chatgpt?);
    let team = [&claude, &cursor, &chatgpt, &codex];
    let mut turn = 0;
    for (topic, facts) in OTHERS {
        for fact in 0..facts {
            turn += 1;
            let (title, body) = small_fact(turn);
            let what = What {
                brain: "studio",
                topic,
                title: &title,
                body: &body,
                ..What::default()
            };
            let days = 1 + (fact as i64 * 7 + turn as i64) % 12;
            world.write(team[turn % team.len()], days * DAY, what)?;
        }
    }
    for (number, (title, days, body)) in MERIDIAN.into_iter().enumerate() {
        let what = What {
            brain: "studio",
            topic: "clients/meridian",
            title,
            body,
            tags: &["contacts"],
            source: "Kick-off notes of 2 May",
        };
        if number == 0 {
            let older = body.replace("Priya Nair", "Tom Adeyemi");
            let first = world.write(
                &claude,
                40 * DAY,
                What {
                    body: &older,
                    ..what
                },
            )?;
            world.confirm(&you, 20 * DAY, &first)?;
            let tags = &["contacts", "raci"];
            world.write(
                &chatgpt,
                12 * DAY,
                What {
                    body: &older,
                    tags,
                    ..what
                },
            )?;
            world.read(&codex, 10 * DAY, first.id.as_str())?;
            world.read(&cursor, days * DAY + HOUR, first.id.as_str())?;
            let last = world.write(&cursor, days * DAY, What { tags, ..what })?;
            for (who, ago) in [
                (&claude, 30 * HOUR),
                (&claude, 5 * HOUR),
                (&chatgpt, 26 * HOUR),
            ] {
                world.read(who, ago, last.id.as_str())?;
            }
        } else {
            world.write(team[number % team.len()], days * DAY, what)?;
        }
    }
    clashes(world, [&you, &claude, &cursor, &chatgpt, &codex])?;
    let aging = [
        (
            "studio",
            "clients/meridian",
            "Approver for invoices",
            60,
            Some(52),
            "Priya Nair, procurement",
            "Priya Nair approves every invoice above £2,000. Send it to `ap@meridian.example` with the purchase order number in the subject, or it is returned unpaid.\n\nBelow £2,000 the project lead approves: Jonas Weber.",
        ),
        (
            "studio",
            "clients/oakwell",
            "Brand colours in print",
            16,
            None,
            "https://oakwell.example/brand",
            "Oakwell green is Pantone 349 C in print, never the screen value.",
        ),
        (
            "personal",
            "preferences/writing-style",
            "Sign-off line",
            30,
            Some(15),
            "",
            "Letters end with “Kind regards”, mails with the first name alone.",
        ),
        (
            "personal",
            "preferences/calendar",
            "Working hours in September",
            46,
            None,
            "",
            "Until the end of September only mornings, 8 to 13.",
        ),
    ];
    for (brain, topic, title, written, confirmed, source, body) in aging {
        let what = What {
            brain,
            topic,
            title,
            body,
            source,
            ..What::default()
        };
        let unit = world.write(
            if confirmed.is_some() {
                &claude
            } else {
                &chatgpt
            },
            written * DAY,
            what,
        )?;
        if let Some(days) = confirmed {
            world.confirm(&you, days * DAY, &unit)?;
        }
        for (number, who) in [&claude, &cursor, &chatgpt, &claude]
            .into_iter()
            .enumerate()
        {
            let again = world.session(who.agent.connection.as_str(), "test", DAY)?;
            world.read(&again, (number as i64 + 3) * HOUR, unit.id.as_str())?;
        }
    }
    let personal = ["Coffee", "Desk", "Languages", "Reading list", "Time zone"];
    for (number, title) in personal.into_iter().enumerate() {
        let body = format!("{title}: as agreed, nothing to change before spring.");
        let what = What {
            brain: "personal",
            topic: "preferences",
            title,
            body: &body,
            ..What::default()
        };
        world.write(team[number % team.len()], (number as i64 + 1) * DAY, what)?;
    }
    let hosts = What {
        brain: "ops",
        topic: "hosts/build",
        body: "The build host is `b2`, rebuilt every Monday.",
        ..What::default()
    };
    world.write(&codex, 3 * DAY, hosts)?;
    Ok(())
}

/// Three conflicts: two sides, two sides with the person's, three sides.
fn clashes(world: &World, [you, claude, cursor, chatgpt, codex]: [&Arc<Session>; 5]) -> Done {
    let host = What {
        brain: "studio",
        topic: "decisions/hosting",
        title: "Staging host",
        ..What::default()
    };
    for (who, ago, body) in [
        (
            cursor,
            27 * HOUR,
            "Staging runs on `ams-1`, one machine, behind the office network.",
        ),
        (
            claude,
            26 * HOUR,
            "Staging runs on `lon-3`, one machine, behind the office network.",
        ),
        (
            codex,
            25 * HOUR,
            "Staging runs on `fra-2`, two machines, open to the client.",
        ),
    ] {
        world.write(who, ago, What { body, ..host })?;
    }
    let terms = What {
        brain: "studio",
        topic: "clients/meridian",
        title: "Payment terms",
        ..What::default()
    };
    world.write(
        you,
        65 * MINUTE,
        What {
            body: "Meridian pays net 45 from receipt of a correct invoice.",
            ..terms
        },
    )?;
    world.write(
        chatgpt,
        60 * MINUTE,
        What {
            body: "Meridian pays net 30 from receipt of a correct invoice.",
            ..terms
        },
    )?;
    let launch = What {
        brain: "studio",
        topic: "projects/q3-launch",
        title: "Launch date",
        tags: &["launch"],
        ..What::default()
    };
    let [(_, opened), (kick_off, known), (call, moved), (plan, stays)] = LAUNCH;
    world.write(
        you,
        30 * DAY,
        What {
            body: opened,
            ..launch
        },
    )?;
    let read = world.write(
        you,
        9 * DAY,
        What {
            body: known,
            source: kick_off,
            ..launch
        },
    )?;
    world.read(cursor, 54 * MINUTE, read.id.as_str())?;
    world.read(claude, 36 * MINUTE, read.id.as_str())?;
    world.write(
        claude,
        28 * MINUTE,
        What {
            body: moved,
            source: call,
            tags: &["launch", "legal"],
            ..launch
        },
    )?;
    world.write(
        cursor,
        14 * MINUTE,
        What {
            body: stays,
            source: plan,
            ..launch
        },
    )?;
    world.read(chatgpt, 9 * MINUTE, read.id.as_str())?;
    Ok(())
}

fn small_fact(number: usize) -> (String, String) {
    const WHAT: [&str; 9] = [
        "Budget", "Contact", "Deadline", "Format", "Owner", "Review", "Storage", "Template",
        "Access",
    ];
    const WHERE: [&str; 8] = [
        "autumn issue",
        "budget round",
        "customer survey",
        "download page",
        "event in May",
        "film",
        "guide",
        "handbook",
    ];
    const SAYS: [&str; 7] = [
        "decided by Lena Fischer, in writing, each quarter",
        "kept in the shared folder, one file a month",
        "two rounds, then it is closed",
        "sent on Thursdays before noon",
        "needs a second pair of eyes before it goes out",
        "as last year, with one page less",
        "agreed with the client on the phone, minutes are filed",
    ];
    let title = format!(
        "{} of the {}",
        WHAT[number % WHAT.len()],
        WHERE[number / WHAT.len() % WHERE.len()]
    );
    let body = format!("{title}: {}. Round {number}.", SAYS[number % SAYS.len()]);
    (title, body)
}

/// Threads share commits, so that even many units take little time.
fn many(world: &Arc<World>, units: usize, conflicts: usize) -> Done {
    world.brain("many", "Many", BrainKind::Shared)?;
    let next = Arc::new(AtomicUsize::new(0));
    let threads: Vec<_> = (0..8)
        .map(|_| {
            let (world, next) = (Arc::clone(world), Arc::clone(&next));
            std::thread::spawn(move || -> Result<(), String> {
                let work = || -> Done {
                    let one = world.session("Claude", "claude-desktop", 60 * DAY)?;
                    let other = world.session("Cursor", "cursor-vscode", 60 * DAY)?;
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= units {
                            return Ok(());
                        }
                        let (title, body) = small_fact(number);
                        let (title, topic) = (
                            format!("{title} {number}"),
                            format!("areas/a{}/t{}", number % 40, number % 3_000),
                        );
                        let what = What {
                            brain: "many",
                            topic: &topic,
                            title: &title,
                            body: &body,
                            ..What::default()
                        };
                        let ago = (number as i64 % 50) * DAY + HOUR;
                        world.write(&one, ago, what)?;
                        if number < conflicts {
                            let body = body.replace("Round", "Turn");
                            world.write(
                                &other,
                                ago - MINUTE,
                                What {
                                    body: &body,
                                    ..what
                                },
                            )?;
                        }
                    }
                };
                work().map_err(|error| error.to_string())
            })
        })
        .collect();
    for thread in threads {
        thread.join().map_err(|_| "a thread ended")??;
    }
    Ok(())
}
