//! A child's messages, one a line: passed on while they are small and can be read, and told of where they are not.
//!
//! A message over the limit is never held: it is read past, and an error takes its place under the same ID, so that
//! whoever waits for it learns at once that it was too large. The ID may stand after the megabytes, so it is looked for
//! while they go by. The same becomes of an answer that the library cannot read and would leave out.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use rmcp::model::ServerJsonRpcMessage;
use tokio::io::{self, AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};

use super::unheard::Unheard;

/// The codes of these errors: of those that are left to implementations.
pub const TOO_LARGE: i32 = -32_097;
pub const UNREADABLE: i32 = -32_098;
/// The server answered no request in particular, but by an error for the whole of what it was sent.
pub const REFUSED_WHOLE: i32 = -32_096;

/// A child's input: each line that the child takes may be an answer to something that it asked.
pub struct Input<W> {
    to: W,
    unheard: Arc<Unheard>,
}

impl<W> Input<W> {
    pub fn of(to: W) -> (Self, Arc<Unheard>) {
        let unheard = Arc::default();
        (Self { to, unheard: Arc::clone(&unheard) }, unheard)
    }
}

impl<W: AsyncWrite + Unpin> AsyncWrite for Input<W> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.to).poll_write(cx, bytes);
        if let Poll::Ready(Ok(taken)) = &written {
            // One more piece than line ends.
            self.unheard.hear(bytes[..*taken].split(|byte| *byte == b'\n').count() - 1);
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.to).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.to).poll_shutdown(cx)
    }
}

/// Passes lines on until either side ends, or the child says much and hears nothing.
pub async fn pass_on(
    from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    limit: usize,
    unheard: &Unheard,
) -> io::Result<()> {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    let mut past: Option<IdFinder> = None;
    loop {
        let chunk = from.fill_buf().await?;
        if chunk.is_empty() {
            return Ok(());
        }
        let end = chunk.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
        let part = &chunk[..end.unwrap_or(chunk.len())];
        let read = part.len();
        if let Some(finder) = &mut past {
            finder.feed(part);
        } else if limit < line.len() + read {
            let mut finder = IdFinder::default();
            finder.feed(&line);
            finder.feed(part);
            past = Some(finder);
            line = Vec::new();
        } else {
            line.extend_from_slice(part);
        }
        from.consume(read);
        if end.is_some() {
            match past.take() {
                Some(finder) => {
                    if let Some(id) = finder.id() {
                        to.write_all(refusal(&id, TOO_LARGE).as_bytes()).await?;
                    }
                }
                None => match kind(&line) {
                    Kind::Unreadable(id) => to.write_all(refusal(&id, UNREADABLE).as_bytes()).await?,
                    Kind::Question if !unheard.ask(line.len()) => {
                        return Err(io::Error::other("the child asks much and takes no answer"));
                    }
                    Kind::Question | Kind::Other => to.write_all(&line).await?,
                },
            }
            to.flush().await?;
            line.clear();
        }
    }
}

fn refusal(id: &str, code: i32) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":""}}}}"#) + "\n"
}

enum Kind {
    /// The child asks us something.
    Question,
    /// It is meant as a message of the protocol and is none; whom it answers.
    Unreadable(String),
    Other,
}

fn kind(line: &[u8]) -> Kind {
    if !line.windows(MARK.len()).any(|part| part == MARK) {
        return Kind::Other;
    }
    match serde_json::from_slice::<ServerJsonRpcMessage>(line) {
        Ok(ServerJsonRpcMessage::Request(_)) => Kind::Question,
        Ok(_) => Kind::Other,
        Err(_) => {
            let mut finder = IdFinder::default();
            finder.feed(line);
            finder.id().map_or(Kind::Other, Kind::Unreadable)
        }
    }
}

/// What a child prints by mistake does not have this.
const MARK: &[u8] = br#""jsonrpc""#;

/// Finds the `id` of a JSON object without keeping the object.
#[derive(Debug, Default)]
struct IdFinder {
    depth: usize,
    in_text: bool,
    escaped: bool,
    /// The text or number that is being read, where it may be a name or the ID.
    word: Vec<u8>,
    /// The name of a member of the outermost object was `id`, and its value comes.
    awaited: bool,
    id: Option<String>,
}

/// No ID is longer.
const LONGEST_ID: usize = 100;

impl IdFinder {
    fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.step(*byte);
        }
    }

    fn step(&mut self, byte: u8) {
        if self.in_text {
            let ends = byte == b'"' && !self.escaped;
            self.escaped = byte == b'\\' && !self.escaped;
            self.keep(byte);
            self.in_text = !ends;
            return;
        }
        match byte {
            b'"' => {
                self.in_text = true;
                self.word.clear();
                self.keep(byte);
            }
            b'{' | b'[' => {
                self.depth += 1;
                self.awaited = false;
                self.word.clear();
            }
            b':' => {
                self.awaited = self.depth == 1 && self.word == *br#""id""#;
                self.word.clear();
            }
            b',' | b'}' | b']' => {
                if self.awaited && !self.word.is_empty() {
                    self.id = String::from_utf8(std::mem::take(&mut self.word)).ok();
                }
                self.awaited = false;
                self.word.clear();
                if byte != b',' {
                    self.depth = self.depth.saturating_sub(1);
                }
            }
            byte if byte.is_ascii_whitespace() => {}
            byte => self.keep(byte),
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.depth == 1 && self.word.len() < LONGEST_ID {
            self.word.push(byte);
        }
    }

    /// A number or a text, as JSON; nothing where it is neither.
    fn id(self) -> Option<String> {
        let is_id = |value: &serde_json::Value| value.is_number() || value.is_string();
        self.id.filter(|id| serde_json::from_str(id).is_ok_and(|value| is_id(&value)))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt as _;

    use super::*;

    async fn passed(raw: &str, limit: usize) -> String {
        let (ours, mut theirs) = io::duplex(1 << 20);
        pass_on(raw.as_bytes(), ours, limit, &Unheard::default()).await.unwrap();
        let mut got = String::new();
        theirs.read_to_string(&mut got).await.unwrap();
        got
    }

    #[tokio::test]
    async fn small_lines_go_on_as_they_are_and_a_large_one_becomes_an_error_under_its_id() {
        let large = "x".repeat(100);
        for (line, id) in [
            (format!(r#"{{"id":7,"result":{{"id":1,"a":"{large}"}}}}"#), "7"),
            (format!(r#"{{ "result" : {{"a":"{large}", "b":["id", {{"id":3}}]}} , "id" : "k-1" }}"#), r#""k-1""#),
            (format!(r#"{{"result":{{"a":"\"}}id\":5,{large}"}},"jsonrpc":"2.0","id":8}}"#), "8"),
        ] {
            let raw = format!("one\n{line}\ntwo\n");
            let refused = refusal(id, TOO_LARGE);
            assert_eq!(passed(&raw, 60).await, format!("one\n{refused}two\n"), "{line}");
        }
    }

    #[tokio::test]
    async fn an_answer_that_cannot_be_read_becomes_an_error_under_its_id() {
        for line in [r#"{"jsonrpc":"2.0","id":4,"result":{"content":"#, r#"{"jsonrpc":"2.0","id":4,"error":"no"}"#] {
            assert_eq!(passed(&format!("{line}\n"), 100).await, refusal("4", UNREADABLE), "{line}");
        }
        for line in [r#"{"id":4,"level":"info"}"#, r#"{"jsonrpc":"2.0","method":"note","params":7}"#, "so it is"] {
            assert_eq!(passed(&format!("{line}\n"), 100).await, format!("{line}\n"), "{line}");
        }
    }

    #[tokio::test]
    async fn a_large_line_that_answers_nobody_is_left_out() {
        let large = "x".repeat(100);
        for line in [
            large.clone(),
            format!(r#"{{"method":"note","params":{{"id":4,"a":"{large}"}}}}"#),
            format!(r#"{{"id":[1],"a":"{large}"}}"#),
        ] {
            assert_eq!(passed(&format!("{line}\nnext\n"), 60).await, "next\n", "{line}");
        }
        assert_eq!(passed("the end came before the line did", 60).await, "");
    }

    #[tokio::test]
    async fn who_asks_much_and_takes_no_answer_is_not_passed_on_for_ever() {
        let ask = |id: usize| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#) + "\n";
        let much = (0..3_000).map(ask).collect::<String>();
        let (mut input, unheard) = Input::of(io::sink());
        let (ours, mut theirs) = io::duplex(64);
        let listening = async move { pass_on(much.as_bytes(), ours, 100, &unheard).await };
        let answering = async {
            let mut line = BufReader::new(&mut theirs).lines();
            while line.next_line().await.unwrap().is_some() {
                input.write_all(b"{}\n").await.unwrap();
            }
        };
        let (heard, ()) = tokio::join!(listening, answering);
        heard.expect("who takes answers may ask much");

        let much = (0..3_000).map(ask).collect::<String>();
        let (ours, _theirs) = io::duplex(1 << 20);
        pass_on(much.as_bytes(), ours, 100, &Unheard::default()).await.unwrap_err();
        let notes = "{\"jsonrpc\":\"2.0\",\"method\":\"note\"}\n".repeat(3_000);
        let (ours, _theirs) = io::duplex(1 << 20);
        pass_on(notes.as_bytes(), ours, 100, &Unheard::default()).await.expect("a note wants no answer");
    }
}
