//! The browsing agent: a browser, a model and the loop between them.
//!
//! Everything the agent knows about pages comes from `snapshot-core`; this crate will add
//! only what the core must not know. There is no code in it yet.
