//! One step after the other, done to Mooring and to the oracle, and all that can be seen compared.

use std::collections::BTreeMap;

use app::ports::backend::Backend as _;
use domain::{
    explanation::State,
    id::{OpId, TaskId, UserId},
    intent::{Intent, Verdict, Wish},
    retry::Terms,
    task::Phase,
    text::Hash,
};
use uuid::Uuid;

use super::{
    difference::compare,
    real::{Came, Real, WORKERS, Waiting, beginning},
    script::{Answers, Gate, Says, Script, Sees},
    step::{Aim, End, SLOTS, Step, Wait, Wanted},
    turn::Turn,
    world::{LEASE, World},
};
use crate::stage::Stage;

/// Between two steps. The odd microseconds keep any two tasks from being due in the same instant.
const TICK: std::time::Duration = std::time::Duration::from_micros(1_000_003);

/// Turns that may be frozen at once.
const FROZEN: usize = 3;

/// A turn that is frozen, here and there.
struct Held {
    turn: Turn,
    waiting: Waiting,
    script: Script,
}

pub struct Play<'a> {
    pub real: Real<'a>,
    pub world: World,
    held: Vec<Held>,
    slots: [Option<TaskId>; SLOTS],
    said: Vec<(UserId, Intent)>,
    /// IDs made so far.
    made: u128,
    turns: usize,
    record: (u32, u32),
    fences: BTreeMap<TaskId, (i32, i64)>,
    compared: BTreeMap<TaskId, u64>,
    /// Refusals by code.
    pub refused: BTreeMap<String, u64>,
}

impl<'a> Play<'a> {
    pub async fn new(stage: &'a Stage, terms: Terms) -> Self {
        Self {
            real: Real::new(stage, terms).await,
            world: World::new(beginning(), terms),
            held: Vec::new(),
            slots: [None; SLOTS],
            said: Vec::new(),
            made: 0,
            turns: 0,
            record: (1, 1),
            fences: BTreeMap::new(),
            compared: BTreeMap::new(),
            refused: BTreeMap::new(),
        }
    }

    /// Takes a step on both sides; says where they differ afterwards.
    pub async fn step(&mut self, step: &Step) -> Result<(), String> {
        self.world.now = self.world.now.plus(TICK);
        if let Step::Wait(wait) = step {
            self.wait(*wait);
        }
        self.real.set_clock(self.world.now).await;
        match step.clone() {
            Step::Start { slot, question, even_if_similar } => self.start(slot, question, even_if_similar).await?,
            Step::Ask { slot, wish, aim, library, dies } => {
                if let Some(task) = self.asked_of(slot, wish) {
                    let (owner, wish) = (self.world.row(task).task.owner, self.wish(task, wish, aim));
                    let intent = Intent { op_id: OpId(self.id()), task_id: task, as_user: None, wish };
                    self.command(owner, intent, library, dies).await?;
                }
            }
            Step::Late { back, library } => {
                if let Some((owner, intent)) = self.earlier(back) {
                    self.command(owner, intent, library, None).await?;
                }
            }
            Step::Reused { back } => {
                if let Some((owner, mut intent)) = self.earlier(back) {
                    intent.wish = Wish::Edit { base_version: 7, text: "Something else under the same ID.".to_owned() };
                    self.command(owner, intent, Answers::Known, None).await?;
                }
            }
            Step::Stranger { back, own_id } => {
                if let Some((owner, mut intent)) = self.earlier(back) {
                    let other = self.real.learners[usize::from(owner == self.real.learners[0])];
                    if own_id {
                        intent.op_id = OpId(self.id());
                    }
                    self.command(other, intent, Answers::Known, None).await?;
                }
            }
            Step::Turn { sees, says, library, end } => self.turn(sees, says, library, end).await?,
            Step::Thaw { nth } => {
                if nth < self.held.len() {
                    let held = self.held.remove(nth);
                    let script = held.script;
                    self.real.thaw(held.waiting, script).await?;
                    self.learn_names().await;
                    let left = self.world.carry(held.turn, &script, None);
                    assert!(left.is_none(), "nothing holds a thawed turn");
                }
            }
            Step::Die { nth } => {
                if nth < self.held.len() {
                    self.held.remove(nth);
                }
            }
            Step::Wait(_) => {}
        }
        self.compare().await
    }

    fn wait(&mut self, wait: Wait) {
        let hours = |hours: u64| std::time::Duration::from_secs(hours * 3600);
        let later = |time| self.world.now.plus(time);
        self.world.now = match wait {
            Wait::UntilDue => {
                let due = self.world.rows.values().filter_map(|row| row.due_at).min();
                due.map_or(self.world.now, |due| due.max(self.world.now))
            }
            Wait::Minute => later(std::time::Duration::from_mins(1)),
            Wait::Lease => later(LEASE),
            Wait::Hours => later(hours(4)),
            Wait::Day => later(hours(25)),
            Wait::Month => later(hours(31 * 24)),
        };
    }

    fn id(&mut self) -> Uuid {
        self.made += 1;
        Uuid::from_u128(0x0197_0000_0000_7000_8000_0000_0000_0000 + self.made)
    }

    fn earlier(&self, back: usize) -> Option<(UserId, Intent)> {
        let nth = self.said.len().checked_sub(1)?.checked_sub(back % self.said.len())?;
        self.said.get(nth).cloned()
    }

    /// The task in that place; for a wish that is to fit, the next one that waits for a person.
    fn asked_of(&self, slot: usize, wish: Wanted) -> Option<TaskId> {
        let places = (0..SLOTS).filter_map(|nth| self.slots[(slot + nth) % SLOTS]);
        let waits = |task: &TaskId| {
            let phase = self.world.rows[task].task.state.name().phase();
            matches!(phase, Phase::AwaitingHuman | Phase::Failed)
        };
        let fits = matches!(wish, Wanted::Fitting(_));
        let there: Vec<TaskId> = places.collect();
        there.iter().find(|task| fits && waits(task)).or(there.first()).copied()
    }

    async fn start(&mut self, slot: usize, question: usize, even_if_similar: bool) -> Result<(), String> {
        let taken = self.slots[slot]
            .filter(|task| self.world.rows.get(task).is_some_and(|row| !row.task.state.name().phase().is_finished()));
        let task = taken.unwrap_or_else(|| TaskId(self.id()));
        let wish = Wish::Start {
            record_id: "wheel-throwing".to_owned(),
            question: ["What should I bring?", "How long is it?", "Is it for beginners? 🧤"][question].to_owned(),
            even_if_similar,
        };
        let intent = Intent { op_id: OpId(self.id()), task_id: task, as_user: None, wish };
        self.command(self.real.learners[slot % 2], intent, Answers::Known, None).await?;
        if self.world.rows.contains_key(&task) {
            self.slots[slot] = Some(task);
        }
        Ok(())
    }

    /// A wish about what the learner sees now, or a little beside it.
    fn wish(&mut self, task: TaskId, wanted: Wanted, aim: Aim) -> Wish {
        let version = self.world.row(task).task.current().map_or(1, |draft| draft.version);
        let named = if aim == Aim::WrongVersion { version + 1 } else { version };
        let wanted = match wanted {
            Wanted::Fitting(nth) => fitting(&self.world.row(task).task.state, nth),
            other => other,
        };
        let known = &self.world.row(task).task;
        match wanted {
            Wanted::Edit | Wanted::Fitting(_) => {
                Wish::Edit { base_version: named, text: format!("Mine, made from {version}.\r\n🧤") }
            }
            Wanted::BlankEdit => Wish::Edit { base_version: named, text: " \n".to_owned() },
            Wanted::Accept => {
                let hash = known.current().map_or_else(|| Hash::of("none"), |draft| draft.hash.clone());
                let source = known.newest_evidence().map_or_else(|| "none".to_owned(), |e| e.source_version.0.clone());
                Wish::Accept {
                    draft_version: named,
                    draft_hash: if aim == Aim::WrongHash { Hash::of("another") } else { hash },
                    seen_source_version: domain::id::SourceVersion(if aim == Aim::WrongSource {
                        "an older one".to_owned()
                    } else {
                        source
                    }),
                }
            }
            Wanted::Redraft => Wish::Redraft { base_version: named },
            Wanted::Reopen => Wish::Reopen,
            Wanted::Retry => Wish::Retry,
            Wanted::Cancel => Wish::Cancel,
            Wanted::Settle(verdict) => Wish::Settle { verdict, note: "I have looked.".to_owned() },
        }
    }

    async fn command(
        &mut self,
        owner: UserId,
        intent: Intent,
        library: Answers,
        dies: Option<Gate>,
    ) -> Result<(), String> {
        let script = Script { sees: Sees::Same, says: Says::Text, library, record: self.record };
        let real = self.real.command(owner, intent.clone(), script, dies).await?;
        self.learn_names().await;
        let oracle = self.world.command(owner, &intent, &script, dies);
        self.said.push((owner, intent));
        if let Some(Err(refusal)) = oracle.as_deref() {
            *self.refused.entry(format!("{:?}", refusal.code)).or_default() += 1;
        }
        compare("reply", &real, &oracle)
    }

    async fn turn(&mut self, sees: Sees, says: Says, library: Answers, end: End) -> Result<(), String> {
        match sees {
            Sees::Moved => self.record = (self.record.0 + 1, self.record.1 + 1),
            Sees::Slipped => self.record.1 += 1,
            _ => {}
        }
        let script = Script { sees, says, library, record: self.record };
        let gate = match end {
            End::Runs => None,
            End::Freeze(_) if FROZEN <= self.held.len() => None,
            End::Crash(gate) | End::Freeze(gate) | End::Stop(gate) => Some(gate),
        };
        self.turns += 1;
        let worker = self.turns % WORKERS.len();
        let came = self.real.turn(worker, script, gate).await?;
        self.learn_names().await;
        let claimed = self.world.claim(WORKERS[worker]);
        if let Came::Ended(took) = &came {
            compare("a turn found something due", took, &claimed.is_some())?;
        }
        let left = claimed.and_then(|turn| self.world.carry(turn, &script, gate));
        match (came, left) {
            (Came::Ended(_), None) => Ok(()),
            (Came::Waits(waiting), Some(turn)) => {
                match end {
                    End::Freeze(_) => self.held.push(Held { turn, waiting, script }),
                    End::Stop(_) => {
                        self.real.stop(waiting).await?;
                        self.world.hand_back(turn.task, turn.claimed, std::time::Duration::ZERO);
                    }
                    End::Runs | End::Crash(_) => drop(waiting),
                }
                Ok(())
            }
            (Came::Ended(_), Some(turn)) => {
                Err(format!("the oracle's turn waits at {:?}, Mooring's has ended", turn.at))
            }
            (Came::Waits(_), None) => Err("Mooring's turn waits at the gate, the oracle's has ended".to_owned()),
        }
    }

    /// The names of entries are the library's own choice.
    async fn learn_names(&mut self) {
        self.world.shelf.names.extend(self.real.entry_names().await);
    }

    /// Everything that can be seen between two steps.
    async fn compare(&mut self) -> Result<(), String> {
        let (real, oracle) = (self.real.calls(), self.world.calls);
        if real != oracle {
            return Err(format!("calls to the outside: Mooring made {real:?}, the oracle {oracle:?}"));
        }
        for owner in self.real.learners {
            let list = self.real.backend.tasks(owner).await.map_err(|error| format!("no list: {error:?}"))?;
            compare("list", &list, &self.world.snapshots(owner))?;
        }
        for (task, attempt, seq) in self.real.fences().await {
            let (last_attempt, last_seq) = self.fences.insert(task, (attempt, seq)).unwrap_or_default();
            if attempt < last_attempt || seq < last_seq {
                return Err(format!("attempt or seq shrank: {last_attempt}, {last_seq} became {attempt}, {seq}"));
            }
        }
        let moved: Vec<(TaskId, UserId, u64)> = self
            .world
            .rows
            .values()
            .map(|row| (row.task.id, row.task.owner, row.task.seq))
            .filter(|(task, _, seq)| self.compared.insert(*task, *seq) != Some(*seq))
            .collect();
        for (task, owner, _) in moved {
            let seen = self.real.backend.task(owner, task).await.map_err(|error| format!("no task: {error:?}"))?;
            compare("task", &Some(seen), &self.world.snapshot(owner, task))?;
        }
        Ok(())
    }

    /// Whoever is still frozen dies.
    pub fn all_die(&mut self) {
        self.held.clear();
    }
}

/// What makes sense in a state, most of all what leads on.
fn fitting(state: &State, nth: usize) -> Wanted {
    use Verdict::{LookAgain, NotSavedSaveNow, NotSavedStop, WasSaved};
    let choices: [Wanted; 12] = match state {
        State::AwaitingReview { proposal: None } => [
            Wanted::Reopen,
            Wanted::Reopen,
            Wanted::Reopen,
            Wanted::Edit,
            Wanted::Edit,
            Wanted::Redraft,
            Wanted::Redraft,
            Wanted::Accept,
            Wanted::Accept,
            Wanted::Reopen,
            Wanted::Edit,
            Wanted::Cancel,
        ],
        State::AwaitingReview { .. } => [
            Wanted::Accept,
            Wanted::Accept,
            Wanted::Accept,
            Wanted::Accept,
            Wanted::Accept,
            Wanted::Accept,
            Wanted::Edit,
            Wanted::Edit,
            Wanted::Redraft,
            Wanted::Redraft,
            Wanted::Reopen,
            Wanted::Cancel,
        ],
        State::NeedsChecking { .. } => [
            Wanted::Settle(LookAgain),
            Wanted::Settle(LookAgain),
            Wanted::Settle(LookAgain),
            Wanted::Settle(WasSaved),
            Wanted::Settle(WasSaved),
            Wanted::Settle(WasSaved),
            Wanted::Settle(NotSavedSaveNow),
            Wanted::Settle(NotSavedSaveNow),
            Wanted::Settle(NotSavedSaveNow),
            Wanted::Settle(NotSavedStop),
            Wanted::Settle(NotSavedStop),
            Wanted::Cancel,
        ],
        State::SourceMissing { .. } | State::SourceUnavailable { .. } | State::DraftFailed { .. } => {
            let mut choices = [Wanted::Retry; 12];
            choices[11] = Wanted::Cancel;
            choices
        }
        // Nothing fits here; mostly something that may come too early or too late, seldom the end.
        _ => {
            let mut choices = [Wanted::Accept; 12];
            choices[11] = Wanted::Cancel;
            choices
        }
    };
    choices[nth % choices.len()]
}
