//! Hostile files, names, sizes and interrupts: nothing hangs, nothing is torn, nothing is forged.

#![cfg(unix)]
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking, in its helpers too"
)]

mod support;

use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use support::{Folder, PAGE, finish};

/// Generous, since a debug build on a busy machine is slow; the point is that it ends.
const SOON: u64 = 20;

#[allow(clippy::print_stderr, reason = "a skipped test must say so")]
fn skipped(why: &str) {
    eprintln!("SKIPPED: {why}");
}

#[test]
fn endless_and_huge_inputs_stop_at_the_limit() {
    let folder = Folder::new();
    let sparse = fs::File::create(folder.path("sparse.html")).expect("created");
    sparse.set_len(2 << 30).expect("has a length");
    folder.sh("convert sparse.html").fails(1, &["sparse.html", "more than 67108864 bytes"]).within(SOON);
    folder.sh("convert --max-bytes 1M /dev/zero").fails(1, &["/dev/zero", "more than 1048576 bytes"]).within(SOON);
    folder.sh("convert --recipe /dev/zero /dev/null").fails(2, &["/dev/zero"]).within(SOON);

    let made = Command::new("mkfifo").arg(folder.path("pipe")).status().is_ok_and(|status| status.success());
    if !made {
        return skipped("mkfifo is not there");
    }
    let mut writer =
        Command::new("sh").arg("-c").arg("exec yes '<p>' > pipe").current_dir(folder.path("")).spawn().expect("starts");
    folder.sh("convert --max-bytes 1M pipe").fails(1, &["pipe", "more than 1048576 bytes"]).within(SOON);
    let _ = writer.kill();
    let _ = writer.wait();
}

#[test]
fn a_reader_that_leaves_and_a_full_disk_end_without_panic() {
    let folder = Folder::new().with("a.html", "<p>A line of text</p>\n".repeat(20_000));
    let mut child = folder
        .command()
        .args(["convert", "--to", "html", "a.html", "a.html"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut out = child.stdout.take().expect("is piped");
    let _ = out.read(&mut [0; 10]).expect("reads");
    drop(out);
    let output = child.wait_with_output().expect("ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(141));

    if let Ok(full) = OpenOptions::new().write(true).open("/dev/full") {
        let mut command = folder.command();
        let mut child =
            command.args(["convert", "a.html"]).stdout(full).stderr(Stdio::piped()).spawn().expect("starts");
        let mut err = String::new();
        child.stderr.take().expect("is piped").read_to_string(&mut err).expect("is text");
        assert_eq!(child.wait().expect("ends").code(), Some(1));
        assert!(err.starts_with("error: cannot write to standard output"), "{err}");
        folder.sh("convert a.html -o /dev/full").fails(1, &["/dev/full", "cannot be written"]);
    }
    // A device is written to, never replaced.
    folder.sh("convert a.html -o /dev/null").succeeds();
    assert!(!fs::metadata("/dev/null").expect("is there").is_file());
}

#[test]
fn a_folder_that_must_not_be_written_is_an_error() {
    let folder = Folder::new().with("a.html", PAGE).with("locked/old", "");
    fs::set_permissions(folder.path("locked"), fs::Permissions::from_mode(0o555)).expect("set");
    let done = folder.sh("convert a.html -o locked/x.yaml");
    let ignored = fs::write(folder.path("locked/probe"), "").is_ok();
    fs::set_permissions(folder.path("locked"), fs::Permissions::from_mode(0o755)).expect("set");
    if ignored {
        return skipped("this user may write everywhere");
    }
    done.fails(1, &["locked/x.yaml", "ermission denied"]);
}

#[test]
fn odd_names_work_and_are_told_in_one_plain_line() {
    let raw = OsStr::from_bytes(b"caf\xe9.html");
    let escape = "red\u{1b}[31m\n.html";
    let folder = Folder::new().with(Path::new(raw), PAGE).with(escape, PAGE).with("-x.html", PAGE);
    folder.run([OsStr::new("convert"), raw]).succeeds();
    folder.sh("convert -- -x.html").succeeds();
    folder.sh("convert ./-x.html").succeeds();
    let done = folder.sh("convert . -o out").succeeds();
    assert_eq!(done.err, "");
    assert!(fs::metadata(folder.path("out").join(OsStr::from_bytes(b"caf\xe9.yaml"))).is_ok());
    assert!(fs::metadata(folder.path("out/red\u{1b}[31m\n.yaml")).is_ok());

    let done = folder.run(["convert", escape, "-x.html"].map(|name| name.replace("-x", "./-x"))).succeeds();
    assert!(done.out.contains("==> red\\u001b[31m\\u000a.html <=="), "{}", done.out);
    let done =
        folder.run(["convert", "missing\u{1b}]0;x\u{7}\n\u{9b}.html"]).fails(1, &["\\u001b]0;x\\u0007\\u000a\\u009b"]);
    assert!(done.err.chars().all(|character| !character.is_control() || character == '\n'));
    assert_eq!(done.err.lines().count(), 1);
}

#[test]
fn inputs_are_never_overwritten_and_links_are_followed() {
    let folder = Folder::new().with("a.html", PAGE).with("real.yaml", "old").with("sub/b.html", PAGE);
    symlink("real.yaml", folder.path("link.yaml")).expect("linked");
    symlink("a.html", folder.path("link-to-input")).expect("linked");
    symlink("nowhere/at/all", folder.path("dangling")).expect("linked");
    fs::hard_link(folder.path("a.html"), folder.path("hard")).expect("linked");
    for output in ["a.html", "link-to-input", "hard", "sub/../a.html"] {
        folder.sh(&format!("convert a.html -o {output}")).fails(1, &["is an input"]);
        assert_eq!(folder.read("a.html"), PAGE);
    }
    folder.sh("convert --to html sub a.html -o .").fails(1, &["is an input"]);
    assert_eq!(folder.read("sub/b.html"), PAGE);
    folder.sh("convert a.html -o link.yaml").succeeds();
    assert!(fs::symlink_metadata(folder.path("link.yaml")).expect("is there").is_symlink());
    assert!(folder.read("real.yaml").contains("Ferry times"));
    folder.sh("convert a.html -o dangling").fails(1, &["leads nowhere"]);
    folder.sh("convert a.html -o a.html/x").fails(1, &["a.html/x"]);
    folder.sh("convert sub/../a.html -o up/../up.yaml").succeeds();
}

#[test]
fn links_among_inputs_neither_loop_nor_get_lost() {
    let folder = Folder::new().with("site/a.html", PAGE).with("elsewhere/b.html", PAGE);
    symlink("../site", folder.path("site/loop")).expect("linked");
    symlink("../elsewhere/b.html", folder.path("site/b.html")).expect("linked");
    symlink("nowhere", folder.path("site/gone.html")).expect("linked");
    folder.sh("convert site -o out").succeeds();
    let written: Vec<_> = folder.names().into_iter().filter(|name| name.starts_with("out")).collect();
    assert_eq!(written, ["out/a.yaml", "out/b.yaml"]);
}

#[test]
fn permissions_stay_and_protection_is_respected() {
    let folder = Folder::new().with("a.html", PAGE).with("old.yaml", "old").with("safe.yaml", "old");
    fs::set_permissions(folder.path("old.yaml"), fs::Permissions::from_mode(0o640)).expect("set");
    fs::set_permissions(folder.path("safe.yaml"), fs::Permissions::from_mode(0o444)).expect("set");
    folder.sh("convert a.html -o old.yaml").succeeds();
    assert_eq!(fs::metadata(folder.path("old.yaml")).expect("is there").permissions().mode() & 0o777, 0o640);
    folder.sh("convert a.html -o safe.yaml").fails(1, &["safe.yaml", "write-protected"]);
    assert_eq!(folder.read("safe.yaml"), "old");
}

#[test]
fn control_characters_reach_a_pipe_unchanged_and_a_terminal_never() {
    let page = "<p title='\u{1b}[2J'>a\u{1b}]8;;http://evil\u{7}click\u{9b}1m\u{7f}b</p>";
    let folder = Folder::new().with("a.html", page);
    let piped = folder.sh("convert --to html --stages none a.html").succeeds().out;
    assert!(piped.contains("\u{1b}]8;;http://evil\u{7}click\u{9b}1m\u{7f}b"), "{piped:?}");
    for options in ["--to html --stages none", "--to html --stages none --json"] {
        let line = format!("{} convert {options} a.html", env!("CARGO_BIN_EXE_snapshot"));
        let mut command = Command::new("script");
        command.args(["-q", "-e", "-c", &line, "/dev/null"]).current_dir(folder.path("")).stdin(Stdio::null());
        if command.output().is_err() {
            return skipped("script, which gives a terminal, is not there");
        }
        let shown = finish(&mut command).succeeds().out;
        assert!(shown.contains("click\\u009b1m"), "{shown:?}");
        assert!(shown.chars().all(|character| !character.is_control() || matches!(character, '\n' | '\r' | '\t')));
    }
}

#[test]
fn messages_about_a_page_show_no_control_characters() {
    let attributes: String = (0..1100).map(|number| format!(" a{number}\u{1b}[31m=1")).collect();
    let long = "x".repeat(70_000);
    let page =
        format!("<p{attributes}>x</p><button id='\u{9b}31m'>\u{1b}[2J</button><{long} onclick=go() role=button>");
    let folder = Folder::new().with("a.html", page);
    for line in ["convert a.html -o out.yaml", "explain a.html"] {
        let done = folder.sh(line).succeeds();
        let clean = |text: &str| text.chars().all(|character| !character.is_control() || character == '\n');
        assert!(clean(&done.err) && clean(&done.out), "{}{}", done.err, done.out);
    }
}

#[test]
fn an_interrupt_leaves_the_old_file_or_the_whole_new_one() {
    let page = format!("<title>x</title>{}", "<p>A paragraph of some words</p>\n".repeat(20_000));
    let folder = Folder::new().with("a.html", page);
    let begun = Instant::now();
    folder.sh("convert --to html a.html -o out/new.html").succeeds();
    let whole = begun.elapsed();
    let new = folder.read("out/new.html");
    fs::remove_file(folder.path("out/new.html")).expect("removed");
    let mut replaced = 0;
    for (signal, points) in [("KILL", 12), ("TERM", 16), ("INT", 12)] {
        for point in 0..points {
            fs::write(folder.path("out/x.html"), "old").expect("written");
            let mut command = folder.command();
            let mut child = command
                .args(["convert", "--to", "html", "a.html", "-o", "out/x.html"])
                .stderr(Stdio::null())
                .spawn()
                .expect("starts");
            // Most of the writing is at the end.
            std::thread::sleep(whole.mul_f64(0.5 + 0.6 * f64::from(point) / f64::from(points)));
            let _ = Command::new("kill")
                .args([format!("-{signal}"), child.id().to_string()])
                .stderr(Stdio::null())
                .status();
            let _ = child.wait();
            let found = folder.read("out/x.html");
            replaced += usize::from(found == new);
            assert!(found == "old" || found == new, "torn: {} of {} bytes", found.len(), new.len());
            let names: Vec<_> = folder.names().into_iter().filter(|name| name.starts_with("out")).collect();
            if signal != "KILL" {
                assert_eq!(names, ["out/x.html"]);
            }
            for name in names.iter().filter(|name| name.ends_with(".part")) {
                fs::remove_file(folder.path(name)).expect("removed");
            }
        }
    }
    assert!(replaced < 40, "no interrupt came in time");
}

#[test]
fn a_terminal_without_input_gets_the_usage() {
    let folder = Folder::new();
    let line = format!("{} convert", env!("CARGO_BIN_EXE_snapshot"));
    let mut command = Command::new("script");
    command.args(["-q", "-e", "-c", &line, "/dev/null"]).current_dir(folder.path(""));
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let Ok(mut child) = command.spawn() else { return skipped("script, which gives a terminal, is not there") };
    let mut input = child.stdin.take().expect("is piped");
    std::thread::sleep(Duration::from_millis(300));
    let _ = input.flush();
    let output = child.wait_with_output().expect("ends");
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stdout));
}
