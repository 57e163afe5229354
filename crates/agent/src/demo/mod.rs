//! A run that needs no key and no network: a shop of our own on the loopback interface, and a
//! model that follows a script.

mod server;
mod shop;

use std::path::Path;

use snapshot_core::tokens;

use crate::browser::{Browser, LaunchOptions};
use crate::context::HISTORIES;
use crate::model::Scripted;
use crate::origins::Origins;
use crate::perceive::View;
use crate::run::{Report, Run, RunLimits, Settings};
use crate::trace::Trace;
use crate::{Error, act::SETTLE};

pub use shop::Order;

/// What the demonstration is asked to do.
pub const TASK: &str = "Order two tins of the cheapest green tea for Ana Duarte, Oude Delft 12, 2611 CB Delft.";

const SCRIPT: &str = include_str!("script.txt");

/// Runs the demonstration, with its trace in `trace`; gives the report and the orders that the
/// shop has taken, by which it is judged.
///
/// # Errors
/// Those of the browser, and when the trace cannot be written.
pub async fn run(options: &LaunchOptions, trace: &Path) -> Result<(Report, Vec<Order>), Error> {
    let shop = server::Server::start().await?;
    let origins = Origins::default().with_origin_of(shop.url()).map_err(std::io::Error::other)?;
    let browser = Browser::launch(options).await?;
    // Only now, so that a browser that does not start leaves no empty trace behind.
    let trace = Trace::create(trace)?;
    let outcome = async {
        let tab = browser.open_tab(Some(origins)).await?;
        tab.navigate(shop.url(), SETTLE).await?;
        let view = View {
            representation: "ax".to_owned(),
            budget: 2048,
            encoding: tokens::find("o200k_base")?,
            task: TASK.to_owned(),
        };
        let mut model = Scripted::new(SCRIPT);
        let (history, limits, settings) = (HISTORIES[0], RunLimits::default(), Settings::default());
        Run { tab: &tab, model: &mut model, view, history, limits, trace, settings }.run().await
    }
    .await;
    browser.close().await;
    Ok((outcome?, shop.orders()))
}
