//! What a server asks of its database while nobody wants anything.

use std::{
    path::Path,
    thread,
    time::{Duration, Instant},
};

use anyhow::Result;

use super::{
    cluster::{self, Cluster, ELSEWHERE},
    figures::{Figures, Goal},
};
use crate::{bench::server::Server, process, say};

/// Counts reach the statistics up to a second late, which this makes small.
const WATCHED: Duration = Duration::from_secs(20);

/// What a start asks is not what an idle server asks.
const SETTLED: Duration = Duration::from_secs(3);

pub fn measure(mooring: &Path, data: &Path, figures: &mut Figures) -> Result<()> {
    let _server = Server::start(mooring, data, &[])?;
    let mut client = Cluster::of(data)?.connect(ELSEWHERE)?;
    pass(SETTLED)?;
    let (before, start) = (cluster::transactions(&mut client)?, Instant::now());
    pass(WATCHED)?;
    let (after, took) = (cluster::transactions(&mut client)?, start.elapsed());
    #[expect(clippy::cast_precision_loss, reason = "counts of twenty seconds are small")]
    let queries = (after - before) as f64 / took.as_secs_f64();
    say::note(&format!("idle: {queries:.2} queries a second"));
    figures.add("idle: queries a process", Some(queries), "/s", Some(Goal::Below(2.0)));
    Ok(())
}

/// Time is what is measured here, so it has to pass.
fn pass(time: Duration) -> Result<()> {
    let until = Instant::now() + time;
    while Instant::now() < until {
        if process::is_stopping() {
            anyhow::bail!("stopped");
        }
        thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}
