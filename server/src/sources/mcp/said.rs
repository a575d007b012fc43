//! What a child writes to its error stream, in our log: without secrets, and within bounds.

use std::time::Duration;

use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, BufReader},
    time::Instant,
};

use crate::secret::Hush;

/// So much of a line is held: a secret is found in a whole line alone.
const HELD: usize = 16_000;
/// And so much of it is logged.
const LOGGED: usize = 500;

/// So many lines of one child are logged in a while: what it says at last is worth more than what it says all the time.
const LINES: u32 = 200;
const WHILE: Duration = Duration::from_mins(1);

/// Logs what it says until it says no more.
pub async fn log(stderr: impl AsyncRead + Unpin, process: u32, hush: Hush) {
    let mut stderr = BufReader::new(stderr);
    let mut line: Vec<u8> = Vec::new();
    let mut quota = Quota::at(Instant::now());
    let mut say = |line: &[u8]| {
        if let Some(said) = shown(line, &hush).and_then(|said| quota.passed(said, Instant::now())) {
            tracing::info!(source.process = process, said, "the MCP server says");
        }
    };
    // Read to its end, whatever is logged of it: a full pipe would stop the child.
    while let Ok(chunk) = stderr.fill_buf().await
        && !chunk.is_empty()
    {
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let read = end.map_or(chunk.len(), |at| at + 1);
        let part = &chunk[..end.unwrap_or(chunk.len())];
        line.extend_from_slice(&part[..part.len().min((HELD + 1).saturating_sub(line.len()))]);
        stderr.consume(read);
        if end.is_some() {
            say(&line);
            line.clear();
        }
    }
    say(&line);
    tracing::info!(source.process = process, "the MCP server says no more");
}

/// A line as it is logged. Secrets go before it is cut: half of one is as bad. Where it is longer than what is held, the
/// end of what is held may be half of one.
fn shown(line: &[u8], hush: &Hush) -> Option<String> {
    if HELD < line.len() {
        return Some(format!("(a line of more than {HELD} bytes)"));
    }
    let said = hush.hide(&String::from_utf8_lossy(line)).replace(char::is_control, " ");
    let said: String = said.trim().chars().take(LOGGED).collect();
    Some(said).filter(|said| !said.is_empty())
}

/// How much was logged lately.
struct Quota {
    since: Instant,
    logged: u32,
}

impl Quota {
    fn at(now: Instant) -> Self {
        Self { since: now, logged: 0 }
    }

    fn passed(&mut self, said: String, now: Instant) -> Option<String> {
        if WHILE <= now.duration_since(self.since) {
            *self = Self::at(now);
        }
        self.logged = self.logged.saturating_add(1);
        match self.logged {
            logged if logged <= LINES => Some(said),
            logged if logged == LINES + 1 => Some("(and more, which is not logged for a while)".to_owned()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::Secret;

    #[test]
    fn a_secret_is_gone_before_a_line_is_cut() {
        let hush =
            Hush::of(&[Secret::from("confided-1234".to_owned()), Secret::from("BEGIN\nkey-line-1\nEND".to_owned())]);
        let before = "x".repeat(LOGGED - 5);
        let said = shown(format!("{before}confided-1234 and more").as_bytes(), &hush).unwrap();
        assert_eq!(said, format!("{before}(not "));
        assert_eq!(shown(b"key-line-1", &hush).as_deref(), Some("(not shown)"), "one line of several");
        let long = format!("{}confided-1234", "x".repeat(HELD - 5));
        assert!(!shown(&long.as_bytes()[..=HELD], &hush).unwrap().contains("conf"));
        assert_eq!(shown(b" \t", &hush), None);
    }

    #[test]
    fn a_child_that_says_too_much_is_heard_again_later() {
        let begun = Instant::now();
        let mut quota = Quota::at(begun);
        let mut heard =
            |after: Duration| (0..LINES + 5).filter_map(|_| quota.passed("so".to_owned(), begun + after)).count();
        assert_eq!(heard(Duration::ZERO), LINES as usize + 1);
        assert_eq!(heard(WHILE / 2), 0);
        assert_eq!(heard(WHILE), LINES as usize + 1, "its last words are not lost");
    }
}
