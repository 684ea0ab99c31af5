import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "third-rs-lock-across-await",
    language: "rust",
    kind: "mutex guard held across an await",
    path: "src/cache.rs",
    before: null,
    after: `use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::api::{ApiError, Client, Profile};

const LIFETIME: Duration = Duration::from_secs(300);

pub struct ProfileCache {
    client: Client,
    entries: Mutex<HashMap<u64, (Instant, Profile)>>,
}

impl ProfileCache {
    pub fn new(client: Client) -> Self {
        Self { client, entries: Mutex::new(HashMap::new()) }
    }

    pub async fn get(&self, id: u64) -> Result<Profile, ApiError> {
        let mut entries = self.entries.lock().expect("cache lock is poisoned");
        if let Some((stored, profile)) = entries.get(&id) {
            if stored.elapsed() < LIFETIME {
                return Ok(profile.clone());
            }
        }
        let profile = self.client.profile(id).await?;
        entries.insert(id, (Instant::now(), profile.clone()));
        Ok(profile)
    }
}
`,
    line: 26,
    also: [20],
    severity: "medium",
  },
  {
    id: "third-rs-unwrap-input",
    language: "rust",
    kind: "unwrap of request input",
    path: "src/handlers/export.rs",
    before: `use axum::{
    extract::{Query, State},
    http::StatusCode,
    Json,
};
use chrono::NaiveDate;
use serde::Deserialize;

use crate::{report::Report, AppState};

#[derive(Deserialize)]
pub struct ExportQuery {
    from: String,
    until: String,
}

pub async fn export(
    State(state): State<AppState>,
    Query(query): Query<ExportQuery>,
) -> Result<Json<Report>, StatusCode> {
    let from = parse_day(&query.from)?;
    let until = parse_day(&query.until)?;
    if until < from {
        return Err(StatusCode::UNPROCESSABLE_ENTITY);
    }
    let report = state
        .reports
        .between(from, until)
        .await
        .map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    Ok(Json(report))
}

fn parse_day(text: &str) -> Result<NaiveDate, StatusCode> {
    NaiveDate::parse_from_str(text, "%Y-%m-%d").map_err(|_| StatusCode::BAD_REQUEST)
}
`,
    after: `use axum::{
    extract::{Query, State},
    http::StatusCode,
    Json,
};
use chrono::NaiveDate;
use serde::Deserialize;

use crate::{report::Report, AppState};

#[derive(Deserialize)]
pub struct ExportQuery {
    from: String,
    until: String,
}

pub async fn export(
    State(state): State<AppState>,
    Query(query): Query<ExportQuery>,
) -> Result<Json<Report>, StatusCode> {
    let from = NaiveDate::parse_from_str(&query.from, "%Y-%m-%d").unwrap();
    let until = NaiveDate::parse_from_str(&query.until, "%Y-%m-%d").unwrap();
    if until < from {
        return Err(StatusCode::UNPROCESSABLE_ENTITY);
    }
    let report = state
        .reports
        .between(from, until)
        .await
        .map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    Ok(Json(report))
}
`,
    line: 21,
    also: [22],
    severity: "medium",
  },
  {
    id: "third-rs-inclusive-range",
    language: "rust",
    kind: "loop runs past the end",
    path: "src/stats.rs",
    before: null,
    after: `#[derive(Debug, Default, Clone, PartialEq)]
pub struct Summary {
    pub count: usize,
    pub mean: f64,
    pub longest_rise: usize,
}

pub fn mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    Some(values.iter().sum::<f64>() / values.len() as f64)
}

pub fn longest_rise(values: &[f64]) -> usize {
    let mut best = 0;
    let mut current = 0;
    for i in 1..=values.len() {
        if values[i] > values[i - 1] {
            current += 1;
            best = best.max(current);
        } else {
            current = 0;
        }
    }
    best
}

pub fn summarize(values: &[f64]) -> Option<Summary> {
    Some(Summary {
        count: values.len(),
        mean: mean(values)?,
        longest_rise: longest_rise(values),
    })
}
`,
    line: 18,
    also: [19],
    severity: "medium",
  },
  {
    id: "third-rs-partial-write",
    language: "rust",
    kind: "write may be partial",
    path: "src/journal.rs",
    before: `use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

pub struct Journal {
    file: File,
    position: u64,
}

impl Journal {
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let position = file.metadata()?.len();
        Ok(Self { file, position })
    }

    pub fn append(&mut self, record: &[u8]) -> io::Result<u64> {
        let start = self.position;
        let length = (record.len() as u32).to_le_bytes();
        self.file.write_all(&length)?;
        self.file.write_all(record)?;
        self.position += (length.len() + record.len()) as u64;
        Ok(start)
    }

    pub fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }
}
`,
    after: `use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

pub struct Journal {
    file: File,
    position: u64,
}

impl Journal {
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let position = file.metadata()?.len();
        Ok(Self { file, position })
    }

    pub fn append(&mut self, record: &[u8]) -> io::Result<u64> {
        let start = self.position;
        let mut frame = Vec::with_capacity(record.len() + 4);
        frame.extend_from_slice(&(record.len() as u32).to_le_bytes());
        frame.extend_from_slice(record);
        self.file.write(&frame)?;
        self.position += frame.len() as u64;
        Ok(start)
    }

    pub fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }
}
`,
    line: 22,
    severity: "medium",
  },
  {
    id: "third-rs-shell-injection",
    language: "rust",
    kind: "request input in a shell command",
    path: "src/routes/logs.rs",
    before: null,
    after: `use actix_web::{get, web, HttpResponse, Responder};
use serde::Deserialize;
use std::process::Command;

const LOG_FILE: &str = "/var/log/app/server.log";

#[derive(Deserialize)]
struct LogQuery {
    pattern: String,
    lines: Option<u16>,
}

#[get("/admin/logs")]
async fn search_logs(query: web::Query<LogQuery>) -> impl Responder {
    let lines = query.lines.unwrap_or(100).min(1000);
    let command = format!("grep '{}' {} | tail -n {}", query.pattern, LOG_FILE, lines);
    let output = match Command::new("sh").arg("-c").arg(&command).output() {
        Ok(output) => output,
        Err(error) => {
            log::error!("log search failed: {error}");
            return HttpResponse::InternalServerError().finish();
        }
    };
    HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .body(output.stdout)
}

pub fn configure(config: &mut web::ServiceConfig) {
    config.service(search_logs);
}
`,
    line: 17,
    also: [16],
    severity: "major",
  },
  {
    id: "third-rs-sql-format",
    language: "rust",
    kind: "SQL injection",
    path: "src/repository/books.rs",
    before: null,
    after: `use sqlx::{FromRow, PgPool};

#[derive(Debug, FromRow)]
pub struct Book {
    pub id: i64,
    pub title: String,
    pub author: String,
}

pub struct BookRepository {
    pool: PgPool,
}

impl BookRepository {
    pub fn new(pool: PgPool) -> Self {
        Self { pool }
    }

    pub async fn find(&self, id: i64) -> sqlx::Result<Option<Book>> {
        sqlx::query_as("SELECT id, title, author FROM books WHERE id = $1")
            .bind(id)
            .fetch_optional(&self.pool)
            .await
    }

    pub async fn by_author(&self, author: &str) -> sqlx::Result<Vec<Book>> {
        let sql = format!("SELECT id, title, author FROM books WHERE author = '{author}' ORDER BY title");
        sqlx::query_as(&sql).fetch_all(&self.pool).await
    }
}
`,
    line: 27,
    also: [28],
    severity: "major",
  },
  {
    id: "third-rs-hardcoded-secret",
    language: "rust",
    kind: "hard-coded signing secret",
    path: "src/auth/token.rs",
    before: `use anyhow::{Context, Result};
use jsonwebtoken::{decode, encode, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub struct Claims {
    pub sub: String,
    pub exp: usize,
}

pub struct Tokens {
    encoding: EncodingKey,
    decoding: DecodingKey,
}

impl Tokens {
    pub fn from_env() -> Result<Self> {
        let secret = std::env::var("JWT_SECRET").context("JWT_SECRET is not set")?;
        Ok(Self {
            encoding: EncodingKey::from_secret(secret.as_bytes()),
            decoding: DecodingKey::from_secret(secret.as_bytes()),
        })
    }

    pub fn issue(&self, claims: &Claims) -> Result<String> {
        encode(&Header::default(), claims, &self.encoding).context("token could not be signed")
    }

    pub fn verify(&self, token: &str) -> Result<Claims> {
        let data = decode::<Claims>(token, &self.decoding, &Validation::default())?;
        Ok(data.claims)
    }
}
`,
    after: `use anyhow::{Context, Result};
use jsonwebtoken::{decode, encode, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};

const JWT_SECRET: &str = "kX9v2mQ7tLz4RbW8nYc3HsJf6PdA1eGu";

#[derive(Debug, Serialize, Deserialize)]
pub struct Claims {
    pub sub: String,
    pub exp: usize,
}

pub struct Tokens {
    encoding: EncodingKey,
    decoding: DecodingKey,
}

impl Tokens {
    pub fn new() -> Self {
        Self {
            encoding: EncodingKey::from_secret(JWT_SECRET.as_bytes()),
            decoding: DecodingKey::from_secret(JWT_SECRET.as_bytes()),
        }
    }

    pub fn issue(&self, claims: &Claims) -> Result<String> {
        encode(&Header::default(), claims, &self.encoding).context("token could not be signed")
    }

    pub fn verify(&self, token: &str) -> Result<Claims> {
        let data = decode::<Claims>(token, &self.decoding, &Validation::default())?;
        Ok(data.claims)
    }
}
`,
    line: 5,
    also: [21],
    severity: "major",
  },
  {
    id: "third-rs-self-comparison",
    language: "rust",
    kind: "value compared with itself",
    path: "src/version.rs",
    before: `use std::fmt;

#[derive(Debug, Clone, Copy)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
    pub patch: u32,
}

impl Version {
    pub const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Self { major, minor, patch }
    }

    pub fn is_compatible_with(&self, other: &Version) -> bool {
        self.major == other.major && self.minor >= other.minor
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}
`,
    after: `use std::fmt;

#[derive(Debug, Clone, Copy)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
    pub patch: u32,
}

impl Version {
    pub const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Self { major, minor, patch }
    }

    pub fn is_compatible_with(&self, other: &Version) -> bool {
        if self.major == 0 && other.major == 0 {
            return self.minor == self.minor && self.patch >= other.patch;
        }
        self.major == other.major && self.minor >= other.minor
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}
`,
    line: 17,
    severity: "medium",
  },
];
