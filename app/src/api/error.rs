//! The one answer that is not a success, as it crosses the wire.

use domain::{
    fault::{Code, Fault, Params},
    snapshot::Snapshot,
    task::SCHEMA,
};
use leptos::server_fn::{
    codec::JsonEncoding,
    error::{FromServerFnError, ServerFnErrorErr},
};
use serde::{Deserialize, Serialize};

/// `{schema, code, message, params, current, retry_after_ms}`: everything a screen needs is in the
/// body, since a server function's caller never sees status or headers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiError {
    pub schema: u32,
    pub code: Code,
    /// For people who read the wire; the screen's words come from `code` and `params`.
    pub message: String,
    #[serde(default)]
    pub params: Params,
    /// The task as it is now, where that helps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current: Option<Box<Snapshot>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
    /// Made on this device because nothing of ours answered. Never crosses the wire.
    #[serde(skip)]
    pub no_answer: bool,
}

impl ApiError {
    /// The error with the task as it is now.
    #[must_use]
    pub fn with_current(mut self, task: Snapshot) -> Self {
        self.current = Some(Box::new(task));
        self
    }

    /// Asks the caller to wait.
    #[must_use]
    pub fn retry_after(mut self, ms: u64) -> Self {
        self.retry_after_ms = Some(ms);
        self
    }

    /// Nothing of ours answered: no network, a time-out, or somebody else's page.
    pub fn nobody_answered() -> Self {
        Self { no_answer: true, ..Self::from(Code::Unavailable) }
    }

    /// An answer came in a form that this build does not know: no answer to it, but worth a
    /// sentence of its own.
    pub fn newer_server() -> Self {
        Self { no_answer: true, ..Fault::new(Code::Unavailable).with("newer", true).into() }
    }

    /// Whether what was asked may be asked again as it is: nobody answered, or the server said
    /// that it cannot do it right now.
    pub fn is_passing(&self) -> bool {
        self.no_answer || matches!(self.code, Code::Unavailable | Code::TooFast)
    }

    /// The bad news alone, as it is kept with a wish; with the name of the task that it is about.
    pub fn fault(&self) -> Fault {
        let fault = Fault { code: self.code, params: self.params.clone() };
        match &self.current {
            Some(current) => fault.with("task_id", current.task_id),
            None => fault,
        }
    }
}

impl From<Fault> for ApiError {
    fn from(fault: Fault) -> Self {
        let message = message(fault.code).to_owned();
        Self {
            schema: SCHEMA,
            code: fault.code,
            message,
            params: fault.params,
            current: None,
            retry_after_ms: None,
            no_answer: false,
        }
    }
}

impl From<Code> for ApiError {
    fn from(code: Code) -> Self {
        Fault::new(code).into()
    }
}

impl FromServerFnError for ApiError {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(err: ServerFnErrorErr) -> Self {
        match err {
            // The body was not what the function takes.
            ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) => Code::Malformed.into(),
            // So says the server of a body with wrong types; a device says it of somebody else's page.
            #[cfg(feature = "ssr")]
            ServerFnErrorErr::Deserialization(_) => Code::Malformed.into(),
            // On the server: a broken host. On a device: nothing of ours answered.
            _ => Self::nobody_answered(),
        }
    }
}

fn message(code: Code) -> &'static str {
    match code {
        Code::KeyReused => "this operation ID was used for something else; use a new one",
        Code::SimilarTask => "the same question to the same record is still open; open it or start another on purpose",
        Code::StaleVersion => "another version is current; read it before going on",
        Code::HashMismatch => "the hash is not that of the named version",
        Code::Expired => "the proposal has expired; look again",
        Code::SourceChanged => {
            "the record has changed since; accept again naming the newer version or ask for a new draft"
        }
        Code::TooLate => "the task has ended already",
        Code::NotInThisState => "the task is not in a state where this can be done",
        Code::EntryNotFound => "there is no such entry in the library",
        Code::NameTaken => "somebody has that name already; choose another",
        Code::Empty => "a required text is empty",
        Code::TooShort => "a text is shorter than it must be",
        Code::TooLong => "a text is over its limit",
        Code::BadCharacters => "a text holds characters that cannot be kept",
        Code::UnknownRecord => "there is no such record",
        Code::Malformed => "the request is not of the form that this address takes",
        Code::WrongPassphrase => "the name or the passphrase is wrong",
        Code::SignedOut => "nobody is signed in",
        Code::OtherUser => "somebody else is signed in; nothing was stored",
        Code::ForeignOrigin => "requests from other sites are refused",
        Code::NotFound => "there is nothing here, or it is not yours",
        Code::TooFast => "too many tries; wait a little",
        Code::Unavailable => "Mooring cannot do this right now; nothing is lost, try again",
    }
}
