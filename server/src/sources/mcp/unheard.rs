//! What a server asks of us. Each question waits in memory until its answer is taken, so a server that asks and asks and
//! takes nothing would fill it.

use std::sync::{Mutex, PoisonError};

use super::MESSAGE_LIMIT;

/// So many questions may wait, whatever their size.
const QUESTIONS: usize = 1_000;

/// And so many bytes of them, counted since none waited.
const BYTES: usize = 4 * MESSAGE_LIMIT;

/// The questions of one session whose answers were not taken.
#[derive(Debug, Default)]
pub struct Unheard(Mutex<Waiting>);

#[derive(Clone, Copy, Debug, Default)]
struct Waiting {
    questions: usize,
    bytes: usize,
}

impl Unheard {
    /// Counts a question. `false` when there are too many: nothing more is listened to then.
    pub fn ask(&self, bytes: usize) -> bool {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.questions += 1;
        waiting.bytes += bytes;
        !waiting.is_too_much()
    }

    /// Answers were taken. More than were asked for is no credit.
    pub fn hear(&self, answers: usize) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.questions = waiting.questions.saturating_sub(answers);
        if waiting.questions == 0 {
            waiting.bytes = 0;
        }
    }

    pub fn is_too_much(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_too_much()
    }
}

impl Waiting {
    fn is_too_much(self) -> bool {
        QUESTIONS < self.questions || BYTES < self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_takes_answers_may_ask_on_and_who_takes_none_may_not() {
        let patient = Unheard::default();
        for _ in 0..5 * QUESTIONS {
            assert!(patient.ask(10_000));
            patient.hear(1);
        }
        let many = Unheard::default();
        many.hear(QUESTIONS);
        assert_eq!((0..2 * QUESTIONS).filter(|_| many.ask(1)).count(), QUESTIONS);
        assert!(many.is_too_much());
        let large = Unheard::default();
        assert_eq!((0..10).filter(|_| large.ask(MESSAGE_LIMIT)).count(), BYTES / MESSAGE_LIMIT);
    }
}
