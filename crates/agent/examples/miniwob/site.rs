//! Serves a folder on the loopback interface, nothing outside of it.

use std::path::{Component, Path, PathBuf};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Starts to serve; gives the address.
pub(crate) async fn serve(root: PathBuf) -> std::io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}", listener.local_addr()?);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let root = root.clone();
            // Who does not read the answer hurts only itself.
            tokio::spawn(async move { answer(stream, &root).await.ok() });
        }
    });
    Ok(url)
}

async fn answer(mut stream: TcpStream, root: &Path) -> std::io::Result<()> {
    let mut request = vec![0; 8192];
    let read = stream.read(&mut request).await?;
    let text = String::from_utf8_lossy(&request[..read]).into_owned();
    let path = text.split_whitespace().nth(1).unwrap_or_default();
    let path = Path::new(path.split(['?', '#']).next().unwrap_or_default().trim_start_matches('/'));
    let is_inside = path.components().all(|component| matches!(component, Component::Normal(_)));
    let file = if is_inside { tokio::fs::read(root.join(path)).await.ok() } else { None };
    let (status, body) = match file {
        Some(body) => ("200 OK", body),
        None => ("404 Not Found", Vec::new()),
    };
    let kind = match path.extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css",
        Some("js") => "text/javascript",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: max-age=3600\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(&body).await
}
