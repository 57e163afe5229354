//! The settings of a run from a file, for those who do not want to say them every time.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// Settings in TOML. What the command line says takes their place.
#[derive(Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Config {
    /// The model.
    pub model: Option<String>,
    /// An address instead of the provider's own.
    pub endpoint: Option<String>,
    /// The environment variable with the key.
    pub key_env: Option<String>,
    /// The key itself; only in a file that nobody else can read.
    pub key: Option<String>,
    /// A cheaper model that sums up old turns.
    pub compaction_model: Option<String>,
    /// How much of the past the model sees.
    pub history: Option<String>,
    /// How many turns it is told of at most.
    pub history_limit: Option<usize>,
    /// How pages are written, or `auto`.
    pub representation: Option<String>,
    /// The most tokens of one snapshot.
    pub budget: Option<usize>,
    /// How they are counted.
    pub encoding: Option<String>,
    /// How often the model is asked at most.
    pub max_steps: Option<usize>,
    /// How many seconds a run takes at most.
    pub max_time: Option<u64>,
    /// How many tokens models read and write at most.
    pub max_tokens: Option<usize>,
    /// Origins that may be visited besides that of the first page.
    pub allow: Vec<String>,
    /// Origins from which pages may have parts of themselves.
    pub allow_parts: Vec<String>,
    /// Secrets by name.
    pub secrets: BTreeMap<String, SecretConfig>,
}

/// A secret: where it may be typed, and where it stands.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct SecretConfig {
    /// The origin, `https://shop.example`.
    pub origin: String,
    /// The environment variable with the value.
    pub env: String,
}

/// A configuration that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct ConfigError {
    path: PathBuf,
    reason: String,
}

impl Config {
    /// Reads the file that is named, or else the user's own, `snapshot-agent/config.toml` in
    /// `$XDG_CONFIG_HOME` or `~/.config`, if there is one. A file in the current folder is never
    /// read by itself: whoever wrote it could send keys where they like.
    ///
    /// # Errors
    /// [`ConfigError`] names the file and what is wrong in it.
    pub fn load(named: Option<&Path>) -> Result<Self, ConfigError> {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let own = || {
            let folder = variable("XDG_CONFIG_HOME").or_else(|| Some(variable("HOME")?.join(".config")))?;
            Some(folder.join("snapshot-agent").join("config.toml"))
        };
        let Some(path) = named.map(Path::to_owned).or_else(own) else { return Ok(Self::default()) };
        let failed = |reason: String| ConfigError { path: path.clone(), reason };
        let text = match std::fs::read_to_string(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && named.is_none() => return Ok(Self::default()),
            text => text.map_err(|error| failed(error.to_string()))?,
        };
        let config = Self::read(&text).map_err(failed)?;
        if config.key.is_some() && others_can_read(&path) {
            return Err(failed("it holds a key and others can read it; chmod 600 it, or use key-env".to_owned()));
        }
        Ok(config)
    }

    /// Reads settings.
    ///
    /// # Errors
    /// Says what is wrong, without a line of the file, in which a key may stand.
    pub fn read(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| text.get(..span.start).unwrap_or_default().matches('\n').count() + 1);
            format!("line {}: {}", line.unwrap_or(1), error.message())
        })
    }
}

#[cfg(unix)]
fn others_can_read(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn others_can_read(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_and_faults_named_without_keys() {
        let config = Config::read(
            "model = \"claude-x\"\nmax-steps = 9\nallow = [\"https://a.example\"]\n\
             [secrets.password]\norigin = \"https://a.example\"\nenv = \"A\"\n",
        )
        .expect("reads");
        assert_eq!((config.model.as_deref(), config.max_steps), (Some("claude-x"), Some(9)));
        assert_eq!(config.secrets["password"].env, "A");
        for (text, words) in
            [("model = 3", "line 1"), ("\nkey = \"sk-1\"\nmodle = \"x\"", "line 3"), ("key = \"sk-1", "line 1")]
        {
            let error = Config::read(text).err().expect(text);
            assert!(error.contains(words) && !error.contains("sk-1"), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_key_stands_only_where_nobody_else_reads() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("is made");
        let path = folder.path().join("config.toml");
        std::fs::write(&path, "key = \"sk-1\"").expect("is written");
        for (mode, allowed) in [(0o644, false), (0o640, false), (0o600, true)] {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("is set");
            assert_eq!(Config::load(Some(&path)).is_ok(), allowed, "{mode:o}");
        }
        assert!(Config::load(Some(&folder.path().join("missing.toml"))).is_err());
    }
}
