//! Why a request was not done. The sentence follows from code and facts, never from the message.

use domain::{
    explanation::StateName,
    fault::{Code, Fault},
};

use super::said::{Said, say};

/// A fault, or nothing of ours answered.
pub type Told<'a> = (&'a Fault, NoAnswer);

/// Whether there was no answer at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoAnswer(pub bool);

/// Why something could not be read or done just now. No network, no session and a mistake in what
/// was asked read differently, and none of them says that anything was saved.
pub fn of((fault, no_answer): Told<'_>) -> String {
    if fault.params.contains_key("newer") {
        return say!("Mooring has been renewed on the server and this page is older. Reload it; nothing that this device has kept is lost.")
            .to_owned();
    }
    if no_answer.0 {
        return say!("The server does not answer. Nothing is lost; it is tried again.").to_owned();
    }
    of_fault(fault)
}

/// Why a wish was refused: what happened, what is safe, what to do.
pub fn of_wish(fault: &Fault) -> String {
    say!("Not accepted. {}", of_fault(fault))
}

/// Why it was refused, in a sentence or two.
pub fn of_fault(fault: &Fault) -> String {
    let fact = |name: &str| fault.params.get(name).map(String::as_str);
    let field = field_name(fact("field"));
    let told = match fault.code {
        Code::KeyReused => {
            Said("This change was numbered like another one and was not done. Discard it and make it once more.")
        }
        Code::SimilarTask => Said("You already asked this about the same record, and that task is still open."),
        Code::StaleVersion => {
            Said("Another version came first. Yours is kept, and nothing went to your library: read both and choose.")
        }
        Code::HashMismatch => {
            Said("The text that was named is not the one the server holds. Nothing was saved; read the draft again.")
        }
        Code::Expired => Said("The time for accepting this has passed. Nothing was saved. Look again, then accept."),
        Code::SourceChanged => Said(
            "The record has changed since you read it. Nothing was saved. Read the new evidence, then accept again or \
             ask for a new draft.",
        ),
        Code::TooLate => Said("The task had already ended. It stays as it is."),
        Code::NotInThisState => match fact("found").and_then(state) {
            Some(found) => {
                return say!("This cannot be done any more. The task has gone on: {}. Nothing was changed.", found);
            }
            None => Said("This cannot be done in the state that the task is in. Nothing was changed."),
        },
        Code::EntryNotFound => Said("There is no such entry in your library, so it cannot be called saved."),
        Code::NameTaken => Said("This name is taken. Choose another one."),
        Code::WrongPassphrase => Said("This name and passphrase do not fit together."),
        // Limits are in UTF-8: a plain letter takes one of it, a Chinese character three.
        Code::TooShort => match fact("least") {
            Some(least) => return say!("{} is too short. {} characters are enough.", field, least),
            None => return say!("{} is too short.", field),
        },
        Code::Empty => match fact("field") {
            Some("record_id" | "record") => Said("Choose a workshop record first."),
            Some("question") => Said("Write a question first."),
            _ => return say!("{} is empty.", field),
        },
        Code::TooLong => match fact("limit") {
            Some(limit) => {
                let thirds = limit.parse::<usize>().unwrap_or_default() / 3;
                return say!(
                    "{0} is too long: at most {1} plain letters. Your text is kept; make it shorter.",
                    field,
                    limit,
                    thirds
                );
            }
            None => return say!("{} is too long. Your text is kept; make it shorter.", field),
        },
        Code::BadCharacters => return say!("{} holds characters that cannot be kept. Your text is untouched.", field),
        Code::UnknownRecord => Said("There is no such record. Choose one from the list."),
        Code::Malformed => Said("The server could not read this request. Reload the page and try again."),
        Code::SignedOut => Said("You are not signed in any more. Sign in again; what you wrote is kept."),
        Code::OtherUser => Said("Somebody else is signed in here. Nothing was stored under their name."),
        Code::ForeignOrigin => Said("The request came from another site and was refused."),
        Code::NotFound => Said("It is not here, or it is not yours."),
        Code::TooFast => Said("Too many tries. Wait a little and try again."),
        Code::Unavailable => Said("Mooring cannot do this right now. Nothing is lost; try again in a moment."),
    };
    told.into()
}

/// Why signing in or up did not work.
pub fn of_sign_in((fault, no_answer): Told<'_>, retry_after_ms: Option<u64>) -> String {
    if no_answer.0 {
        return say!("The server does not answer, so nobody was signed in. Try again.").to_owned();
    }
    match fault.code {
        Code::TooFast => match retry_after_ms {
            Some(ms) => say!("Too many tries. Wait {} seconds and try again.", ms.div_ceil(1_000)),
            None => say!("Too many tries. Wait a little and try again.").to_owned(),
        },
        _ => of((fault, no_answer)),
    }
}

/// The name of a state, for people.
fn state(name: &str) -> Option<&'static str> {
    StateName::ALL.into_iter().find(|state| state.as_str() == name).map(|state| super::about::state(state).0)
}

fn field_name(field: Option<&str>) -> &'static str {
    match field {
        Some("question") => say!("The question"),
        Some("text") => say!("The draft"),
        Some("record_id" | "record") => say!("The record"),
        Some("note") => say!("The note"),
        Some("name") => say!("The name"),
        Some("passphrase") => say!("The passphrase"),
        _ => say!("A field"),
    }
}
