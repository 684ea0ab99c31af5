/** Reports secrets on added lines by kind and place. The value never leaves the line: it is in no title and no detail. */
import { shownLines } from "../lines/shown-lines.ts";
import { isMachineWritten, isSample, isTranslationFile, isWorkflow } from "../lines/path-kinds.ts";
import { bad, good, type FileView, type LineRule, type RuleMatch } from "../rule.ts";
import { findCertainSecrets, mayHoldSecrets, PROVIDER_KINDS } from "../../../base/secrets/secret-patterns.ts";

/** A private key is told from a mention of one by the lines after its header. */
const KEY_LOOKAHEAD_LINES = 3;

/** Keys that web pages and apps carry openly: they name a project, they open nothing. */
const PUBLIC_BY_DESIGN =
  /firebase|google-services|GoogleService-Info|maps|recaptcha|youtube|publishable|anon/i;

const NOT_A_SECRET =
  /integrity|sha(?:1|256|512)|checksum|digest|hash|fingerprint|nonce|csrf|public|etag|cursor|page_?token|next_?token/i;

/** Pieces of the examples, apart from what would make a scanner take them for secrets. None was ever issued. */
const RANDOM = "pK3vR9tW2xL7mQ4zN8dH5jYcF1gT6pXsE0bA2uKw";
const BASE32 = "Q5ZGLXW2MPKD6TVR";
const LIVE = "live_";
const EXAMPLE_ID = "IOSFODNN7EXAMPLE";
const COUNTED = "1234567890abcdefghijABCDEFGHIJ123456";
const KEY_HEADER = "PRIVATE KEY-----";
const KEY_BODY = `MIIEowIBAAKCAQEA${RANDOM}`;

export const secretInCode: LineRule = {
  kind: "line",
  id: "secret-in-code",
  title: "Secret is written into the repository",
  severity: "critical",
  category: "security",
  why: "Everybody who can read the repository, its forks or any clone can use it, and removing the line later leaves it in the history.",
  fix: "Revoke it at its issuer now, then read the value from the environment or a secret store.",
  languages: "any",
  inTests: true,
  everywhere: true,
  isFor: ({ addedText }) => mayHoldSecrets(addedText),
  check(line, file) {
    for (const { kind, start } of findCertainSecrets(textToRead(line, file))) {
      // The key itself begins on the line after its header; anything else there is that line's own finding.
      const isOnLine = kind === "private-key" || start < line.text.length;
      if (isOnLine && isReported(kind, line.text, file)) return matchOf(line.line, kind, file);
    }
    return null;
  },
  examples: {
    bad: [
      bad("src/storage.ts", 1, `const key = "AKIA${BASE32}";\n`),
      bad("deploy/settings.py", 2, `import os\naws_secret_access_key = "${RANDOM}"\n`),
      bad(
        "README.md",
        1,
        `Use the webhook https://hooks.slack.com/services/T02KD81QZ/B09LM37XW/${RANDOM.slice(0, 24)}\n`,
      ),
      bad("src/pay.rb", 1, `Stripe.api_key = "sk_${LIVE}${RANDOM.slice(0, 24)}"\n`),
      bad(
        "config/key.go",
        3,
        `package config\n\nconst key = \`-----BEGIN RSA ${KEY_HEADER}\n${KEY_BODY}\n\`\n`,
      ),
      bad(
        "src/db.ts",
        1,
        `export const url = "postgres://app:${RANDOM.slice(0, 12)}@db.internal-prod.net:5432/app";\n`,
      ),
      bad(".npmrc", 1, `//registry.example.org/:_authToken=${RANDOM.slice(0, 30)}\n`),
      bad("src/session.py", 1, `SESSION_SECRET = "${RANDOM.slice(0, 32)}"\n`),
      bad("src/bot.js", 1, `const token = "491827365:AA${RANDOM.slice(0, 33)}";\n`),
    ],
    good: [
      good("docker-compose.yml", "services:\n  db:\n    environment:\n      - POSTGRES_PASSWORD=postgres1\n"),
      good("docs/aws.md", `Set AWS_ACCESS_KEY_ID to AKIA${EXAMPLE_ID}.\n`),
      good(
        "src/a.ts",
        `const token = process.env.API_TOKEN;\nconst password = "correct-horse-battery-staple-long";\n`,
      ),
      good(
        "src/b.py",
        `api_key = "your-api-key-goes-here-0123"\nsecret = "\${VAULT_SECRET_FOR_BILLING_1}"\n`,
      ),
      good("test/auth.test.ts", `const password = "${RANDOM.slice(0, 32)}";\n`),
      good("test/tls.go", `package tls\n\nconst key = \`-----BEGIN RSA ${KEY_HEADER}\n${KEY_BODY}\n\`\n`),
      good("src/pem.ts", `if (text.startsWith("-----BEGIN ${KEY_HEADER}")) return parsePkcs8(text);\n`),
      good(
        "src/local.ts",
        `const url = "postgres://postgres:postgres@localhost:5432/app";\nconst two = \`https://\${user}:\${password}@host.net\`;\n`,
      ),
      good("src/github.ts", `const sample = "ghp_${COUNTED}";\n`),
      good("package-lock.json", `{ "token": "${RANDOM.slice(0, 32)}" }\n`),
      good("src/web.ts", `const firebase = { apiKey: "AIza${RANDOM.slice(0, 35)}" };\n`),
    ],
  },
};

/** The line itself, or with what follows it where that decides. */
function textToRead(line: { readonly line: number; readonly text: string }, file: FileView): string {
  if (!line.text.includes("PRIVATE KEY-----")) return line.text;
  const shown = shownLines(file);
  const after = Array.from({ length: KEY_LOOKAHEAD_LINES }, (_, index) => shown.get(line.line + 1 + index));
  return [line.text, ...after.filter((text) => text !== undefined)].join("\n");
}

function isReported(kind: string, text: string, file: FileView): boolean {
  // Chosen passwords are told where they matter: in images, and in environment files that are committed.
  if (kind === "environment-setting") return false;
  if (kind === "google-api-key" && (PUBLIC_BY_DESIGN.test(text) || PUBLIC_BY_DESIGN.test(file.path)))
    return false;
  if (PROVIDER_KINDS.has(kind) && kind !== "telegram-bot-token") return true;
  if (isShown(file)) return false;
  if (kind === "private-key") return true;
  if (isTranslationFile(file.path) || isMachineWritten(file.path)) return false;
  return !NOT_A_SECRET.test(text) && !PUBLIC_BY_DESIGN.test(text);
}

const LABELS: Readonly<Record<string, string>> = {
  "private-key": "private key",
  "named-secret": "random value assigned to the name of a secret",
  "basic-auth-url": "password inside a URL",
  "signed-jwt": "signed JSON web token",
};

/** Workflows often start a database of their own with a secret that lives as long as the run. */
function matchOf(line: number, kind: string, file: FileView): RuleMatch {
  return {
    line,
    detail: `The line holds what has the form of this: ${LABELS[kind] ?? kind.replaceAll("-", " ")}.`,
    severity: isShown(file) || (kind === "named-secret" && isWorkflow(file.path)) ? "must-fix" : "critical",
  };
}

/** Tests, prose and samples show values that open nothing, unless their format proves otherwise. */
function isShown(file: FileView): boolean {
  return file.category === "test" || file.category === "docs" || isSample(file.path);
}
