//! Measures `ozbrain mcp` over stdio beside a bare SQLite floor, in the same
//! run, request by request in turn. Absolute times depend on the machine and
//! the moment; the ratios are what counts.
//!
//! `ozbrain-bench OZBRAIN FLOOR [UNITS…]`
#![allow(clippy::print_stdout, reason = "its output is its purpose")]

mod corpus;
mod process;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

use corpus::{Unit, keyword, unit};
use process::{Contender, Process, Result};
use serde_json::Value;

const SAMPLES: usize = 300;
const COLD_STARTS: usize = 21;
const WRITERS: usize = 4;
const WRITES_EACH: usize = 50;

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let (Some(ozbrain), Some(floor)) = (args.next(), args.next()) else {
        return Err("usage: ozbrain-bench OZBRAIN FLOOR [UNITS…]".into());
    };
    let mut scales = args
        .map(|units| units.parse())
        .collect::<std::result::Result<Vec<usize>, _>>()?;
    if scales.is_empty() {
        scales = vec![1_000, 10_000];
    }
    for units in scales {
        measure(Path::new(&ozbrain), Path::new(&floor), units)?;
    }
    Ok(())
}

/// The contenders on fresh data; the first is the one that is measured.
fn contenders(ozbrain: &Path, floor: &Path, dir: &Path) -> Result<Vec<Contender>> {
    let place = |name: &str| -> Result<PathBuf> {
        let folder = dir.join(name);
        std::fs::create_dir_all(&folder)?;
        Ok(folder)
    };
    let floor = |synchronous: &'static str| -> Result<Contender> {
        let file = place(synchronous)?.join("floor.db");
        Ok(Contender::Floor {
            program: floor.to_owned(),
            file,
            synchronous,
        })
    };
    let data = dir.join("ozbrain");
    let contenders = vec![
        Contender::Ozbrain {
            program: ozbrain.to_owned(),
            data,
        },
        floor("full")?,
        floor("normal")?,
    ];
    for contender in &contenders {
        contender.prepare()?;
    }
    Ok(contenders)
}

fn measure(ozbrain: &Path, floor: &Path, units: usize) -> Result<()> {
    println!("\n{units} units");
    let dir = tempfile::Builder::new()
        .prefix("ozbrain-bench-")
        .tempdir()?;
    let contenders = contenders(ozbrain, floor, dir.path())?;
    let topics = (units / 25).max(10);
    let corpus: Vec<Unit> = (0..units).map(|number| unit(number, topics)).collect();

    let mut ids = Vec::new();
    for contender in &contenders {
        let began = Instant::now();
        ids.push(contender.start("fill")?.fill(&corpus)?);
        let (seconds, mib) = (began.elapsed().as_secs_f64(), mib(contender.size()?));
        println!(
            "  filled {:<13} {seconds:6.1} s  {mib:7.1} MiB on disk",
            contender.name()
        );
    }

    println!(
        "  {:<22}{:>14}{:>14}{:>14}   p50 and p95 of ozbrain ÷ floor FULL",
        "ms, p50 (p95)", "ozbrain", "floor FULL", "floor NORMAL"
    );
    let mut running = contenders
        .iter()
        .map(|contender| contender.start("bench"))
        .collect::<Result<Vec<_>>>()?;
    let hits = [
        one_word(&mut running)?,
        three_words(&mut running, &corpus, &ids)?,
    ];
    in_turn("fetch", &mut running, |process, contender, sample| {
        process
            .fetch(&ids[contender][(sample * 7919) % units])
            .map(|(time, _)| time)
    })?;
    in_turn("brief, 3 keywords", &mut running, |process, _, sample| {
        process
            .brief(&corpus[(sample * 104_729) % units].rare.join(" "))
            .map(|(time, _)| time)
    })?;
    in_turn("write", &mut running, |process, _, sample| {
        process
            .write(&unit(units + sample, topics))
            .map(|(time, _)| time)
    })?;
    drop(running);
    let [(.., tokens), (found, ..)] = hits;
    println!(
        "  three words find their unit among 20: ozbrain {:.2}, floor {:.2}",
        found[0], found[1]
    );
    println!(
        "  a reply of 20 pointers, in characters: ozbrain {:.0}, floor {:.0}",
        tokens[0], tokens[1]
    );

    memory(&contenders)?;
    cold_start(&contenders)?;
    at_once(&contenders)
}

fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// How often the asked-for unit was found, and the mean length of a reply.
type Found = (Vec<f64>, Vec<f64>);

fn one_word(running: &mut [Process]) -> Result<Found> {
    let mut lengths = vec![0.0; running.len()];
    in_turn(
        "search, 1 keyword",
        running,
        |process, contender, sample| {
            let (time, reply) = process.search(&keyword(sample))?;
            lengths[contender] += reply.to_string().len() as f64 / SAMPLES as f64;
            Ok(time)
        },
    )?;
    Ok((Vec::new(), lengths))
}

fn three_words(running: &mut [Process], corpus: &[Unit], ids: &[Vec<Value>]) -> Result<Found> {
    let mut hits = vec![0.0; running.len()];
    in_turn(
        "search, 3 keywords",
        running,
        |process, contender, sample| {
            let number = (sample * 104_729) % corpus.len();
            let (time, reply) = process.search(&corpus[number].rare.join(" "))?;
            let wanted = &ids[contender][number];
            let found = reply["results"]
                .as_array()
                .is_some_and(|all| all.iter().any(|pointer| &pointer["id"] == wanted));
            hits[contender] += f64::from(u8::from(found)) / SAMPLES as f64;
            Ok(time)
        },
    )?;
    Ok((hits, Vec::new()))
}

/// Takes each sample from every contender in turn, the order changing, so that
/// what else the machine does falls on all alike. Prints one line.
fn in_turn(
    what: &str,
    running: &mut [Process],
    mut sample: impl FnMut(&mut Process, usize, usize) -> Result<Duration>,
) -> Result<()> {
    let mut times = vec![Vec::with_capacity(SAMPLES); running.len()];
    for number in 0..SAMPLES {
        for turn in 0..running.len() {
            let contender = (number + turn) % running.len();
            times[contender].push(sample(&mut running[contender], contender, number)?);
        }
    }
    report(what, &mut times);
    Ok(())
}

/// The value below which a share of the times lies, in milliseconds.
fn quantile(times: &mut [Duration], share: f64) -> f64 {
    times.sort_unstable();
    let at = (share * (times.len() - 1) as f64).round() as usize;
    times[at].as_secs_f64() * 1_000.0
}

fn report(what: &str, times: &mut [Vec<Duration>]) {
    let of: Vec<(f64, f64)> = times
        .iter_mut()
        .map(|times| (quantile(times, 0.5), quantile(times, 0.95)))
        .collect();
    let cells: String = of
        .iter()
        .map(|(p50, p95)| format!("{:>14}", format!("{p50:.2} ({p95:.2})")))
        .collect();
    println!(
        "  {what:<22}{cells}   {:.2}×  {:.2}×",
        of[0].0 / of[1].0,
        of[0].1 / of[1].1
    );
}

/// Memory after the first answer, before and after the first write.
fn memory(contenders: &[Contender]) -> Result<()> {
    for contender in &contenders[..2] {
        let mut process = contender.start("memory")?;
        process.search(&keyword(1))?;
        let before = process.memory()?;
        process.write(&unit(usize::MAX >> 16, 10))?;
        let after = process.memory()?;
        println!(
            "  memory of {:<12} RSS {:.1} MiB, PSS {:.1} before its first write; RSS {:.1}, PSS {:.1} after",
            contender.name(),
            before.0,
            before.1,
            after.0,
            after.1,
        );
    }
    Ok(())
}

/// From starting the process to its first answer.
fn cold_start(contenders: &[Contender]) -> Result<()> {
    let mut times = vec![Vec::new(); contenders.len()];
    for number in 0..COLD_STARTS {
        for (contender, times) in contenders.iter().zip(&mut times) {
            let began = Instant::now();
            contender.start("cold")?.search(&keyword(number))?;
            times.push(began.elapsed());
        }
    }
    report("cold start to answer", &mut times);
    Ok(())
}

/// Four processes that write at once: how long they take, and what is there after.
fn at_once(contenders: &[Contender]) -> Result<()> {
    let mut rates = Vec::new();
    for contender in contenders {
        let start = Arc::new(Barrier::new(WRITERS + 1));
        let threads: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let (start, contender) = (Arc::clone(&start), contender.clone());
                thread::spawn(move || -> std::result::Result<Vec<Value>, String> {
                    let plain = |error: Box<dyn std::error::Error>| error.to_string();
                    let process = contender.start(&format!("writer-{writer}")).map_err(plain);
                    start.wait();
                    let mut process = process?;
                    (0..WRITES_EACH)
                        .map(|number| {
                            let unit = unit(10_000_000 + writer * 1_000 + number, 10);
                            process
                                .write(&unit)
                                .map(|(_, reply)| reply["id"].clone())
                                .map_err(plain)
                        })
                        .collect()
                })
            })
            .collect();
        start.wait();
        let began = Instant::now();
        let mut acknowledged = Vec::new();
        for thread in threads {
            match thread.join().map_err(|_| "a writer panicked")? {
                Ok(ids) => acknowledged.extend(ids),
                Err(refusal) => println!("  {}: {refusal}", contender.name()),
            }
        }
        let rate = acknowledged.len() as f64 / began.elapsed().as_secs_f64();
        let mut reader = contender.start("reader")?;
        let mut survived = 0;
        for id in &acknowledged {
            survived += usize::from(
                reader
                    .fetch(id)
                    .is_ok_and(|(_, unit)| !unit["text"].is_null()),
            );
        }
        println!(
            "  four writers × {WRITES_EACH}: {:<12} {} acknowledged, {survived} survived, {rate:.0} a second",
            contender.name(),
            acknowledged.len(),
        );
        rates.push(rate);
    }
    println!(
        "  four writers: ozbrain ÷ floor FULL = {:.2}× the throughput",
        rates[0] / rates[1]
    );
    Ok(())
}
