/** The dependency files of Rust. */
import type { FileFormat } from "../ecosystem.ts";
import { CARGO_LOCK } from "./cargo-lock.ts";
import { CARGO_TOML } from "./cargo-toml.ts";

export const RUST_FORMATS: readonly FileFormat[] = [CARGO_TOML, CARGO_LOCK];
