/** Reports credentials on added lines by kind and place. The value never appears in a title or a detail. */
import { shownLines } from "../lines/shown-lines.ts";
import { isWorkflow } from "../../base/path-kinds.ts";
import { isReportedSecret, mayBeSampleSecret } from "../../base/secrets/reported-secret.ts";
import { bad, good, type FileView, type LineRule, type RuleMatch } from "../rule.ts";
import { secretLabel } from "../../base/secrets/secret-label.ts";
import { findCertainSecrets, mayHoldSecrets, PROVIDER_KINDS } from "../../base/secrets/secret-patterns.ts";

/** Lines after a private key's header, which tell a key from a mention of one. */
const KEY_LOOKAHEAD_LINES = 3;

/** Parts of the examples, split so that secret scanners don't flag them. None was ever issued. */
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
  title: "Hard-coded credential",
  severity: "critical",
  category: "security",
  why: "Anyone with access to the repository, a fork or a clone can use it. Deleting the line later leaves it in the history.",
  fix: "Revoke it at the provider now, then load the value from the environment or a secret manager.",
  languages: "any",
  inTests: true,
  everywhere: true,
  isFor: ({ addedText }) => mayHoldSecrets(addedText),
  check(line, file) {
    for (const { kind, start } of findCertainSecrets(textToRead(line, file))) {
      // The key itself starts on the line after its header; any other secret there is that line's own finding.
      const isOnLine = kind === "private-key" || start < line.text.length;
      if (isOnLine && isReportedSecret(kind, line.text, file)) return matchOf(line.line, kind, file);
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
      good(".yarn/releases/yarn-4.6.0.cjs", `const token = "${RANDOM.slice(0, 32)}";\n`),
      good("package-lock.json", `{ "token": "${RANDOM.slice(0, 32)}" }\n`),
      good("src/web.ts", `const firebase = { apiKey: "AIza${RANDOM.slice(0, 35)}" };\n`),
    ],
  },
};

/** The line, plus the lines after a private key's header. */
function textToRead(line: { readonly line: number; readonly text: string }, file: FileView): string {
  if (!line.text.includes("PRIVATE KEY-----")) return line.text;
  const shown = shownLines(file);
  const after = Array.from({ length: KEY_LOOKAHEAD_LINES }, (_, index) => shown.get(line.line + 1 + index));
  return [line.text, ...after.filter((text) => text !== undefined)].join("\n");
}

/**
 * Critical only where the format proves a credential. A random value under a secret's name can be a development key, and
 * workflows often start their own database with a password that lives only as long as the run.
 */
function matchOf(line: number, kind: string, file: FileView): RuleMatch {
  const isProven = PROVIDER_KINDS.has(kind) || kind === "private-key";
  return {
    line,
    title: `Hard-coded credential: ${secretLabel(kind)}`,
    severity: isProven
      ? mayBeSampleSecret(file)
        ? "must-fix"
        : "critical"
      : isWorkflow(file.path)
        ? "medium"
        : "major",
  };
}
