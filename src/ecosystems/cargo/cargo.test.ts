import assert from "node:assert/strict";
import { test } from "node:test";
import { checkNeverThrows, readWith, showNeeds, showPackages } from "../../../test/support/show-packages.ts";
import { CARGO } from "./cargo.ts";

const CARGO_TOML = `[package]
name = "demo"
version = "0.1.0"

[dependencies]
serde = { version = "1.0", features = ["derive"] }
pinned = "=2.1.0"
shared.workspace = true
rand07 = { package = "rand", version = "0.7" }
rand = "0.8"
near = { path = "../near" }
fork = { git = "https://token@example.com/fork.git", branch = "main" }
private = { version = "1", registry = "corp", optional = true }

[dev-dependencies.criterion]
version = "0.5"
default-features = false

[build-dependencies]
cc = "1"

[target.'cfg(unix)'.dependencies]
libc = "0.2"

[workspace.dependencies]
shared = "3.0"

[patch.crates-io]
serde = { git = "https://example.com/serde", rev = "abc" }
`;

const V3 = `version = 3

[[package]]
name = "demo"
version = "0.1.0"
dependencies = [
 "rand 0.7.3",
 "rand 0.8.5",
 "fork",
]

[[package]]
name = "fork"
version = "0.2.0"
source = "git+https://example.com/fork.git?branch=main#0123456789abcdef"

[[package]]
name = "rand"
version = "0.7.3"
source = "registry+https://github.com/rust-lang/crates.io-index"
checksum = "aaaa"

[[package]]
name = "rand"
version = "0.8.5"
source = "sparse+https://corp.example.com/index/"
checksum = "bbbb"
dependencies = [
 "fork",
]
`;

const V1 = `[root]
name = "demo"
version = "0.1.0"
dependencies = [
 "libc 0.2.1 (registry+https://github.com/rust-lang/crates.io-index)",
]

[[package]]
name = "libc"
version = "0.2.1"
source = "registry+https://github.com/rust-lang/crates.io-index"

[metadata]
"checksum libc 0.2.1 (registry+https://github.com/rust-lang/crates.io-index)" = "cccc"
`;

const INDEX = "https://github.com/rust-lang/crates.io-index";

const LOCKED = [
  "demo 0.1.0 local ",
  "fork 0.2.0 git https://example.com/fork.git # 0123456789abcdef",
  `rand 0.7.3 from ${INDEX} <aaaa>`,
  "rand 0.8.5 from https://corp.example.com/index/ <bbbb>",
];

const CASES: readonly (readonly [
  name: string,
  path: string,
  text: string,
  expected: readonly string[] | string,
])[] = [
  [
    "Cargo.toml",
    "crates/a/Cargo.toml",
    CARGO_TOML,
    [
      "6: serde (1.0)",
      "7: pinned 2.1.0 (=2.1.0)",
      "8: shared",
      "9: rand (0.7) [rand07]",
      "10: rand (0.8)",
      "11: near () local ../near",
      "12: fork () git https://example.com/fork.git # main",
      "13: private (1) optional from corp",
      "15: criterion (0.5) dev",
      "20: cc (1) build",
      "26: shared (3.0) [workspace]",
      "23: libc (0.2) [cfg(unix)]",
      "29: serde () git https://example.com/serde # abc [patch crates-io]",
    ],
  ],
  ["half a Cargo.toml", "Cargo.toml", '[dependencies]\nserde = { version = "1', "malformed"],
  ["Cargo.lock 1", "Cargo.lock", V1, ["demo 0.1.0 local ", `libc 0.2.1 from ${INDEX} <cccc>`]],
  ["Cargo.lock 2", "Cargo.lock", V3.replace("version = 3\n", ""), LOCKED],
  ["Cargo.lock 3", "Cargo.lock", V3, LOCKED],
  ["Cargo.lock 4", "Cargo.lock", V3.replace("version = 3", "version = 4"), LOCKED],
  ["Windows line ends", "Cargo.lock", V3.replaceAll("\n", "\r\n"), LOCKED],
  ["a newer Cargo.lock", "Cargo.lock", V3.replace("version = 3", "version = 5"), "unknown-format-version"],
  ["half a Cargo.lock", "Cargo.lock", V3.slice(0, 120), "malformed"],
  ["a conflict", "Cargo.lock", `${V3}<<<<<<< HEAD\n`, "conflict-markers"],
];

test("dependency files of Rust are read", () => {
  for (const [name, path, text, expected] of CASES)
    assert.deepEqual(showPackages(readWith(CARGO.formats, path, text)), expected, name);
});

test("needs are resolved within Cargo.lock", () => {
  assert.deepEqual(showNeeds(readWith(CARGO.formats, "Cargo.lock", V3)), [
    " → rand 0.7.3, rand 0.8.5, fork 0.2.0",
    "demo → rand 0.7.3, rand 0.8.5, fork 0.2.0",
    "rand → fork 0.2.0",
  ]);
  assert.deepEqual(showNeeds(readWith(CARGO.formats, "Cargo.lock", V1)), [
    " → libc 0.2.1",
    "demo → libc 0.2.1",
  ]);
});

test("damaged dependency files of Rust are refused", () => {
  checkNeverThrows(
    CARGO.formats,
    CASES.map(([, path, text]) => [path, text] as const),
  );
});
