/** Masks the secret corpus: no format reaches a model, a log or the database, and ordinary text stays unchanged. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createLog } from "../src/base/log.ts";
import { maskCredentials } from "../src/base/secrets/mask-credentials.ts";
import { MASK, maskSecrets } from "../src/base/secrets/mask-secrets.ts";
import { createSameLengthMask } from "../src/base/secrets/same-length-mask.ts";
import { createGuard } from "../src/review/untrusted/create-guard.ts";
import {
  sampleAnchor,
  sampleChange,
  sampleFile,
  sampleFinding,
  sampleJudged,
  samplePublication,
} from "./support/sample-publication.ts";
import { PLANTED } from "./support/secret-corpus/corpus.ts";
import { KEYS } from "./support/secret-corpus/keys.ts";
import { NEAR_MISSES } from "./support/secret-corpus/near-misses.ts";

const DELIMITER = "5e1f0c9a7b3d2468";

/** The same text as a file, as part of a diff, and in a numbered listing. */
const LAYOUTS: Readonly<Record<string, (text: string) => string>> = {
  file: (text) => text,
  "file with CRLF": (text) => text.replaceAll("\n", "\r\n"),
  diff: (text) => text.replaceAll(/^/gm, "+"),
  listing: (text) =>
    text
      .split("\n")
      .map((line, index) => `${String(index + 9).padStart(6)} |+${line}`)
      .join("\n"),
};

function logged(text: string): string {
  const lines: string[] = [];
  for (const format of ["json", "text"] as const) {
    const log = createLog({ level: "debug", format, write: (line) => lines.push(line), now: () => 0 });
    log.warn(text);
    log.with({ output: text }).warn("git failed", { error: `fatal: ${text}` });
  }
  return lines.join("");
}

void suite("[P9] masked for models, logs and the database", () => {
  for (const { format, text, secrets } of PLANTED) {
    test(format, () => {
      for (const secret of secrets) assert.ok(text.includes(secret), "the corpus itself");
      for (const [layout, lay] of Object.entries(LAYOUTS)) {
        const guard = createGuard(DELIMITER);
        const laid = lay(text);
        const shown = guard.code(laid);
        for (const secret of secrets) assert.ok(!shown.includes(secret), `${layout}: ${shown}`);
        assert.equal(shown.split("\n").length, laid.split("\n").length);
        assert.equal(guard.reveal(shown), laid);
      }
      const others = {
        prose: createGuard(DELIMITER).prose(text),
        log: logged(text),
        error: maskCredentials(text),
        published: maskSecrets(text),
        stored: createSameLengthMask()(text),
      };
      for (const [where, shown] of Object.entries(others))
        for (const secret of secrets) assert.ok(!shown.includes(secret), `${where}: ${shown}`);
    });
  }
});

/** The text with each secret replaced. */
function without(text: string, secrets: readonly string[], mask: (secret: string) => string): string {
  const escaped = secrets
    .toSorted((a, b) => b.length - a.length)
    .map((secret) => secret.replaceAll(/[^\w]/g, String.raw`\$&`));
  return text.replaceAll(new RegExp(`(?:${escaped.join("|")})`, "g"), mask);
}

/** The lines as a review shows them when a rule reports a secret on each. */
function published(lines: readonly string[]): readonly string[] {
  const file = sampleFile(
    "a.txt",
    lines.map((line) => `+${line}`),
  );
  const judged = lines.map((line, index) =>
    sampleJudged(
      sampleFinding({ path: "a.txt", rule: "secret-in-code", quote: line }),
      sampleAnchor({ path: "a.txt", startLine: 10 + index, endLine: 10 + index, lines: [line] }),
      { id: String(index) },
    ),
  );
  const { findings } = samplePublication({ change: sampleChange([file]), judged });
  return lines.map((_, index) => findings.find(({ id }) => id === String(index))?.anchor?.lines[0] ?? "");
}

for (const { format, text, secrets } of PLANTED.filter((planted) => !KEYS.includes(planted))) {
  test(`the text around the secret is unchanged: ${format}`, () => {
    const rest = without(text, secrets, (secret) => "*".repeat(secret.length));
    const masked = createSameLengthMask()(text);
    assert.equal(masked.length, text.length);
    for (let at = 0; at < rest.length; at++) if (rest[at] !== "*") assert.equal(masked[at], rest[at], masked);
    const lines = text.trimEnd().split("\n");
    const shown = published(lines);
    for (const [at, line] of lines.entries()) {
      const expected = without(line, secrets, () => MASK);
      // The prefix that identifies the provider may stay.
      if (expected !== line) assert.equal(shown[at]?.replace(/\w{3,6}-\[masked\]/, MASK), expected);
    }
  });
}

test("[P9] the corpus has at least 60 different formats", () => {
  assert.ok(new Set(PLANTED.map(({ format }) => format)).size === PLANTED.length && PLANTED.length >= 60);
});

test("[P9] ordinary text that resembles a secret is unchanged for models, publications and the database", () => {
  const masked = NEAR_MISSES.filter(
    ([, text]) =>
      createGuard(DELIMITER).code(text) !== text ||
      maskSecrets(text) !== text ||
      createSameLengthMask()(text) !== text,
  );
  assert.deepEqual(masked, []);
});

test("no ordinary text of the corpus is masked because of the text around it", () => {
  const text = NEAR_MISSES.map(([, each]) => each).join("\n");
  assert.equal(createGuard(DELIMITER).code(text), text);
});
