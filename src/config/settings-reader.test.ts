import assert from "node:assert/strict";
import { test } from "node:test";
import { KodiaiError } from "../base/errors.ts";
import { createSettingsReader, MAX_SECRET_BYTES, type SettingsSource } from "./settings-reader.ts";

const FILES: Readonly<Record<string, string>> = {
  "/run/secrets/key": "sk-from-a-file\n",
  "/run/secrets/crlf": "sk-from-a-file\r\n",
  "/run/secrets/pem": "-----BEGIN KEY-----\nabc\n-----END KEY-----\n",
  "/run/secrets/blank": " \n\n",
  "/run/secrets/largest": "x".repeat(MAX_SECRET_BYTES),
  "/run/secrets/large": "x".repeat(MAX_SECRET_BYTES + 1),
};

type Source = Partial<Pick<SettingsSource, "environment" | "dotEnv">>;

function read(name: string, source: Source): string | null {
  const reader = createSettingsReader({
    environment: {},
    dotEnv: null,
    readText: (path) => FILES[path] ?? null,
    ...source,
  });
  const value = reader.text(name);
  // Each problem is reported once, however often the setting is read.
  assert.equal(reader.text(name), value);
  reader.throwIfInvalid();
  return value;
}

const SECRETS = [
  "GITHUB_PRIVATE_KEY",
  "GITHUB_WEBHOOK_SECRET",
  "GITHUB_WEBHOOK_SECRET_PREVIOUS",
  "GITHUB_TOKEN",
  "GH_TOKEN",
  "KODIAI_METRICS_TOKEN",
  "DATABASE_URL",
  "ANTHROPIC_API_KEY",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "OPENAI_API_KEY",
  "GEMINI_API_KEY",
  "GOOGLE_GENERATIVE_AI_API_KEY",
  "KODIAI_COMPATIBLE_KEY",
  "KODIAI_EMBEDDINGS_KEY",
  "VOYAGE_API_KEY",
  "HTTPS_PROXY",
  "HTTP_PROXY",
];

for (const name of SECRETS) {
  test(`${name} can be in a file`, () => {
    assert.equal(read(name, { environment: { [`${name}_FILE`]: "/run/secrets/key" } }), "sk-from-a-file");
  });
}

const VALUES: readonly (readonly [title: string, source: Source, value: string | null])[] = [
  ["no file", {}, null],
  ["an empty path", { environment: { OPENAI_API_KEY: "a", OPENAI_API_KEY_FILE: "" } }, "a"],
  ["Windows line ends", { environment: { OPENAI_API_KEY_FILE: "/run/secrets/crlf" } }, "sk-from-a-file"],
  [
    "several lines",
    { environment: { OPENAI_API_KEY_FILE: "/run/secrets/pem" } },
    "-----BEGIN KEY-----\nabc\n-----END KEY-----",
  ],
  [
    "the largest size",
    { environment: { OPENAI_API_KEY_FILE: "/run/secrets/largest" } },
    "x".repeat(MAX_SECRET_BYTES),
  ],
];

for (const [title, source, value] of VALUES) {
  test(`a secret in a file: ${title}`, () => assert.equal(read("OPENAI_API_KEY", source), value));
}

const PROBLEMS: readonly (readonly [title: string, source: Source, problem: string])[] = [
  [
    "both forms",
    { environment: { OPENAI_API_KEY: "a", OPENAI_API_KEY_FILE: "/run/secrets/key" } },
    "OPENAI_API_KEY_FILE and OPENAI_API_KEY are both set; remove one",
  ],
  [
    "both forms, the value in .env",
    { environment: { OPENAI_API_KEY_FILE: "/run/secrets/key" }, dotEnv: "OPENAI_API_KEY=a" },
    "OPENAI_API_KEY_FILE and OPENAI_API_KEY are both set; remove one",
  ],
  [
    "a missing file",
    { environment: { OPENAI_API_KEY_FILE: "/missing\u001b[1m" } },
    "OPENAI_API_KEY_FILE (/missing\\x1b[1m) can't be read; check that the file exists and that Kodiai may read it",
  ],
  [
    "a blank file",
    { environment: { OPENAI_API_KEY_FILE: "/run/secrets/blank" } },
    "OPENAI_API_KEY_FILE (/run/secrets/blank) is empty",
  ],
  [
    "a large file",
    { environment: { OPENAI_API_KEY_FILE: "/run/secrets/large" } },
    "OPENAI_API_KEY_FILE (/run/secrets/large) is larger than 64 KiB, so it isn't a secret",
  ],
  [
    "a path in .env",
    { dotEnv: "OPENAI_API_KEY_FILE=/run/secrets/key" },
    "OPENAI_API_KEY_FILE is set in .env; set it in the environment, or set the value itself in .env",
  ],
];

for (const [title, source, problem] of PROBLEMS) {
  test(`a secret in a file is refused: ${title}`, () => {
    assert.throws(
      () => read("OPENAI_API_KEY", source),
      (error) => error instanceof KodiaiError && error.message === `invalid settings:\n  ${problem}`,
    );
  });
}

test("a `.env` file makes Kodiai read no file", () => {
  const readText = (path: string): null => assert.fail(`read ${path}`);
  const reader = createSettingsReader({
    environment: {},
    dotEnv: "OPENAI_API_KEY_FILE=/etc/passwd",
    readText,
  });
  assert.equal(reader.text("OPENAI_API_KEY"), null);
});

test("other settings have no file", () => {
  assert.equal(read("KODIAI_MODEL", { environment: { KODIAI_MODEL_FILE: "/run/secrets/key" } }), null);
});
