//! HTTP/1.1 as thin as it can be: one connection, one request at a time, no parsing of what nobody
//! reads. The load generator shares its cores with the server that it measures.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    time::Duration,
};

use anyhow::{Context as _, Result, bail};

const PATIENCE: Duration = Duration::from_mins(1);

/// A connection that is kept for the next request.
pub struct Connection {
    stream: BufReader<TcpStream>,
    address: String,
}

/// An answer with its body.
pub struct Answer {
    pub status: u16,
    pub cookie: Option<String>,
    pub body: String,
}

struct Head {
    status: u16,
    length: Option<usize>,
    cookie: Option<String>,
}

impl Connection {
    pub fn open(address: &str) -> Result<Self> {
        let stream = TcpStream::connect(address).with_context(|| format!("nobody listens on {address}"))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Self { stream: BufReader::with_capacity(64 * 1024, stream), address: address.to_owned() })
    }

    pub fn post(&mut self, path: &str, cookie: &str, body: &str) -> Result<Answer> {
        let length = body.len();
        self.send(&format!(
            "POST {path} HTTP/1.1\r\nhost: {}\r\ncookie: {cookie}\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n{body}",
            self.address
        ))?;
        let head = self.head()?;
        let mut body = vec![0; head.length.context("an answer came without its length")?];
        self.stream.read_exact(&mut body).context("an answer broke off")?;
        Ok(Answer { status: head.status, cookie: head.cookie, body: String::from_utf8(body)? })
    }

    /// An event stream takes its connection for itself.
    pub fn listen(mut self, path: &str, cookie: &str) -> Result<Events> {
        self.send(&format!("GET {path} HTTP/1.1\r\nhost: {}\r\ncookie: {cookie}\r\n\r\n", self.address))?;
        match self.head()? {
            Head { status: 200, length: None, .. } => Ok(Events { stream: self.stream, read: String::new() }),
            Head { status, .. } => bail!("the event stream was answered {status}"),
        }
    }

    fn send(&mut self, request: &str) -> Result<()> {
        self.stream.get_mut().write_all(request.as_bytes()).context("the server does not listen any more")
    }

    fn head(&mut self) -> Result<Head> {
        let mut line = String::new();
        self.stream.read_line(&mut line).context("no answer came")?;
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).context("that was no HTTP")?;
        let mut head = Head { status, length: None, cookie: None };
        loop {
            line.clear();
            self.stream.read_line(&mut line).context("an answer broke off")?;
            let Some((name, value)) = line.trim_end().split_once(':') else { return Ok(head) };
            let value = value.trim();
            if name.eq_ignore_ascii_case("content-length") {
                head.length = value.parse().ok();
            } else if name.eq_ignore_ascii_case("set-cookie") {
                head.cookie = value.split(';').next().map(str::to_owned);
            }
        }
    }
}

/// Server-sent events, as they come.
pub struct Events {
    stream: BufReader<TcpStream>,
    read: String,
}

impl Events {
    /// The next event, whole; none when the stream has ended.
    pub fn next(&mut self) -> Result<Option<String>> {
        loop {
            if let Some(end) = self.read.find("\n\n") {
                let rest = self.read.split_off(end + 2);
                return Ok(Some(std::mem::replace(&mut self.read, rest)));
            }
            if !self.chunk()? {
                return Ok(None);
            }
        }
    }

    fn chunk(&mut self) -> Result<bool> {
        let mut line = String::new();
        self.stream.read_line(&mut line).context("the event stream broke off")?;
        let size = usize::from_str_radix(line.trim_end(), 16).context("the event stream broke off")?;
        // The chunk ends with a line of its own.
        let mut chunk = vec![0; size + 2];
        self.stream.read_exact(&mut chunk).context("the event stream broke off")?;
        chunk.truncate(size);
        self.read.push_str(&String::from_utf8(chunk).context("an event was parted within a letter")?);
        Ok(0 < size)
    }
}
