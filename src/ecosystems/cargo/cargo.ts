/** crates.io, and the dependency files of Rust. */
import type { Ecosystem } from "../ecosystem.ts";
import { CARGO_ORDER } from "../versions/semver-order.ts";
import { cargoConfig } from "./cargo-config.ts";
import { CARGO_LOCK } from "./cargo-lock.ts";
import { CARGO_TOML } from "./cargo-toml.ts";

export const CARGO: Ecosystem = {
  formats: [CARGO_TOML, CARGO_LOCK],
  sources: [cargoConfig],
  order: CARGO_ORDER,
  isMinorBreakingBelow1: true,
  advisoryNames: { osv: "crates.io", github: "rust" },
  publicHosts: ["github.com/rust-lang/crates.io-index", "index.crates.io", "static.crates.io", "crates.io"],
  publicAlias: "crates-io",
  locksProject: true,
  popularNames: `serde serde_json serde_derive tokio rand_core reqwest clap_derive anyhow thiserror regex lazy_static log4rs futures hyper
    actix-web axum-core chrono rustls openssl bytes itertools rayon crossbeam parking_lot tracing tracing-subscriber once_cell
    num-traits uuid-utils base64 sha2-asm diesel sqlx-core rocket warp-server wasm-bindgen proc-macro2 quote-macro syn-macro rust_decimal`,
};
