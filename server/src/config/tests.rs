//! Configuration as a person meets it: what is taken, and the sentence when it is not.

use std::{ffi::OsString, time::Duration};

use clap::CommandFactory as _;
use domain::retry::Terms;

use super::{Cli, Command, Serve, database::default_data_dir, web::public_url};
use crate::sources::mcp::way::Way;

fn serve(args: &[&str]) -> Result<Box<Serve>, String> {
    let args = ["mooring", "serve"].iter().chain(args);
    match Cli::read(args) {
        Ok(Cli { command: Command::Serve(serve), .. }) => Ok(serve),
        Ok(_) => Err("another command".to_owned()),
        Err(e) => Err(e.to_string()),
    }
}

#[track_caller]
fn refused(args: &[&str], with: &str) {
    let sentence = serve(args).expect_err("must be refused");
    assert!(sentence.contains(with), "{sentence:?} does not say {with:?}");
}

#[test]
fn nothing_needs_to_be_said() {
    let serve = serve(&[]).unwrap();
    assert_eq!(serve.web.addr.to_string(), "127.0.0.1:3000");
    assert_eq!(serve.work.lease, Duration::from_secs(10));
    assert_eq!(serve.terms.terms(), Terms::default());
    assert!(!serve.lab.lab && !serve.no_worker && serve.web.public_urls().is_empty());
}

#[test]
fn a_switch_stands_alone_or_is_given_a_value() {
    assert!(serve(&["--lab"]).unwrap().lab.lab);
    assert!(!serve(&["--lab=0"]).unwrap().lab.lab);
    assert!(serve(&["--no-worker"]).unwrap().no_worker);
    refused(&["--lab=perhaps"], "use 1 or 0");
}

#[test]
fn a_bad_value_is_refused_with_a_sentence() {
    refused(&["--addr", "nowhere"], "write an IP address and a port");
    refused(&["--lease", "10"], "write a time with its unit");
    refused(&["--lease", "1ms"], "use a time from 200ms to 1h");
    refused(&["--source", "telepathy"], "fixture");
    refused(&["--pool", "1"], "2..=1000");
    refused(&["--freshness", "1500ms"], "use whole seconds");
    refused(&["--backoff", "1m", "--backoff-cap", "5s"], "shorter than the first one");
    refused(&["--records", "/no/such/folder"], "are not a folder");
    refused(&["--public-url", "mooring.example"], "write scheme, host and port alone");
    refused(&["--direct-url", "postgres://h/n"], "give both");
}

#[test]
fn the_records_are_offered_on_loopback_addresses_alone() {
    let read = |addr| Cli::read(["mooring", "records", "--http", addr]).map(drop).map_err(|error| error.to_string());
    assert_eq!((read("127.0.0.1:0"), read("[::1]:0")), (Ok(()), Ok(())));
    for addr in ["0.0.0.0:0", "[::]:0", "192.0.2.7:80"] {
        assert!(read(addr).unwrap_err().contains("use a loopback address"), "{addr}");
    }
}

#[test]
fn a_source_and_a_model_elsewhere_are_refused_unless_they_can_be_reached() {
    let http = |more: &[&'static str]| [&["--source", "mcp-http"], more].concat();
    refused(&http(&[]), "the MCP server's address (--mcp-url, MOORING_MCP_URL) is missing");
    refused(&http(&["--mcp-url", "nowhere"]), "is none");
    refused(&http(&["--mcp-url", "file:///etc/passwd"]), "begins with http:// or https://");
    refused(&http(&["--mcp-url", "http://h/mcp", "--mcp-token", "a b"]), "has characters that no credential has");
    let stdio = |more: &[&'static str]| [&["--source", "mcp-stdio"], more].concat();
    refused(&stdio(&["--mcp-command", "run 'it"]), "a quotation mark without its second");
    refused(&stdio(&["--mcp-env", "A=1,NOT_SET"]), "variable 2 of --mcp-env, MOORING_MCP_ENV is not set here");
    refused(&stdio(&["--mcp-plain-env", "A B=1"]), "variable 1 of --mcp-plain-env, MOORING_MCP_PLAIN_ENV is not named");
    refused(&stdio(&["--mcp-command", "KEY=1 node x"]), "begins with a variable");
    refused(&stdio(&["--mcp-map", "/no/such/map"]), "cannot be used");
    let openai = |more: &[&'static str]| [&["--model", "openai"], more].concat();
    refused(&openai(&[]), "the model's address (--openai-url, MOORING_OPENAI_URL) is missing");
    refused(&openai(&["--openai-url", "http://h/v1"]), "the model's name");

    let itself = serve(&stdio(&[])).unwrap().work.mcp().unwrap().unwrap();
    let Way::Stdio(program) = itself.way else { panic!("a child") };
    assert_eq!(program.arguments.last().unwrap(), "records", "without a command it starts itself");
    assert!(serve(&[]).unwrap().work.mcp().unwrap().is_none());
}

#[test]
fn credentials_are_in_no_sentence_and_in_no_debug_text() {
    let address = ["--source", "mcp-http", "--mcp-url", "http://me:hunter2@h/mcp"];
    let sentence = serve(&address).expect_err("must be refused");
    assert!(sentence.contains("holds a password") && !sentence.contains("hunter2"), "{sentence}");
    let all = [
        &["--source", "mcp-http", "--mcp-url", "http://h/mcp", "--mcp-token", "hunter2-a"][..],
        &["--model", "openai", "--openai-url", "http://h/v1", "--openai-model", "m", "--openai-key", "hunter2-b"],
        &[
            "--mcp-env",
            "TOKEN=hunter2-c",
            "--mcp-plain-env",
            "MODE=hunter2-d",
            "--mcp-command",
            "tools --token hunter2-e",
        ],
    ]
    .concat();
    let serve = serve(&all).unwrap();
    let (mcp, openai) = (serve.work.mcp().unwrap().unwrap(), serve.work.openai().unwrap().unwrap());
    assert_eq!(openai.key.as_ref().unwrap().reveal(), "hunter2-b");
    let child = self::serve(&[&["--source", "mcp-stdio"], &all[2..]].concat()).unwrap().work.mcp().unwrap().unwrap();
    for told in [format!("{serve:?}"), format!("{mcp:?}"), format!("{openai:?}"), format!("{child:?}")] {
        assert!(!told.contains("hunter2"), "{told}");
    }
    // A comma in a value makes two variables of it.
    let sentence =
        self::serve(&["--source", "mcp-stdio", "--mcp-env", "TOKEN=abc,def456hunter2"]).expect_err("refused");
    assert!(!sentence.contains("hunter2") && !sentence.contains("abc"), "{sentence}");
    // And a variable that may hold one is not shown as it is now.
    for argument in Cli::command().find_subcommand("serve").unwrap().get_arguments() {
        let name = argument.get_id().as_str();
        if ["mcp_", "openai_", "url"].into_iter().any(|part| name.contains(part)) {
            let harmless =
                ["mcp_map", "mcp_allow", "mcp_timeout", "mcp_in_flight", "openai_model", "openai_reply_tokens"];
            assert!(argument.is_hide_env_values_set() || harmless.contains(&name) || name == "public_url", "{name}");
        }
    }
}

#[test]
fn faults_are_refused_outside_the_lab() {
    refused(&["--faults", "save.after_effect=abort"], "outside the lab");
    assert_eq!(serve(&["--faults", "a=abort", "--lab"]).unwrap().lab.faults(), Some("a=abort"));
    assert_eq!(serve(&["--faults", ""]).unwrap().lab.faults(), None);
    refused(&["--call-log", "calls.jsonl"], "outside the lab");
}

#[test]
fn a_secret_is_in_no_sentence_and_in_no_debug_text() {
    let sentence = serve(&["--database-url", "mysql://me:hunter2@h/n"]).expect_err("must be refused");
    assert!(sentence.contains("DATABASE_URL is not the address") && !sentence.contains("hunter2"), "{sentence}");
    let serve = serve(&["--database-url", "postgres://me:hunter2@h/n"]).unwrap();
    assert!(!format!("{serve:?}").contains("hunter2"));
    assert_eq!(serve.database.url().unwrap().reveal(), "postgres://me:hunter2@h/n");
}

#[test]
fn a_public_address_is_read_as_browsers_write_origins() {
    let origin = |raw| public_url(raw).unwrap().origin().to_owned();
    assert_eq!(origin("https://Mooring.Example/"), "https://mooring.example");
    assert_eq!(origin("https://mooring.example:443"), "https://mooring.example");
    assert_eq!(origin("http://10.0.0.2:8080"), "http://10.0.0.2:8080");
    for bad in ["ftp://a", "https://", "https://a/b", "https://u:p@a", "https://a?b"] {
        assert!(public_url(bad).is_err(), "{bad} must be refused");
    }
}

#[test]
fn the_data_folder_is_the_users_own() {
    let with = |set: &'static [(&str, &str)]| {
        default_data_dir(|name| set.iter().find(|(n, _)| *n == name).map(|(_, v)| OsString::from(v)))
            .map(|dir| dir.display().to_string())
    };
    assert_eq!(with(&[("HOME", "/h")]).as_deref(), Some("/h/.local/share/mooring"));
    assert_eq!(with(&[("HOME", "/h"), ("XDG_DATA_HOME", "/d")]).as_deref(), Some("/d/mooring"));
    assert_eq!(with(&[("XDG_DATA_HOME", "not/absolute"), ("HOME", "/h")]).as_deref(), Some("/h/.local/share/mooring"));
    assert_eq!(with(&[]), None);
}

#[test]
fn help_lists_every_flag_and_no_secret() {
    let help = serve(&["--help"]).expect_err("help comes as an error");
    for flag in [
        "--addr",
        "--public-url",
        "--data-dir",
        "--database-url",
        "--direct-url",
        "--library-url",
        "--lease",
        "--lab",
        "--faults",
        "--call-log",
        "--source",
        "--records",
        "--model",
        "--model-delay",
        "--model-tokens",
        "--mcp-command",
        "--mcp-env",
        "--mcp-plain-env",
        "--mcp-url",
        "--mcp-token",
        "--mcp-map",
        "--mcp-allow",
        "--mcp-timeout",
        "--mcp-in-flight",
        "--openai-url",
        "--openai-model",
        "--openai-key",
        "--openai-reply-tokens",
        "--pool",
        "--concurrency",
        "--tries",
        "--try-within",
        "--backoff",
        "--backoff-cap",
        "--model-calls",
        "--proposal-ttl",
        "--freshness",
        "--poll",
        "--step-timeout",
        "--no-worker",
        "--log",
    ] {
        assert!(help.contains(flag), "{flag} is not in the help");
    }
}
