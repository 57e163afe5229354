//! Waits until a page is at rest: nothing on the network, and the same capture twice.

use std::time::{Duration, Instant};

use snapshot_core::capture::{Capture, CapturedKind};

use crate::Error;
use crate::browser::Tab;

/// For how long nothing may go over the network.
const QUIET: Duration = Duration::from_millis(200);

/// How far two captures that must agree are apart.
const APART: Duration = Duration::from_millis(150);

/// Captures the page once it is at rest, or as it is after `limit`: some pages never rest.
///
/// # Errors
/// Those of the capture.
pub(crate) async fn settle(tab: &Tab, limit: Duration) -> Result<Capture, Error> {
    let mut capture = settle_tree(tab, limit).await?;
    crate::capture::note_covers(tab, &mut capture).await;
    Ok(capture)
}

async fn settle_tree(tab: &Tab, limit: Duration) -> Result<Capture, Error> {
    let begun = Instant::now();
    tab.wait_until_quiet(QUIET, limit).await;
    let mut last = capture_patiently(tab, begun, limit).await?;
    while begun.elapsed() < limit {
        tokio::time::sleep(APART).await;
        let next = capture_patiently(tab, begun, limit).await?;
        if shows_the_same(&last, &next) {
            return Ok(next);
        }
        last = next;
    }
    Ok(last)
}

/// Between two pages there may be none to capture.
async fn capture_patiently(tab: &Tab, begun: Instant, limit: Duration) -> Result<Capture, Error> {
    loop {
        match crate::capture::capture_tree(tab).await {
            Err(Error::Refused { .. } | Error::Answer { .. }) if begun.elapsed() < limit => {
                tokio::time::sleep(APART).await;
            }
            result => return result,
        }
    }
}

/// Whether two captures differ in nothing that a reader could notice. A clock that ticks by the
/// second is the same page; what moves by a pixel is too.
fn shows_the_same(one: &Capture, other: &Capture) -> bool {
    one.url == other.url
        && one.nodes.len() == other.nodes.len()
        && one.nodes.iter().zip(&other.nodes).all(|(one, other)| {
            one.kind == other.kind
                && one.name == other.name
                // A text that is set anew is another node, and the same text to a reader.
                && (one.kind == CapturedKind::Text || one.backend_node_id == other.backend_node_id)
                && one.style.get("display") == other.style.get("display")
                && one.style.get("visibility") == other.style.get("visibility")
                && same_text(&one.text, &other.text)
        })
}

/// Whether two texts agree in everything but digits.
fn same_text(one: &str, other: &str) -> bool {
    let letters = |text: &str| text.bytes().filter(|byte| !byte.is_ascii_digit()).collect::<Vec<_>>();
    one == other || letters(one) == letters(other)
}
