//! Why a request was not done. The sentence follows from code and facts, never from the message.

use domain::fault::{Code, Fault};

/// A fault, or nothing of ours answered.
pub type Told<'a> = (&'a Fault, NoAnswer);

/// Whether there was no answer at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoAnswer(pub bool);

/// Why something could not be read or done just now. No network, no session and a mistake in what
/// was asked read differently, and none of them says that anything was saved.
pub fn of((fault, no_answer): Told<'_>) -> String {
    if fault.params.contains_key("newer") {
        return "Mooring has been renewed on the server and this page is older. Reload it; nothing that this device has kept is lost."
            .to_owned();
    }
    if no_answer.0 {
        return "The server does not answer. Nothing is lost; it is tried again.".to_owned();
    }
    of_fault(fault)
}

/// Why a wish was refused: what happened, what is safe, what to do.
pub fn of_wish(fault: &Fault) -> String {
    format!("Not accepted. {}", of_fault(fault))
}

/// Why it was refused, in a sentence or two.
pub fn of_fault(fault: &Fault) -> String {
    let fact = |name: &str| fault.params.get(name).map(String::as_str);
    let field = field_name(fact("field"));
    match fault.code {
        Code::KeyReused => {
            "This change was numbered like another one and was not done. Discard it and make it once more.".to_owned()
        }
        Code::SimilarTask => "You already asked this about the same record, and that task is still open.".to_owned(),
        Code::StaleVersion => {
            "Another version is current by now. Nothing was saved, nothing is lost: read both and choose.".to_owned()
        }
        Code::HashMismatch => {
            "The text that was named is not the one the server holds. Nothing was saved; read the draft again."
                .to_owned()
        }
        Code::Expired => "The proposal has expired. Nothing was saved. Look again, then accept.".to_owned(),
        Code::SourceChanged => {
            "The record has changed since you read it. Nothing was saved. Read the new evidence, then accept again or \
             ask for a new draft."
                .to_owned()
        }
        Code::TooLate => "The task had already ended. It stays as it is.".to_owned(),
        Code::NotInThisState => match (fact("wanted"), fact("found")) {
            (Some(wanted), Some(found)) => {
                format!("This cannot be done now: the task is {} (asked: {wanted}).", found.replace('_', " "))
            }
            _ => "This cannot be done in the state that the task is in.".to_owned(),
        },
        Code::EntryNotFound => "There is no such entry in your library, so it cannot be called saved.".to_owned(),
        Code::NameTaken => "This name is taken. Choose another one.".to_owned(),
        Code::WrongPassphrase => "This name and passphrase do not fit together.".to_owned(),
        // Lengths are those of UTF-8: a plain letter is one byte, others are more.
        Code::TooShort => match fact("least") {
            Some(least) => format!("{field} is too short: at least {least} bytes. {least} plain letters are enough."),
            None => format!("{field} is too short."),
        },
        Code::Empty => format!("{field} is empty."),
        Code::TooLong => match fact("limit") {
            Some(limit) => format!("{field} is too long: at most {limit} bytes. Your text is kept; make it shorter."),
            None => format!("{field} is too long. Your text is kept; make it shorter."),
        },
        Code::BadCharacters => format!("{field} holds characters that cannot be kept. Your text is untouched."),
        Code::UnknownRecord => "There is no such record. Choose one from the list.".to_owned(),
        Code::Malformed => "The server could not read this request. Reload the page and try again.".to_owned(),
        Code::SignedOut => "You are not signed in any more. Sign in again; what you wrote is kept.".to_owned(),
        Code::OtherUser => "Somebody else is signed in here. Nothing was stored under their name.".to_owned(),
        Code::ForeignOrigin => "The request came from another site and was refused.".to_owned(),
        Code::NotFound => "It is not here, or it is not yours.".to_owned(),
        Code::TooFast => "Too many tries. Wait a little and try again.".to_owned(),
        Code::Unavailable => "Mooring cannot do this right now. Nothing is lost; try again in a moment.".to_owned(),
    }
}

/// Why signing in or up did not work.
pub fn of_sign_in((fault, no_answer): Told<'_>, retry_after_ms: Option<u64>) -> String {
    if no_answer.0 {
        return "The server does not answer, so nobody was signed in. Try again.".to_owned();
    }
    match fault.code {
        Code::TooFast => match retry_after_ms {
            Some(ms) => format!("Too many tries. Wait {} seconds and try again.", ms.div_ceil(1_000)),
            None => "Too many tries. Wait a little and try again.".to_owned(),
        },
        _ => of((fault, no_answer)),
    }
}

fn field_name(field: Option<&str>) -> &'static str {
    match field {
        Some("question") => "The question",
        Some("text") => "The draft",
        Some("record_id" | "record") => "The record",
        Some("note") => "The note",
        Some("name") => "The name",
        Some("passphrase") => "The passphrase",
        _ => "A field",
    }
}
