//! The browser: started or attached to, its tabs, and what it lets a page do.

mod devtools;
mod launch;
mod tab;
mod windows;

pub use devtools::{Connection, Event, Events};
pub use launch::{LaunchOptions, Launched};
pub use tab::{RemoteFrame, Tab};

use serde_json::json;

use crate::Error;
use crate::origins::Origins;

/// A browser that the agent works with.
#[derive(Debug)]
pub struct Browser {
    connection: Connection,
    /// None when it is the user's own, which goes on when we are done.
    launched: Option<Launched>,
    viewport: (u32, u32),
}

impl Browser {
    /// Starts a browser of our own.
    ///
    /// # Errors
    /// Those of [`Launched::start`].
    pub async fn launch(options: &LaunchOptions) -> Result<Self, Error> {
        let launched = Launched::start(options).await?;
        let connection = launched.connection.clone();
        windows::refuse(&connection).await?;
        Ok(Self { connection, launched: Some(launched), viewport: options.viewport })
    }

    /// Attaches to a running browser by the address of its debugging socket, `ws://127.0.0.1:…`.
    ///
    /// # Errors
    /// [`Error::BrowserStart`] when nobody answers there.
    pub async fn attach(address: &str) -> Result<Self, Error> {
        let connection = Connection::open(address).await?;
        windows::refuse(&connection).await?;
        Ok(Self { connection, launched: None, viewport: LaunchOptions::default().viewport })
    }

    /// Opens an empty tab. With `origins` its documents, and those of its frames, come from there
    /// or not at all; redirects, forms and scripts of the page make no difference.
    ///
    /// # Errors
    /// Those of the connection.
    pub async fn open_tab(&self, origins: Option<Origins>) -> Result<Tab, Error> {
        let created = self.connection.send("", "Target.createTarget", json!({ "url": "about:blank" })).await?;
        let target = created["targetId"].as_str().unwrap_or_default().to_owned();
        Tab::attach(self.connection.clone(), target, self.viewport, origins).await
    }

    /// Ends our own browser; leaves the user's alone.
    pub async fn close(self) {
        if let Some(launched) = self.launched {
            launched.close().await;
        }
    }
}
