//! `cargo xtask run`: build, start, say where.

use std::{
    env,
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    process::{Command, ExitCode},
    thread,
    time::Duration,
};

use anyhow::{Result, bail};

use crate::{build, place, process, say, tools};

/// Migrations of a large database take a while; a server that never gets ready says why itself.
const LOOK_EVERY: Duration = Duration::from_millis(50);

pub fn run(args: &[String]) -> Result<ExitCode> {
    let mooring = build::build()?;
    tools::postgres::ensure()?;

    let mut command = Command::new(mooring);
    command.arg("serve").args(args).current_dir(env::current_dir()?);
    if !is_given(args, "--data-dir", "MOORING_DATA_DIR") {
        command.arg("--data-dir").arg(place::root().join(".mooring"));
    }
    // The main job goes through the real protocol: the program starts itself as its own MCP server.
    if !is_given(args, "--source", "MOORING_SOURCE") {
        command.args(["--source", "mcp-stdio"]);
    }
    let address = address(args);
    // Another server would answer in the place of ours.
    if TcpStream::connect(&address).is_ok() {
        bail!("something else is listening on {address}. Stop it, or choose another address with --addr.");
    }
    if is_given(args, "--database-url", "DATABASE_URL") {
        say::note("DATABASE_URL is set: Mooring uses that database, not one of its own");
    }
    println!("==> Starting Mooring");
    let mut server = process::start(&mut command)?;
    while !is_ready(&address) {
        if let Some(status) = server.ended()? {
            bail!("Mooring ended before it was ready ({status})");
        }
        thread::sleep(LOOK_EVERY);
    }
    println!("\nMooring is ready at http://{address} (Ctrl-C stops it)\n");
    let status = server.wait()?;
    if process::is_stopping() {
        say::note("Mooring and its database have stopped; the data stay for the next start.");
    }
    if !status.success() && !process::is_stopping() {
        say::note(&format!(
            "Mooring has died ({status}). Its database goes on; start it again and the tasks go on too."
        ));
    }
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn is_given(args: &[String], flag: &str, variable: &str) -> bool {
    value(args, flag).is_some() || env::var_os(variable).is_some_and(|value| !value.is_empty())
}

fn value(args: &[String], flag: &str) -> Option<String> {
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        if arg == flag {
            return rest.next().cloned();
        }
        if let Some(value) = arg.strip_prefix(flag).and_then(|rest| rest.strip_prefix('=')) {
            return Some(value.to_owned());
        }
    }
    None
}

/// Where a browser on this machine finds it.
fn address(args: &[String]) -> String {
    let given = value(args, "--addr").or_else(|| env::var("MOORING_ADDR").ok()).filter(|given| !given.is_empty());
    let given = given.unwrap_or_else(|| "127.0.0.1:3000".to_owned());
    match given.parse::<SocketAddr>() {
        Ok(address) if address.ip().is_unspecified() => format!("127.0.0.1:{}", address.port()),
        _ => given,
    }
}

/// Whether `/readyz` answers 200.
pub fn is_ready(address: &str) -> bool {
    let ask = || -> std::io::Result<String> {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(5)))?;
        write!(stream, "GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
        let mut start = [0; 12];
        stream.read_exact(&mut start)?;
        Ok(String::from_utf8_lossy(&start).into_owned())
    };
    ask().is_ok_and(|start| start.ends_with(" 200"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_the_one_that_was_asked_for() {
        let args = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(address(&args("--lab --addr 127.0.0.1:4000")), "127.0.0.1:4000");
        assert_eq!(address(&args("--addr=0.0.0.0:4001 --lab")), "127.0.0.1:4001");
    }
}
