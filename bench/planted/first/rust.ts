import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "rs-unwrap-input",
    language: "rust",
    kind: "unwrap on request input",
    path: "src/routes/items.rs",
    before: `use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::Json;
use std::collections::HashMap;

use crate::state::{AppState, Item};

pub async fn list_items(
    State(state): State<AppState>,
    Query(params): Query<HashMap<String, String>>,
) -> Result<Json<Vec<Item>>, StatusCode> {
    let limit: usize = match params.get("limit") {
        Some(text) => text.parse().map_err(|_| StatusCode::BAD_REQUEST)?,
        None => 20,
    };
    let items = state
        .store
        .list(limit.min(100))
        .await
        .map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    Ok(Json(items))
}
`,
    after: `use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::Json;
use std::collections::HashMap;

use crate::state::{AppState, Item};

pub async fn list_items(
    State(state): State<AppState>,
    Query(params): Query<HashMap<String, String>>,
) -> Result<Json<Vec<Item>>, StatusCode> {
    let limit: usize = params.get("limit").unwrap().parse().unwrap();
    let items = state
        .store
        .list(limit.min(100))
        .await
        .map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    Ok(Json(items))
}
`,
    line: 12,
    severity: "major",
  },
  {
    id: "rs-sql-format",
    language: "rust",
    kind: "request input in SQL",
    path: "src/handlers/search.rs",
    before: null,
    after: `use actix_web::{get, web, HttpResponse, Responder};
use serde::Deserialize;
use sqlx::{PgPool, Row};

#[derive(Deserialize)]
pub struct SearchQuery {
    term: String,
}

#[get("/search")]
pub async fn search(pool: web::Data<PgPool>, query: web::Query<SearchQuery>) -> impl Responder {
    let sql = format!("SELECT title FROM books WHERE title ILIKE '%{}%'", query.term);
    match sqlx::query(&sql).fetch_all(pool.get_ref()).await {
        Ok(rows) => {
            let titles: Vec<String> = rows.iter().map(|row| row.get("title")).collect();
            HttpResponse::Ok().json(titles)
        }
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}
`,
    line: 12,
    also: [13],
    severity: "critical",
  },
  {
    id: "rs-shell-command",
    language: "rust",
    kind: "request input in shell command",
    path: "src/handlers/archive.rs",
    before: null,
    after: `use axum::extract::Path;
use axum::http::StatusCode;
use std::process::Command;

/// Packs the folder of a project and returns the archive.
pub async fn archive(Path(project): Path<String>) -> Result<Vec<u8>, StatusCode> {
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("tar -C /srv/projects -cz {}", project))
        .output()
        .map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    if !output.status.success() {
        return Err(StatusCode::NOT_FOUND);
    }
    Ok(output.stdout)
}
`,
    line: 9,
    also: [8],
    severity: "critical",
  },
  {
    id: "rs-lock-across-await",
    language: "rust",
    kind: "std mutex held across await",
    path: "src/cache.rs",
    before: `use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::client::{Client, Profile};

#[derive(Clone)]
pub struct ProfileCache {
    client: Client,
    entries: Arc<Mutex<HashMap<u64, Profile>>>,
}

impl ProfileCache {
    pub async fn get(&self, id: u64) -> anyhow::Result<Profile> {
        if let Some(profile) = self.entries.lock().unwrap().get(&id) {
            return Ok(profile.clone());
        }
        let profile = self.client.profile(id).await?;
        self.entries.lock().unwrap().insert(id, profile.clone());
        Ok(profile)
    }
}
`,
    after: `use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::client::{Client, Profile};

#[derive(Clone)]
pub struct ProfileCache {
    client: Client,
    entries: Arc<Mutex<HashMap<u64, Profile>>>,
}

impl ProfileCache {
    pub async fn get(&self, id: u64) -> anyhow::Result<Profile> {
        let mut entries = self.entries.lock().unwrap();
        if let Some(profile) = entries.get(&id) {
            return Ok(profile.clone());
        }
        let profile = self.client.profile(id).await?;
        entries.insert(id, profile.clone());
        Ok(profile)
    }
}
`,
    line: 18,
    also: [14],
    severity: "major",
  },
  {
    id: "rs-ignored-result",
    language: "rust",
    kind: "result dropped",
    path: "src/export.rs",
    before: `use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

pub struct Row {
    pub name: String,
    pub cents: i64,
}

pub fn export(rows: &[Row], path: &Path) -> io::Result<usize> {
    let mut out = BufWriter::new(File::create(path)?);
    writeln!(out, "name,cents")?;
    for row in rows {
        writeln!(out, "{},{}", row.name, row.cents)?;
    }
    out.flush()?;
    Ok(rows.len())
}
`,
    after: `use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

pub struct Row {
    pub name: String,
    pub cents: i64,
}

pub fn export(rows: &[Row], path: &Path) -> io::Result<usize> {
    let mut out = BufWriter::new(File::create(path)?);
    writeln!(out, "name,cents")?;
    for row in rows {
        writeln!(out, "{},{}", row.name, row.cents)?;
    }
    let _ = out.flush();
    Ok(rows.len())
}
`,
    line: 16,
    severity: "major",
  },
  {
    id: "rs-same-operands",
    language: "rust",
    kind: "both sides of an operator are equal",
    path: "src/geometry.rs",
    before: null,
    after: `#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Rect {
    pub fn contains(&self, x: f64, y: f64) -> bool {
        x >= self.x && x < self.x + self.width && y >= self.y && y < self.y + self.height
    }

    pub fn same_size(&self, other: &Rect) -> bool {
        self.width == other.width && self.height == self.height
    }

    pub fn area(&self) -> f64 {
        self.width * self.height
    }
}
`,
    line: 15,
    severity: "must-fix",
  },
  {
    id: "rs-path-traversal",
    language: "rust",
    kind: "request input in a file path",
    path: "src/handlers/files.rs",
    before: null,
    after: `use axum::extract::Query;
use axum::http::StatusCode;
use serde::Deserialize;
use std::path::PathBuf;

const ROOT: &str = "/var/lib/app/files";

#[derive(Deserialize)]
pub struct FileQuery {
    name: String,
}

pub async fn download(Query(query): Query<FileQuery>) -> Result<Vec<u8>, StatusCode> {
    let path = PathBuf::from(ROOT).join(&query.name);
    tokio::fs::read(&path).await.map_err(|_| StatusCode::NOT_FOUND)
}
`,
    line: 14,
    also: [15],
    severity: "must-fix",
  },
  {
    id: "rs-off-by-one",
    language: "rust",
    kind: "index past the end",
    path: "src/diff.rs",
    before: `/// Positions where two lists differ.
pub fn changed_positions(before: &[String], after: &[String]) -> Vec<usize> {
    let shared = before.len().min(after.len());
    let mut changed = Vec::new();
    for index in 0..shared {
        if before[index] != after[index] {
            changed.push(index);
        }
    }
    changed.extend(shared..before.len().max(after.len()));
    changed
}

pub fn is_unchanged(before: &[String], after: &[String]) -> bool {
    before.len() == after.len() && changed_positions(before, after).is_empty()
}
`,
    after: `/// Positions where two lists differ.
pub fn changed_positions(before: &[String], after: &[String]) -> Vec<usize> {
    let shared = before.len().min(after.len());
    let mut changed = Vec::new();
    for index in 0..=shared {
        if before[index] != after[index] {
            changed.push(index);
        }
    }
    changed.extend(shared..before.len().max(after.len()));
    changed
}

pub fn is_unchanged(before: &[String], after: &[String]) -> bool {
    before.len() == after.len() && changed_positions(before, after).is_empty()
}
`,
    line: 5,
    also: [6],
    severity: "must-fix",
  },
  {
    id: "rs-accept-invalid-certs",
    language: "rust",
    kind: "TLS verification turned off",
    path: "src/upstream.rs",
    before: `use reqwest::Client;
use std::time::Duration;

pub struct Upstream {
    client: Client,
    base: String,
}

impl Upstream {
    pub fn new(base: impl Into<String>) -> reqwest::Result<Self> {
        let client = Client::builder()
            .timeout(Duration::from_secs(10))
            .build()?;
        Ok(Self { client, base: base.into() })
    }

    pub async fn health(&self) -> reqwest::Result<bool> {
        let response = self.client.get(format!("{}/health", self.base)).send().await?;
        Ok(response.status().is_success())
    }
}
`,
    after: `use reqwest::Client;
use std::time::Duration;

pub struct Upstream {
    client: Client,
    base: String,
}

impl Upstream {
    pub fn new(base: impl Into<String>) -> reqwest::Result<Self> {
        let client = Client::builder()
            .timeout(Duration::from_secs(10))
            .danger_accept_invalid_certs(true)
            .build()?;
        Ok(Self { client, base: base.into() })
    }

    pub async fn health(&self) -> reqwest::Result<bool> {
        let response = self.client.get(format!("{}/health", self.base)).send().await?;
        Ok(response.status().is_success())
    }
}
`,
    line: 13,
    severity: "must-fix",
  },
];
