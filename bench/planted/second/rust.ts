import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "rs-rocket-ssrf",
    language: "rust",
    kind: "request input in outgoing request",
    path: "server/src/preview.rs",
    before: null,
    after: `use rocket::http::Status;
use rocket::serde::{json::Json, Serialize};
use scraper::{Html, Selector};

#[derive(Serialize)]
#[serde(crate = "rocket::serde")]
pub struct Preview {
    title: Option<String>,
}

#[get("/preview?<url>")]
pub async fn preview(url: String) -> Result<Json<Preview>, Status> {
    let body = reqwest::get(&url)
        .await
        .map_err(|_| Status::BadGateway)?
        .text()
        .await
        .map_err(|_| Status::BadGateway)?;
    let page = Html::parse_document(&body);
    let selector = Selector::parse("title").map_err(|_| Status::InternalServerError)?;
    let title = page.select(&selector).next().map(|node| node.text().collect());
    Ok(Json(Preview { title }))
}
`,
    line: 13,
    severity: "must-fix",
  },
  {
    id: "rs-blocking-in-async",
    language: "rust",
    kind: "blocking call in a coroutine",
    path: "worker/src/retry.rs",
    before: `use std::future::Future;
use std::time::Duration;

pub struct Backoff {
    pub attempts: u32,
    pub base: Duration,
}

impl Backoff {
    pub async fn run<F, Fut, T, E>(&self, mut work: F) -> Result<T, E>
    where
        F: FnMut() -> Fut,
        Fut: Future<Output = Result<T, E>>,
    {
        let mut attempt = 0;
        loop {
            match work().await {
                Ok(value) => return Ok(value),
                Err(error) if attempt >= self.attempts => return Err(error),
                Err(_) => {
                    attempt += 1;
                    tokio::time::sleep(self.base * attempt).await;
                }
            }
        }
    }
}
`,
    after: `use std::future::Future;
use std::time::Duration;

pub struct Backoff {
    pub attempts: u32,
    pub base: Duration,
}

impl Backoff {
    pub async fn run<F, Fut, T, E>(&self, mut work: F) -> Result<T, E>
    where
        F: FnMut() -> Fut,
        Fut: Future<Output = Result<T, E>>,
    {
        let mut attempt = 0;
        loop {
            match work().await {
                Ok(value) => return Ok(value),
                Err(error) if attempt >= self.attempts => return Err(error),
                Err(_) => {
                    attempt += 1;
                    std::thread::sleep(self.base * attempt);
                }
            }
        }
    }
}
`,
    line: 22,
    severity: "major",
  },
  {
    id: "rs-self-assign",
    language: "rust",
    kind: "field assigned to itself",
    path: "core/src/settings.rs",
    before: `#[derive(Debug, Clone, Default)]
pub struct Settings {
    pub theme: String,
    pub font_size: u8,
    pub autosave: bool,
}

impl Settings {
    /// Takes over everything that a user may change.
    pub fn merge(&mut self, other: &Settings) {
        self.theme = other.theme.clone();
        self.font_size = other.font_size;
        self.autosave = other.autosave;
    }

    pub fn is_default(&self) -> bool {
        self.theme.is_empty() && self.font_size == 0 && !self.autosave
    }
}
`,
    after: `#[derive(Debug, Clone, Default)]
pub struct Settings {
    pub theme: String,
    pub font_size: u8,
    pub autosave: bool,
}

impl Settings {
    /// Takes over everything that a user may change.
    pub fn merge(&mut self, other: &Settings) {
        self.theme = other.theme.clone();
        self.font_size = self.font_size;
        self.autosave = other.autosave;
    }

    pub fn is_default(&self) -> bool {
        self.theme.is_empty() && self.font_size == 0 && !self.autosave
    }
}
`,
    line: 12,
    severity: "must-fix",
  },
  {
    id: "rs-todo-left",
    language: "rust",
    kind: "todo left in a code path",
    path: "api/src/refunds.rs",
    before: `use crate::ledger::{Entry, Ledger, LedgerError};

pub enum Method {
    Card { last4: String },
    Bank { iban: String },
    Voucher,
}

pub fn refund(ledger: &mut Ledger, order: u64, cents: u64, method: Method) -> Result<Entry, LedgerError> {
    let entry = match method {
        Method::Card { last4 } => Entry::card(order, cents, last4),
        Method::Bank { iban } => Entry::transfer(order, cents, iban),
        Method::Voucher => Entry::voucher(order, cents),
    };
    ledger.append(entry)
}
`,
    after: `use crate::ledger::{Entry, Ledger, LedgerError};

pub enum Method {
    Card { last4: String },
    Bank { iban: String },
    Voucher,
}

pub fn refund(ledger: &mut Ledger, order: u64, cents: u64, method: Method) -> Result<Entry, LedgerError> {
    let entry = match method {
        Method::Card { last4 } => Entry::card(order, cents, last4),
        Method::Bank { .. } => todo!(),
        Method::Voucher => Entry::voucher(order, cents),
    };
    ledger.append(entry)
}
`,
    line: 12,
    severity: "must-fix",
  },
  {
    id: "rs-transmute-unsafe",
    language: "rust",
    kind: "unchecked conversion of bytes to text",
    path: "proto/src/frame.rs",
    before: null,
    after: `use std::io::{self, Read};
use std::net::TcpStream;

pub struct Frame {
    pub kind: u8,
    pub text: String,
}

pub fn read_frame(stream: &mut TcpStream) -> io::Result<Frame> {
    let mut header = [0u8; 3];
    stream.read_exact(&mut header)?;
    let length = u16::from_be_bytes([header[1], header[2]]) as usize;
    let mut body = vec![0u8; length];
    stream.read_exact(&mut body)?;
    let text = unsafe { String::from_utf8_unchecked(body) };
    Ok(Frame { kind: header[0], text })
}
`,
    line: 15,
    severity: "must-fix",
  },
  {
    id: "rs-subtract-overflow",
    language: "rust",
    kind: "unsigned subtraction below zero",
    path: "core/src/page.rs",
    before: `pub struct Pages<'a, T> {
    items: &'a [T],
    size: usize,
}

impl<'a, T> Pages<'a, T> {
    pub fn new(items: &'a [T], size: usize) -> Self {
        assert!(size > 0);
        Self { items, size }
    }

    pub fn last(&self) -> &'a [T] {
        let full = self.items.len().saturating_sub(1) / self.size;
        &self.items[full * self.size..]
    }

    pub fn count(&self) -> usize {
        self.items.len().div_ceil(self.size)
    }
}
`,
    after: `pub struct Pages<'a, T> {
    items: &'a [T],
    size: usize,
}

impl<'a, T> Pages<'a, T> {
    pub fn new(items: &'a [T], size: usize) -> Self {
        assert!(size > 0);
        Self { items, size }
    }

    pub fn last(&self) -> &'a [T] {
        let full = (self.items.len() - 1) / self.size;
        &self.items[full * self.size..]
    }

    pub fn count(&self) -> usize {
        self.items.len().div_ceil(self.size)
    }
}
`,
    line: 13,
    severity: "major",
  },
  {
    id: "rs-duplicate-condition",
    language: "rust",
    kind: "same condition twice in an else-if chain",
    path: "game/src/score.rs",
    before: null,
    after: `#[derive(Debug, PartialEq, Eq)]
pub enum Medal {
    Gold,
    Silver,
    Bronze,
}

pub fn medal(points: u32) -> Option<Medal> {
    if points > 900 {
        Some(Medal::Gold)
    } else if points > 700 {
        Some(Medal::Silver)
    } else if points > 700 {
        Some(Medal::Bronze)
    } else {
        None
    }
}
`,
    line: 13,
    severity: "must-fix",
  },
  {
    id: "rs-actix-command",
    language: "rust",
    kind: "request input in shell command",
    path: "ops/src/disk.rs",
    before: `use actix_web::{web, HttpResponse};
use std::collections::HashMap;
use std::process::Command;

pub async fn usage(query: web::Query<HashMap<String, String>>) -> HttpResponse {
    let Some(folder) = query.get("folder") else {
        return HttpResponse::BadRequest().finish();
    };
    let result = Command::new("du").arg("-sh").arg("--").arg(folder).output();
    match result {
        Ok(output) => HttpResponse::Ok().body(output.stdout),
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}
`,
    after: `use actix_web::{web, HttpResponse};
use std::collections::HashMap;
use std::process::Command;

pub async fn usage(query: web::Query<HashMap<String, String>>) -> HttpResponse {
    let Some(folder) = query.get("folder") else {
        return HttpResponse::BadRequest().finish();
    };
    let script = format!("du -sh {folder} | cut -f1");
    let result = Command::new("bash").args(["-c", &script]).output();
    match result {
        Ok(output) => HttpResponse::Ok().body(output.stdout),
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}
`,
    line: 10,
    also: [9],
    severity: "critical",
  },
  {
    id: "rs-md5-password",
    language: "rust",
    kind: "password hashed with md5",
    path: "auth/src/password.rs",
    before: null,
    after: `use crate::store::{Accounts, StoreError};

pub struct Passwords<'a> {
    accounts: &'a Accounts,
}

impl<'a> Passwords<'a> {
    pub fn new(accounts: &'a Accounts) -> Self {
        Self { accounts }
    }

    pub fn set(&self, account: u64, password: &str) -> Result<(), StoreError> {
        let password_hash = format!("{:x}", md5::compute(password));
        self.accounts.set_password_hash(account, &password_hash)
    }
}
`,
    line: 13,
    severity: "must-fix",
  },
];
