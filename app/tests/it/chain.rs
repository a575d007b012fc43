//! What builds on each other ends where the learner ended, whatever the network does.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use app::{api::error::ApiError, words::status::is_clash};
use domain::{
    explanation::StateName,
    fault::Code,
    id::OpId,
    intent::{Done, Intent, Wish},
    snapshot::{Author, Snapshot},
};

use crate::{
    fake::{
        Script, Tab,
        device::Memory,
        server::Answer,
        things::{accept, ada, add_version, done, in_state, task_at, the_task},
    },
    returned::remembering,
};

/// A server that keeps versions and a ledger, behind a network that drops what it likes.
struct Keeping {
    task: Snapshot,
    ledger: BTreeMap<OpId, Answer<Done>>,
    /// Commands that were carried out, in their order.
    carried_out: Vec<Wish>,
}

impl Keeping {
    fn on(server: &Rc<Script>, task: Snapshot, mut fate: impl FnMut() -> u32 + 'static) -> Rc<RefCell<Self>> {
        *server.task.borrow_mut() = Answer::Says(task.clone());
        let keeping = Rc::new(RefCell::new(Self { task, ledger: BTreeMap::new(), carried_out: Vec::new() }));
        let (here, script) = (keeping.clone(), Rc::downgrade(server));
        server.on_command(move |intent| match fate() % 3 {
            0 => Answer::NotOurs,
            arrives => {
                let answer = here.borrow_mut().carry_out(intent);
                if let Some(script) = script.upgrade() {
                    *script.task.borrow_mut() = Answer::Says(here.borrow().task.clone());
                }
                if arrives == 1 { Answer::NotOurs } else { answer }
            }
        });
        keeping
    }

    fn carry_out(&mut self, intent: &Intent) -> Answer<Done> {
        if let Some(recorded) = self.ledger.get(&intent.op_id) {
            return recorded.clone();
        }
        let current = self.task.draft_version.unwrap_or_default();
        let named = match &intent.wish {
            Wish::Edit { base_version, .. } => *base_version,
            Wish::Accept { draft_version, .. } => *draft_version,
            _ => current,
        };
        let answer = if named == current {
            self.task.seq += 1;
            match &intent.wish {
                Wish::Edit { text, .. } => add_version(&mut self.task, Author::Learner, text),
                Wish::Accept { .. } => self.task = in_state(self.task.clone(), StateName::Accepted),
                _ => {}
            }
            self.carried_out.push(intent.wish.clone());
            Answer::Says(done(intent, self.task.clone()))
        } else {
            Answer::Refuses(ApiError::from(Code::StaleVersion).with_current(self.task.clone()))
        };
        self.ledger.insert(intent.op_id, answer.clone());
        answer
    }

    fn text(&self) -> String {
        self.task.drafts.last().and_then(|draft| draft.text.clone()).unwrap()
    }
}

/// Numbers that look like chance and are the same each time.
fn chance(seed: u32) -> impl FnMut() -> u32 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    }
}

fn opened(slots: &Rc<Memory>, server: &Rc<Script>) -> Tab {
    let mut tab = Tab::started(slots.clone(), server.clone());
    tab.keeper.watch(Some(the_task()));
    tab.settle();
    tab
}

fn edit(base_version: u32, text: &str) -> Wish {
    Wish::Edit { base_version, text: text.to_owned() }
}

fn waiting(tab: &Tab) -> usize {
    tab.keeper.shown.outbox.get_untracked().len()
}

#[test]
fn c18_offline_edits_then_accept_end_at_the_last_text_and_the_accept_names_its_version() {
    for seed in 0..60 {
        let (slots, server) = (remembering(5), Rc::new(Script::new(ada())));
        let mut chance = chance(seed);
        // The first edits are made with the network down.
        let (mut fate, mut down) = (self::chance(seed + 1_000), 8);
        let keeping = Keeping::on(&server, task_at(6), move || {
            down = u32::saturating_sub(down, 1);
            if down > 0 { 0 } else { fate() }
        });
        let mut tab = opened(&slots, &server);
        for (n, text) in (1..).zip(["A", "B", "C"]) {
            tab.keeper.wish(Some(the_task()), edit(n, text), None).unwrap();
            tab.pass(u64::from(chance() % 4_000));
            if chance().is_multiple_of(2) {
                // Closed and opened again, wherever it was.
                tab = opened(&slots, &server);
            }
        }
        tab.keeper.wish(Some(the_task()), accept(4, "C"), Some("C".to_owned())).unwrap();
        tab = opened(&slots, &server);
        for _ in 0..60 {
            tab.pass(5_000);
        }
        let keeping = keeping.borrow();
        assert_eq!((waiting(&tab), keeping.text().as_str()), (0, "C"), "seed {seed}");
        let wanted = [edit(1, "A"), edit(2, "B"), edit(3, "C"), accept(4, "C")];
        assert_eq!(keeping.carried_out, wanted, "each once and in order; seed {seed}");
    }
}

#[test]
fn c25_edit_save_edit_save_on_a_slow_network_is_no_conflict_with_oneself() {
    let (slots, server) = (remembering(5), Rc::new(Script::new(ada())));
    let mut turn = 0;
    // The first reply is lost; the second save is pressed while the first is not confirmed.
    let keeping = Keeping::on(&server, task_at(6), move || {
        turn += 1;
        if turn == 1 { 1 } else { 2 }
    });
    let mut tab = opened(&slots, &server);
    tab.keeper.wish(Some(the_task()), edit(1, "Once."), None).unwrap();
    tab.keeper.wish(Some(the_task()), edit(2, "Twice."), None).unwrap();
    tab.pass(30_000);
    assert_eq!((waiting(&tab), keeping.borrow().text().as_str()), (0, "Twice."));
    assert_eq!(keeping.borrow().carried_out, [edit(1, "Once."), edit(2, "Twice.")]);
}

/// The accept of version 3 waits while another device writes version 4; then it is refused.
fn clash_at_4() -> (Tab, Rc<Memory>, Rc<Script>, Rc<RefCell<Keeping>>) {
    let (slots, server) = (remembering(5), Rc::new(Script::new(ada())));
    let mut three = task_at(6);
    add_version(&mut three, Author::Learner, "Two.");
    add_version(&mut three, Author::Learner, "Three.");
    let keeping = Keeping::on(&server, three.clone(), || 0);
    let mut tab = opened(&slots, &server);
    tab.keeper.wish(Some(the_task()), accept(3, "Three."), Some("Three.".to_owned())).unwrap();
    tab.settle();
    let mut four = three;
    add_version(&mut four, Author::Learner, "Four.");
    four.seq = 9;
    let keeping = {
        drop(keeping);
        Keeping::on(&server, four, || 2)
    };
    tab = opened(&slots, &server);
    tab.pass(30_000);
    (tab, slots, server, keeping)
}

#[test]
fn c24_an_accept_that_lost_is_refused_by_name_with_both_texts_also_after_a_reload() {
    let (tab, slots, server, _) = clash_at_4();
    for tab in [tab, opened(&slots, &server)] {
        let (all, task) = (tab.keeper.shown.outbox.get_untracked(), tab.keeper.shown.task.get_untracked().unwrap());
        assert!(all.len() == 1 && is_clash(&all[0], &all, &task));
        assert_eq!(all[0].shown.as_deref(), Some("Three."));
        assert_eq!(task.current_draft().and_then(|draft| draft.text.as_deref()), Some("Four."));
    }
}

#[test]
fn c24_one_tap_accepts_4_or_keeps_mine_as_5() {
    for (choice, text, state) in
        [(accept(4, "Four."), "Four.", StateName::Accepted), (edit(4, "Three."), "Three.", StateName::AwaitingReview)]
    {
        let (tab, slots, server, keeping) = clash_at_4();
        drop(tab);
        let mut tab = opened(&slots, &server);
        tab.keeper.decide(the_task(), choice.clone(), Some("Four.".to_owned())).unwrap();
        tab.settle();
        assert_eq!((waiting(&tab), keeping.borrow().text().as_str()), (0, text));
        assert_eq!(keeping.borrow().task.state, state);
        assert_eq!(keeping.borrow().carried_out, [choice]);
    }
}

#[test]
fn c29_five_taps_on_start_while_the_reply_takes_four_seconds_give_one_task() {
    let (slots, server) = (remembering(5), Rc::new(Script::new(ada())));
    let mut tab = opened(&slots, &server);
    let start = || Wish::Start {
        record_id: "wheel-throwing".to_owned(),
        question: "What should I bring?".to_owned(),
        even_if_similar: false,
    };
    let ops: Vec<OpId> = [0, 150, 950, 1_000, 0]
        .into_iter()
        .map(|pause| {
            tab.pass(pause);
            tab.keeper.wish(None, start(), None).unwrap()
        })
        .collect();
    tab.pass(1_900);
    assert!(ops.iter().all(|op| *op == ops[0]));
    assert_eq!((server.count("start"), waiting(&tab)), (1, 1));
}
