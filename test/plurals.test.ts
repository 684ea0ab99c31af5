/** No text says "1 files": `count` of src/base/count.ts writes every number that can be one, together with its noun. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

const project = dirname(import.meta.dirname);

const NOUNS =
  "files|lines|findings|errors|warnings|rows|tables|rules|comments|folders|problems|times|places|jobs|turns|repositories|characters|heads|runs|parts|commits";
/** A value and a noun in the plural, unless the value is one of our limits. */
const UNCOUNTED = new RegExp(
  String.raw`\$\{(?![^}]*\b(?:MAX|MIN)_)[^}]*\} (?:more |new |changed )?(?:${NOUNS})\b`,
);
/** The number is known to be greater, or one was asked for before. */
const IS_KNOWN = /(?:=== 1|> 1) \?|untrackedTotal|shape\.max|parameterCount/;

/** Texts for models are exempt. */
const FOR_MODELS = /^src\/(?:tools|review\/prompt)\//;

test("no text for people puts a number before a plural by hand", () => {
  const found = globSync("src/**/*.ts", { cwd: project })
    .filter((path) => !path.endsWith(".test.ts") && !FOR_MODELS.test(path))
    .flatMap((path) =>
      readFileSync(join(project, path), "utf8")
        .split("\n")
        .filter((line) => UNCOUNTED.test(line) && !IS_KNOWN.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
  assert.deepEqual(found, []);
});
