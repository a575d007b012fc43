//! All tasks of the learner, newest first, and the filters over them.

use domain::{intent::Wish, outbox::Entry, snapshot::Snapshot, task::Phase, time::Timestamp};
use leptos::prelude::*;

use super::{
    icon::{Icon, Picture},
    status::picture,
};
use crate::{
    signal::{Memo, Signal},
    words::{
        capital, home, labels, places,
        said::Said,
        status,
        status::Tone,
        times::{self, Zone},
    },
};

/// Which tasks are shown. Each task falls under one of these besides [`Filter::All`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    All,
    NeedsMe,
    Running,
    Finished,
    Failed,
}

impl Filter {
    pub const EACH: [Self; 5] = [Self::All, Self::NeedsMe, Self::Running, Self::Finished, Self::Failed];

    /// The word in the address; for one that nobody knows, all are shown.
    pub fn named(word: &str) -> Self {
        Self::EACH.into_iter().find(|filter| filter.word() == word).unwrap_or(Self::All)
    }

    pub fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::NeedsMe => "needs-me",
            Self::Running => "running",
            Self::Finished => "finished",
            Self::Failed => "failed",
        }
    }

    fn address(self) -> String {
        if self == Self::All { "/tasks".to_owned() } else { format!("/tasks?show={}", self.word()) }
    }

    fn label(self) -> Said {
        match self {
            Self::All => places::ALL,
            Self::NeedsMe => places::NEEDS_ME,
            Self::Running => places::RUNNING,
            Self::Finished => places::FINISHED,
            Self::Failed => places::FAILED,
        }
    }

    /// What is said where it finds nothing.
    fn nothing(self) -> Said {
        match self {
            Self::All => home::NO_TASKS,
            Self::NeedsMe => places::NONE_NEEDS_ME,
            Self::Running => places::NONE_RUNNING,
            Self::Finished => places::NONE_FINISHED,
            Self::Failed => places::NONE_FAILED,
        }
    }

    /// Under which a task falls.
    pub fn of(phase: Phase) -> Self {
        match phase {
            Phase::AwaitingHuman => Self::NeedsMe,
            Phase::Pending | Phase::Running => Self::Running,
            Phase::Succeeded | Phase::Cancelled => Self::Finished,
            Phase::Failed => Self::Failed,
        }
    }

    fn shows(self, line: &Line) -> bool {
        self == Self::All || self == line.under
    }
}

/// One task in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub task: String,
    pub href: String,
    pub title: String,
    pub question: String,
    pub tone: Tone,
    pub tag: String,
    pub when: String,
    pub under: Filter,
}

impl Line {
    /// One that the server has listed, or that this device remembers (`told` is false).
    pub fn of_task(task: &Snapshot, told: bool, now: Option<Timestamp>, zone: Zone) -> Self {
        let (tone, tag) = status::tag(task, now.filter(|_| told));
        Self {
            task: task.task_id.to_string(),
            href: format!("/tasks/{}", task.task_id),
            title: task.title.clone(),
            question: task.question.clone(),
            tone: if told { tone } else { Tone::Unknown },
            tag: status::hedged(&tag, told),
            when: times::at(task.updated_at, now, zone),
            under: Filter::of(task.phase),
        }
    }

    /// One that the server is not known to have. The start page has what can be done about it.
    pub fn of_start(entry: &Entry, title_of: impl Fn(&str) -> String) -> Self {
        let (title, question) = match &entry.intent.wish {
            Wish::Start { record_id, question, .. } => (title_of(record_id), question.clone()),
            _ => (String::new(), String::new()),
        };
        let (tone, tag, under) = if entry.sending.is_waiting() {
            (Tone::Unknown, labels::WAITING, Filter::Running)
        } else {
            (Tone::Bad, places::NOT_STARTED, Filter::NeedsMe)
        };
        Self {
            task: entry.intent.task_id.to_string(),
            href: "/".to_owned(),
            title,
            question,
            tone,
            tag: tag.into(),
            when: String::new(),
            under,
        }
    }
}

/// The filters, each with how many it finds. They are links: what was chosen stands in the address.
#[component]
pub fn Filters(#[prop(into)] lines: Signal<Vec<Line>>, filter: Memo<Filter>) -> impl IntoView {
    let link = move |which: Filter| {
        let count = move || lines.with(|lines| lines.iter().filter(|line| which.shows(line)).count());
        view! {
            <li>
                <a
                    class="filter"
                    href=which.address()
                    data-noscroll=""
                    aria-current=move || (filter.get() == which).then_some("page")
                >
                    {which.label()}
                    " "
                    <span class="filter__count">{count}</span>
                </a>
            </li>
        }
    };
    view! {
        <nav aria-label=places::SHOW>
            <ul class="filters">{Filter::EACH.map(link).collect_view()}</ul>
        </nav>
    }
    .into_any()
}

/// One line each: what it is about, how it stands, since when.
#[component]
pub fn TaskList(#[prop(into)] lines: Signal<Vec<Line>>, filter: Memo<Filter>) -> impl IntoView {
    move || {
        let filter = filter.get();
        let shown: Vec<Line> = lines.with(|all| all.iter().filter(|line| filter.shows(line)).cloned().collect());
        if shown.is_empty() {
            return view! {
                <div class="empty">
                    <Icon picture=Picture::List />
                    <p>{filter.nothing()}</p>
                    <a class="button button--primary" href="/">
                        {labels::START_A_TASK}
                    </a>
                </div>
            }
            .into_any();
        }
        view! { <ul class="list">{shown.into_iter().map(item).collect_view()}</ul> }.into_any()
    }
}

fn item(line: Line) -> AnyView {
    let Line { task, href, title, question, tone, tag, when, .. } = line;
    view! {
        <li data-task=task>
            <a class="list__link" href=href>
                <span class="list__title" lang="" dir="auto">{title}</span>
                <span class="list__lead" lang="" dir="auto">{question}</span>
                <span class="list__foot">
                    <span class=format!("tag tag--{}", tone.as_str())>
                        <Icon picture=picture(tone) class="icon--small" />
                        {capital(&tag)}
                    </span>
                    <span class="list__when">{when}</span>
                </span>
            </a>
        </li>
    }
    .into_any()
}
