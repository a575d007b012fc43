//! Who may import whom: arrows point inward. What a crate's manifest already rules out is listed
//! all the same, because a line added to a manifest is easily overlooked.

use super::{Source, complaints_about, rust};

/// A room, and what it must not know.
struct Room {
    prefix: &'static str,
    /// Parts of the room that are let off.
    except: &'static [&'static str],
    unknown: &'static [&'static str],
}

const fn room(prefix: &'static str, unknown: &'static [&'static str]) -> Room {
    Room { prefix, except: &[], unknown }
}

const ROOMS: [Room; 21] = [
    room(
        "app/domain/src/",
        &[
            "leptos",
            "leptos_router",
            "server_fn",
            "tokio",
            "futures",
            "sqlx",
            "axum",
            "web_sys",
            "js_sys",
            "wasm_bindgen",
            "gloo_storage",
            "SystemTime",
            "std::time::SystemTime",
            "std::time::Instant",
            "OffsetDateTime::now_utc",
            "Uuid::new_v4",
            "Uuid::now_v7",
        ],
    ),
    room("app/src/", &["sqlx", "axum", "tokio", "gloo_storage", "server"]),
    room("app/src/api", &["crate::components", "crate::pages", "crate::sync", "crate::cache", "crate::outbox"]),
    room("app/src/cache", &["crate::outbox", "crate::connectivity", "crate::api", "crate::components", "crate::pages"]),
    room("app/src/outbox", &["crate::cache", "crate::connectivity", "crate::api", "crate::components", "crate::pages"]),
    room("app/src/connectivity", &["crate::cache", "crate::outbox", "crate::api", "crate::components", "crate::pages"]),
    room("app/src/sync", &["crate::components", "crate::pages", "gloo_storage", "web_sys"]),
    room("app/src/components", &["crate::api", "crate::sync", "crate::cache", "crate::outbox", "crate::ports"]),
    room(
        "app/src/words",
        &[
            "leptos",
            "crate::api",
            "crate::sync",
            "crate::cache",
            "crate::outbox",
            "crate::connectivity",
            "crate::components",
            "crate::pages",
            "crate::ports",
        ],
    ),
    room("frontend/src/", &["domain::explanation", "server", "sqlx", "axum"]),
    Room {
        prefix: "server/src/",
        // The store is the only door to tasks; the library has its own, perhaps to another database, and
        // who may come in at all is asked before there is a task. `database` is the way there. A drill asks
        // rows that no store has read.
        except: &[
            "server/src/database",
            "server/src/store",
            "server/src/library",
            "server/src/embedded",
            "server/src/accounts",
            "server/src/drill/postgres",
        ],
        unknown: &["sqlx"],
    },
    room(
        "server/src/store",
        &["app", "crate::worker", "crate::sources", "crate::model", "crate::library", "crate::backend", "crate::serve"],
    ),
    // The engine knows no kind of task: a second one is a room beside the first.
    Room { prefix: "server/src/store", except: &["server/src/store/explanation"], unknown: &["domain::explanation"] },
    Room {
        prefix: "server/src/worker",
        except: &["server/src/worker/explanation"],
        unknown: &["domain::explanation", "crate::sources", "crate::model", "crate::library", "crate::withdraw"],
    },
    room("server/src/sources", &["app", "crate::model", "crate::library", "crate::store", "crate::worker"]),
    room(
        "server/src/records",
        &["app", "crate::serve", "crate::model", "crate::library", "crate::store", "crate::worker"],
    ),
    room("server/src/model", &["app", "crate::sources", "crate::library", "crate::store", "crate::worker"]),
    room("server/src/library", &["app", "crate::sources", "crate::model", "crate::store", "crate::worker"]),
    room("server/src/backend", &["axum", "leptos", "leptos_axum", "crate::sources", "crate::model", "crate::worker"]),
    // A drill sees the program from outside: what its parts say of themselves is what it doubts.
    room(
        "server/src/drill",
        &["app", "axum", "leptos", "crate::worker", "crate::backend", "crate::process", "crate::library"],
    ),
    room("server/src/worker", &["app", "axum", "leptos", "leptos_axum", "crate::serve", "crate::backend"]),
];

pub fn broken(source: &Source) -> Vec<String> {
    if !source.is(&["rs"]) {
        return Vec::new();
    }
    let rooms = ROOMS.iter().filter(|room| {
        is_in(&source.path, room.prefix) && !room.except.iter().any(|except| is_in(&source.path, except))
    });
    let unknown: Vec<&str> = rooms.flat_map(|room| room.unknown).copied().collect();
    let mut found: Vec<String> = rust::paths(&source.text)
        .into_iter()
        .filter(|path| path.contains("::") || source.text.contains(&format!("use {path};")))
        .filter(|path| unknown.iter().any(|name| leads_to(path, name)))
        .map(|path| format!("this room must not know `{path}`"))
        .collect();
    found.dedup();
    found
}

/// `app/src/api` is the file of that name and the folder beside it.
fn is_in(path: &str, prefix: &str) -> bool {
    path.strip_prefix(prefix).is_some_and(|rest| prefix.ends_with('/') || rest == ".rs" || rest.starts_with('/'))
}

fn leads_to(path: &str, name: &str) -> bool {
    path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

#[test]
fn each_room_can_be_caught() {
    for room in ROOMS {
        let path =
            if room.prefix.ends_with('/') { format!("{}a.rs", room.prefix) } else { format!("{}.rs", room.prefix) };
        for name in room.unknown {
            for text in [format!("//! A\nuse {name}::x;\n"), format!("//! A\nfn a() {{ {name}::x(); }}\n")] {
                let complaints = complaints_about(&Source::new(&path, &text)).join("\n");
                assert!(complaints.contains("must not know"), "{path} may import {name}");
            }
        }
    }
}

#[test]
fn a_name_inside_a_tree_is_caught() {
    let text = "//! A\nuse crate::{\n    words,\n    api::read,\n};\n";
    let complaints = complaints_about(&Source::new("app/src/components/a.rs", text)).join("\n");
    assert!(complaints.contains("`crate::api::read`"), "{complaints}");
}

#[test]
fn the_doors_to_the_database_are_let_off() {
    for path in ["server/src/store/claim.rs", "server/src/library.rs", "server/src/embedded.rs"] {
        assert_eq!(broken(&Source::new(path, "//! A\nuse sqlx::query;\n")), Vec::<String>::new(), "{path}");
    }
    assert!(!broken(&Source::new("server/src/storekeeper.rs", "//! A\nuse sqlx::query;\n")).is_empty());
}
