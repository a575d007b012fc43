//! Connections: so many at once, and none that keeps a place while nothing is said or taken.
//!
//! Invariants: a connection that has not said its whole request head within [`HEAD_WITHIN`] is closed, also between two
//! requests, and so is one that takes nothing of an answer for as long; there are never more than [`seats`], so that a crowd takes no file from the database or from a source.

use std::{io, net::SocketAddr, pin::pin, sync::Arc, time::Duration};

use axum::{Router, body::Body, extract::ConnectInfo};
use hyper::{Request, body::Incoming, server::conn::http1};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use rustix::process::{Resource, getrlimit};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
};
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

/// How long a request's head may take to arrive, how long a connection may rest between two requests, and how long
/// nothing of an answer may be taken.
const PATIENCE: Duration = Duration::from_secs(30);

/// No machine has use for more.
const MOST: usize = 10_000;

/// After an error that a connection cannot help, as when the process has no file left for it.
const BREATH: Duration = Duration::from_secs(1);

/// How many connections there may be: half of the files that the process may have open.
fn seats() -> usize {
    let files = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    usize::try_from(files / 2).unwrap_or(MOST).clamp(16, MOST)
}

/// Answers until `shutdown`, then ends what is under way within `drain`.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    shutdown: CancellationToken,
    drain: Duration,
) -> io::Result<()> {
    let serving = serve_within(listener, router, shutdown.clone(), seats(), PATIENCE);
    let overdue = async {
        shutdown.cancelled().await;
        tokio::time::sleep(drain).await;
    };
    tokio::select! {
        ended = serving => ended,
        () = overdue => {
            tracing::warn!("some requests did not end in time and are dropped");
            Ok(())
        }
    }
}

async fn serve_within(
    listener: TcpListener,
    router: Router,
    shutdown: CancellationToken,
    seats: usize,
    patience: Duration,
) -> io::Result<()> {
    let seats = Arc::new(Semaphore::new(seats));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience);
    let ending = GracefulShutdown::new();
    let mut stop = pin!(shutdown.cancelled());
    loop {
        let (tcp, from, seat) = tokio::select! {
            next = next(&listener, &seats) => next,
            () = &mut stop => break,
        };
        // Handlers want to know whom they speak with.
        let service = router.clone().map_request(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(from));
            request
        });
        let mut tcp = TimeoutStream::new(tcp);
        tcp.set_write_timeout(Some(patience));
        let connection = http.serve_connection(TokioIo::new(Box::pin(tcp)), TowerToHyperService::new(service));
        let connection = ending.watch(connection);
        tokio::spawn(async move {
            // Whoever is at the other end broke off, or was too slow.
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection has ended before its time");
            }
            drop(seat);
        });
    }
    drop(listener);
    ending.shutdown().await;
    Ok(())
}

/// The next connection, once there is a seat for it. Until then it waits where the system keeps those who knock.
async fn next(listener: &TcpListener, seats: &Arc<Semaphore>) -> (TcpStream, SocketAddr, OwnedSemaphorePermit) {
    loop {
        let Ok(seat) = Arc::clone(seats).acquire_owned().await else { std::future::pending().await };
        match listener.accept().await {
            Ok((tcp, from)) => {
                // Small events must not wait for each other.
                if let Err(error) = tcp.set_nodelay(true) {
                    tracing::debug!(%error, "a connection keeps its delay");
                }
                return (tcp, from, seat);
            }
            // One that was gone before it was taken is nobody's trouble.
            Err(error) if is_of_the_connection(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "no connection can be taken just now");
                tokio::time::sleep(BREATH).await;
            }
        }
    }
}

fn is_of_the_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _},
        time::Instant,
    };

    use super::*;

    const SOON: Duration = Duration::from_millis(300);

    async fn serving(seats: usize) -> (SocketAddr, CancellationToken) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = CancellationToken::new();
        let much = get(async || "much ".repeat(4_000_000));
        let router = Router::new().route("/", get(async || "here")).route("/much", much);
        tokio::spawn(serve_within(listener, router, stop.clone(), seats, SOON));
        (address, stop)
    }

    async fn asked(address: SocketAddr) -> String {
        let mut tcp = TcpStream::connect(address).await.unwrap();
        tcp.write_all(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await.unwrap();
        let mut answer = String::new();
        tcp.read_to_string(&mut answer).await.unwrap();
        answer
    }

    #[tokio::test]
    async fn who_says_half_of_a_head_or_nothing_more_is_let_go() {
        let (address, _stop) = serving(100).await;
        for said in ["", "GET / HTTP/1.1\r\nhost: x\r\n", "GET / HTTP/1.1\r\nhost: x\r\n\r\n"] {
            let mut tcp = TcpStream::connect(address).await.unwrap();
            tcp.write_all(said.as_bytes()).await.unwrap();
            let mut heard = Vec::new();
            let closed = tokio::time::timeout(SOON * 20, tcp.read_to_end(&mut heard)).await;
            assert!(closed.is_ok(), "{said:?}: it still stands");
        }
    }

    #[tokio::test]
    async fn whoever_comes_when_every_seat_is_taken_is_answered_when_one_is_free() {
        let (address, _stop) = serving(4).await;
        let mut crowd = Vec::new();
        for _ in 0..8 {
            let mut tcp = TcpStream::connect(address).await.unwrap();
            tcp.write_all(b"GET / HTTP/1.1\r\n").await.unwrap();
            crowd.push(tcp);
        }
        let since = Instant::now();
        let answer = tokio::time::timeout(SOON * 40, asked(address)).await.expect("those before had their time");
        assert!(SOON <= since.elapsed() + SOON / 2, "it was let in while every seat was taken");
        assert!(answer.ends_with("here"), "{answer}");
    }

    #[tokio::test]
    async fn who_asks_for_much_and_takes_nothing_gives_the_seat_back() {
        let (address, _stop) = serving(1).await;
        let mut tcp = TcpStream::connect(address).await.unwrap();
        tcp.write_all(b"GET /much HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
        let mut first = [0];
        tcp.read_exact(&mut first).await.unwrap();
        let answer = tokio::time::timeout(SOON * 40, asked(address)).await.expect("the seat is free again");
        assert!(answer.ends_with("here"), "{answer}");
        // What it did not take in time is not sent any more.
        let mut rest = Vec::new();
        let _ = tcp.read_to_end(&mut rest).await;
        assert!(rest.len() < 20_000_000, "{}", rest.len());
    }

    #[tokio::test]
    async fn asked_to_stop_it_takes_nobody_and_ends() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = CancellationToken::new();
        let router = Router::new().route("/", get(async || "here"));
        let serving = tokio::spawn(serve_within(listener, router, stop.clone(), 4, SOON));
        assert!(asked(address).await.ends_with("here"));
        stop.cancel();
        tokio::time::timeout(SOON * 20, serving).await.unwrap().unwrap().unwrap();
        assert!(TcpStream::connect(address).await.is_err());
    }
}
