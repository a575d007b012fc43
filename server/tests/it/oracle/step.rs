//! The steps of a stream: what learners, workers and the clock may do next, and how likely.

use domain::intent::Verdict;
use proptest::{prelude::*, strategy::Union};

use super::script::{Answers, Gate, Says, Sees};

/// Places for tasks: each is used again once its task has finished.
pub const SLOTS: usize = 4;

/// One thing that happens.
#[derive(Clone, Debug)]
pub enum Step {
    /// A new task in a free place; in a taken one a second start of the task that is there.
    Start { slot: usize, question: usize, even_if_similar: bool },
    /// A learner's word to a task, to one that waits for a word if there is one. `dies`: the web process ends at that call to the library.
    Ask { slot: usize, wish: Wanted, aim: Aim, library: Answers, dies: Option<Gate> },
    /// An earlier command arrives again, exactly as it was.
    Late { back: usize, library: Answers },
    /// An earlier operation ID with another request.
    Reused { back: usize },
    /// Another learner sends somebody's earlier command, with its ID or a new one.
    Stranger { back: usize, own_id: bool },
    /// A worker takes what is due and carries it as far as it goes.
    Turn { sees: Sees, says: Says, library: Answers, end: End },
    /// A frozen turn goes on.
    Thaw { nth: usize },
    /// A frozen turn dies.
    Die { nth: usize },
    /// Time passes.
    Wait(Wait),
}

/// What a learner wants.
#[derive(Clone, Copy, Debug)]
pub enum Wanted {
    /// One of those that the task's state allows, by number.
    Fitting(usize),
    Edit,
    BlankEdit,
    Accept,
    Redraft,
    Reopen,
    Retry,
    Cancel,
    Settle(Verdict),
}

/// How well a command names what it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    Right,
    WrongVersion,
    WrongHash,
    WrongSource,
}

/// How a worker's turn ends.
#[derive(Clone, Copy, Debug)]
pub enum End {
    Runs,
    /// The process dies at this call.
    Crash(Gate),
    /// The process says nothing more, until it is thawed.
    Freeze(Gate),
    /// The process is told to stop while it waits for this call.
    Stop(Gate),
}

/// How long nothing happens.
#[derive(Clone, Copy, Debug)]
pub enum Wait {
    /// Until the next task is due, if one will be.
    UntilDue,
    Minute,
    Lease,
    /// Longer than a step may be tried.
    Hours,
    /// Longer than evidence is fresh.
    Day,
    /// Longer than a proposal may be accepted.
    Month,
}

impl Step {
    /// The name under which it is counted.
    pub fn name(&self) -> String {
        match self {
            Self::Start { .. } => "start".to_owned(),
            Self::Ask { dies: Some(_), .. } => "ask, and the web process may die".to_owned(),
            Self::Ask { .. } => "ask".to_owned(),
            Self::Late { .. } => "late".to_owned(),
            Self::Reused { .. } => "reused".to_owned(),
            Self::Stranger { .. } => "stranger".to_owned(),
            Self::Turn { end, .. } => format!("turn, {end:?}").to_lowercase(),
            Self::Thaw { .. } => "thaw".to_owned(),
            Self::Die { .. } => "die".to_owned(),
            Self::Wait(wait) => format!("wait, {wait:?}").to_lowercase(),
        }
    }
}

/// What belongs together, as a stream is put together from it; each step is shrunk by itself. What is simplest
/// comes first in each choice, since shrinking goes that way.
pub fn any_passage() -> impl Strategy<Value = Passage> {
    weighted([
        (6, Passage::Work),
        (8, Passage::Ask),
        (2, Passage::Start),
        (2, Passage::ToReview),
        (3, Passage::Overtaken),
        (2, Passage::Save),
        (5, Passage::Late),
        (1, Passage::Wait),
    ])
}

/// Steps that lead somewhere together.
#[derive(Clone, Copy, Debug)]
pub enum Passage {
    Work,
    Ask,
    Start,
    /// From start to review, mostly.
    ToReview,
    /// Somebody freezes, others go on, the first thaws.
    Overtaken,
    /// A word, perhaps an acceptance, and two tries to carry it out.
    Save,
    Late,
    Wait,
}

impl Passage {
    pub fn steps(self) -> Vec<BoxedStrategy<Step>> {
        match self {
            Self::Work => vec![until_due(), turn(end())],
            Self::Ask => vec![ask()],
            Self::Start => vec![start()],
            Self::ToReview => vec![start(), until_due(), turn(Just(End::Runs))],
            Self::Overtaken => {
                let freezes = weighted(GATES).prop_map(End::Freeze);
                let between = prop_oneof![turn(end()), ask()].boxed();
                vec![until_due(), turn(freezes), lease(), turn(Just(End::Runs)), between, thaw()]
            }
            Self::Save => vec![ask(), until_due(), turn(end()), until_due(), turn(end()), ask()],
            Self::Late => vec![late()],
            Self::Wait => vec![wait()],
        }
    }
}

fn start() -> BoxedStrategy<Step> {
    (0..SLOTS, 0..3_usize, prop::bool::weighted(0.7))
        .prop_map(|(slot, question, even_if_similar)| Step::Start { slot, question, even_if_similar })
        .boxed()
}

fn ask() -> BoxedStrategy<Step> {
    (0..SLOTS, wanted(), aim(), answers(), dies())
        .prop_map(|(slot, wish, aim, library, dies)| Step::Ask { slot, wish, aim, library, dies })
        .boxed()
}

fn turn(end: impl Strategy<Value = End> + 'static) -> BoxedStrategy<Step> {
    (sees(), says(), answers(), end)
        .prop_map(|(sees, says, library, end)| Step::Turn { sees, says, library, end })
        .boxed()
}

fn late() -> BoxedStrategy<Step> {
    let back = || 0..60_usize;
    prop_oneof![
        5 => (back(), answers()).prop_map(|(back, library)| Step::Late { back, library }),
        1 => back().prop_map(|back| Step::Reused { back }),
        1 => (back(), any::<bool>()).prop_map(|(back, own_id)| Step::Stranger { back, own_id }),
        1 => (0..3_usize).prop_map(|nth| Step::Die { nth }),
        1 => thaw(),
    ]
    .boxed()
}

fn thaw() -> BoxedStrategy<Step> {
    (0..2_usize).prop_map(|nth| Step::Thaw { nth }).boxed()
}

fn until_due() -> BoxedStrategy<Step> {
    Just(Step::Wait(Wait::UntilDue)).boxed()
}

fn lease() -> BoxedStrategy<Step> {
    Just(Step::Wait(Wait::Lease)).boxed()
}

fn wanted() -> impl Strategy<Value = Wanted> {
    use Verdict::{LookAgain, NotSavedSaveNow, NotSavedStop, WasSaved};
    let verdict = weighted([(1, LookAgain), (1, WasSaved), (1, NotSavedSaveNow), (1, NotSavedStop)]);
    prop_oneof![
        12 => (0..12_usize).prop_map(Wanted::Fitting),
        2 => weighted([
            (2, Wanted::Accept), (2, Wanted::Edit), (1, Wanted::Redraft), (1, Wanted::Reopen), (1, Wanted::Retry),
            (1, Wanted::Cancel), (1, Wanted::BlankEdit),
        ]),
        1 => verdict.prop_map(Wanted::Settle),
    ]
}

fn aim() -> impl Strategy<Value = Aim> {
    weighted([(12, Aim::Right), (1, Aim::WrongVersion), (1, Aim::WrongHash), (1, Aim::WrongSource)])
}

fn answers() -> impl Strategy<Value = Answers> {
    weighted([(8, Answers::Known), (3, Answers::Away), (2, Answers::Lost)])
}

fn dies() -> impl Strategy<Value = Option<Gate>> {
    weighted([(8, None), (1, Some(Gate::LibraryBefore)), (1, Some(Gate::LibraryAfter))])
}

fn sees() -> impl Strategy<Value = Sees> {
    weighted([
        (16, Sees::Same),
        (3, Sees::Moved),
        (1, Sees::Slipped),
        (2, Sees::Missing),
        (1, Sees::Withdrawn),
        (4, Sees::TimedOut),
        (1, Sees::Busy),
        (1, Sees::Malformed),
    ])
}

fn says() -> impl Strategy<Value = Says> {
    weighted([
        (16, Says::Text),
        (2, Says::CutOff),
        (2, Says::Empty),
        (3, Says::TimedOut),
        (1, Says::Busy),
        (2, Says::Malformed),
    ])
}

const GATES: [(u32, Gate); 4] =
    [(2, Gate::Source), (2, Gate::Model), (2, Gate::LibraryBefore), (3, Gate::LibraryAfter)];

fn end() -> impl Strategy<Value = End> {
    prop_oneof![
        8 => Just(End::Runs),
        2 => weighted(GATES).prop_map(End::Crash),
        1 => weighted(GATES).prop_map(End::Freeze),
        1 => weighted(GATES).prop_map(End::Stop),
    ]
}

fn wait() -> BoxedStrategy<Step> {
    weighted([(2, Wait::Minute), (2, Wait::Lease), (1, Wait::Hours), (2, Wait::Day), (1, Wait::Month)])
        .prop_map(Step::Wait)
        .boxed()
}

fn weighted<T: Clone + std::fmt::Debug + 'static, const N: usize>(choices: [(u32, T); N]) -> Union<Just<T>> {
    Union::new_weighted(choices.map(|(weight, choice)| (weight, Just(choice))).to_vec())
}
