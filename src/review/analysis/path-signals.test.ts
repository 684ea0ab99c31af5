import assert from "node:assert/strict";
import { test } from "node:test";
import { categoryOf } from "./categories.ts";
import { pathSignals } from "./path-signals.ts";

const PATHS: readonly [path: string, signals: string][] = [
  ["src/auth/login.ts", "authentication"],
  ["src/authToken.ts", "authentication credentials"],
  ["src/auth_token.py", "authentication credentials"],
  ["src/OAuthClient.java", "authentication"],
  ["src/oauth2.go", "authentication"],
  ["src/pages/sign-in.tsx", "authentication"],
  ["src/middleware/session.ts", "authentication"],
  ["src/author.ts", ""],
  ["src/authors/list.ts", ""],
  ["src/blogin.ts", ""],
  ["src/design/button.ts", ""],
  ["src/assignment.ts", ""],
  ["src/resign.ts", ""],
  ["src/sign.ts", "cryptography"],
  ["src/crypto/hmac.go", "cryptography"],
  ["src/cryptocurrency.ts", ""],
  ["src/verify-signature.ts", "cryptography"],
  ["src/tokenize.ts", ""],
  ["src/tokenizer/index.ts", ""],
  ["src/lexer/token.rs", ""],
  ["src/design/tokens.ts", ""],
  ["src/token.ts", "credentials"],
  ["src/accessTokens.ts", "credentials"],
  ["src/secrets/load.ts", "credentials"],
  ["src/secretary.ts", ""],
  ["src/apiKey.ts", "credentials"],
  [".env", "credentials"],
  [".env.production", "credentials"],
  [".env.example", ""],
  ["certs/server.pem", "credentials cryptography"],
  ["db/migrations/001_init.sql", "database"],
  ["db/migrate/20240101_add.rb", "database"],
  ["prisma/schema.prisma", "database"],
  ["src/db/schema.ts", "database"],
  ["src/config/schema.ts", ""],
  ["src/migratory-birds.ts", ""],
  ["package.json", "dependencies"],
  ["apps/web/package.json", "dependencies"],
  ["requirements-dev.txt", "dependencies"],
  ["requirements/base.txt", "dependencies"],
  ["services/a/go.mod", "dependencies"],
  ["App/App.csproj", "dependencies"],
  ["src/package.json.ts", ""],
  [".github/workflows/ci.yml", "infrastructure"],
  ["terraform/main.tf", "infrastructure"],
  ["tests/auth/login.test.ts", ""],
  ["docs/authentication.md", ""],
  ["src/index.ts", ""],
];

test("whole words of a path raise signals", () => {
  for (const [path, signals] of PATHS) {
    const found = pathSignals({ path, category: categoryOf(path), mark: null });
    assert.equal(found.join(" "), signals, path);
  }
});

test("of marked files, only lock files raise signals", () => {
  assert.deepEqual(pathSignals({ path: "auth/yarn.lock", category: "config", mark: "lockfile" }), [
    "dependencies",
  ]);
  for (const mark of ["generated", "vendored", "minified"] as const) {
    assert.deepEqual(pathSignals({ path: "auth/login.ts", category: "source", mark }), []);
  }
});
