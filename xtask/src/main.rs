//! Set-up and checks: `cargo xtask run | build | test | lint | drill | oracle | broken | bench |
//! pictures`.
//!
//! Everything that a fresh machine lacks is installed on the way, into `target` and `node_modules`
//! where possible. Every child process runs in a group of its own and is stopped with us.

use std::{env, process::ExitCode};

use anyhow::{Result, bail};

mod bench; // what it costs, seen from outside
mod broken; // the tests, tested
mod build; // one file that is the whole program
mod drill; // real servers, struck at every boundary
mod leftovers; // throw-away data folders
mod lint; // formatting, clippy, types
mod oracle; // the engine against the rules in memory
mod pictures; // the screens, for the README
mod place; // where things lie in this repository
mod process; // children, and their end
mod run; // build and start
mod say; // progress lines
mod test; // everything, with a summary
mod tools; // what has to be installed

const USAGE: &str = "\
cargo xtask COMMAND

  run [ARGS]        build Mooring, start it on the data in .mooring, print its address;
                    ARGS go to `mooring serve` (--addr IP:PORT, --lab, …)
  build             build target/release/mooring, one file with everything in it
  test [--full] [--only PART]
                    check everything and sum it up; PART is lint, rules, server, wasm, drill, stories
                    or engines; --full uses the large counts
  drill [ARGS]      strike real servers at every boundary and ask independent witnesses; ARGS go to
                    `mooring drill` (--short, --only TEXT, --repeat N, --seed N, --out DIR, …)
  lint              formatting, clippy, TypeScript's types
  oracle [--steps N] [--seed S]
                    random steps, crashes and late messages on a real Postgres against the rules
                    in memory (10000 steps)
  bench [journey] [--count N]
                    how long from Start to the draft, over N tasks (200)
  bench engine [--tasks N] [--in-flight N] [--repeat N] [--only load|idle|recovery]
                    tasks a second and what each costs, beside bare SQL on the same Postgres; how soon
                    the tasks of a killed server move on; what an idle one asks. Medians of 3 rounds
  bench client [--rounds N]
                    bytes of the first load by file; on a phone four times slower than this machine: the last
                    known task with a dead network, the way back, typing under pushes, writes when idle (20 rounds)
  pictures          take the README's pictures from the real program, into screens/
  broken [--only NAME,…]
                    take one safeguard away at a time, in a copy, and demand that the tests notice
";

fn main() -> ExitCode {
    match dispatch() {
        Ok(code) => code,
        Err(_) if process::is_stopping() => {
            say::note("stopped");
            ExitCode::from(130)
        }
        Err(error) => {
            say::failure(&format!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn dispatch() -> Result<ExitCode> {
    process::stop_with_us()?;
    let args: Vec<String> = env::args().skip(1).collect();
    let (command, rest) = args.split_first().map_or(("help", &[][..]), |(command, rest)| (command, rest));
    match command {
        "run" => run::run(rest),
        "build" => nothing_more(rest).and_then(|()| build::build()).map(|_| ExitCode::SUCCESS),
        "test" => test::test(rest),
        "drill" => drill::drill(rest),
        "lint" => nothing_more(rest).and_then(|()| lint::lint()),
        "pictures" => nothing_more(rest).and_then(|()| pictures::take()),
        "broken" => broken::broken(rest),
        "oracle" => oracle::oracle(rest),
        "bench" => bench::bench(rest).map(|()| ExitCode::SUCCESS),
        "help" | "--help" | "-h" => {
            print!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        other => bail!("there is no command `{other}`; `cargo xtask help` lists them"),
    }
}

fn nothing_more(rest: &[String]) -> Result<()> {
    match rest.first() {
        None => Ok(()),
        Some(word) => bail!("`{word}` means nothing here; `cargo xtask help` shows what does"),
    }
}
