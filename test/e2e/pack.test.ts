/** `kodiai pack`, from commits to files: equal bytes everywhere, nothing secret, every file accounted for, and its budget. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PACK_REASONS } from "../../src/review/pack/context-pack.ts";
import { countO200kTokens } from "../../src/tokenizer/count-o200k-tokens.ts";
import { BASE, CHANGED, pack, reasonOf, repository, blockOf } from "../support/pack-fixtures.ts";

test("a pack has the change, its files and the code around it, and accounts for every file", async () => {
  const packed = await pack("whole");
  assert.equal(packed.code, 0, packed.stderr);
  assert.deepEqual(packed.report.warnings, []);
  const text = packed.files.get("pr-context.txt") ?? "";
  const headings = [...text.matchAll(/^# (.*)$/gm)].map(([, heading]) => heading);
  assert.deepEqual(
    headings.filter((heading) => heading !== "Guide"),
    ["Change", "Description", "Changed files", "Diff", "Full changed code", "Related code", "Omitted"],
  );
  assert.match(text, /^D src\/gone\.ts \+0 -1$/m);
  assert.match(text, /^## src\/cart\.ts$/m);
  assert.match(text, /^## src\/checkout\.ts \(dependent\)$/m);
  // The change leaves the signature of `total` as it was.
  assert.doesNotMatch(text, /; certain$/m);
  assert.match(text, /^## test\/cart\.test\.ts \(test\)$/m);
  const { tokens, counts } = packed.report;
  assert.equal(countO200kTokens(text), tokens.final);
  assert.equal(tokens.final + tokens.remaining, tokens.budget);
  assert.equal(
    (counts["included"] ?? 0) + (counts["reduced"] ?? 0) + (counts["omitted"] ?? 0),
    counts["candidates"],
  );
  const rows = (packed.files.get("pr-context.related.selection.tsv") ?? "").trimEnd().split("\n").slice(1);
  assert.equal(rows.length, counts["candidates"]);
  const atHead = new Set([...Object.keys(BASE), ...Object.keys(CHANGED)]);
  for (const path of ["src/gone.ts", ...Object.keys(CHANGED)]) atHead.delete(path);
  assert.deepEqual(new Set(rows.map((row) => row.split("\t")[1])), atHead);
  for (const { reason } of packed.report.omissions)
    assert.ok(
      PACK_REASONS.some((known) => known === reason),
      reason,
    );
  for (const [path, reason] of [
    ["docs/guide.md", "filtered:docs"],
    ["test/weather.test.ts", "filtered:tests-not-close"],
    ["src/cart.dat", "filtered:binary"],
    ["legacy/old.ts", "filtered:config-exclude"],
    [".env", "filtered:env"],
    ["package-lock.json", "filtered:lockfile"],
    ["keys/id_rsa", "filtered:secret"],
  ] as const)
    assert.equal(reasonOf(packed, path), reason, path);
  assert.match(packed.stdout, /^feature against main: [\d,]+ of 272,000 tokens\n/);
});

test("secrets, env files and lock files are in no artifact, not as files and not as hunks", async () => {
  const packed = await pack("secrets", ["--include-tests", "--include-docs"]);
  for (const [name, text] of packed.files) {
    const found = /.*(?:a1B2c3D4|zq8Xw2|real key|lockfileVersion).*/.exec(text)?.[0];
    assert.equal(found, undefined, name);
  }
  assert.ok((packed.report.counts["maskedSecrets"] ?? 0) >= 3);
  assert.match(packed.files.get("pr-context.txt") ?? "", /^M \.env \+1 -1 \(filtered:env\)$/m);
});

test("a file that uses a changed declaration says where, why and how sure it is; one that is like a changed file is close", async () => {
  const parts = "export function parts(items: number[], size: number) {\n  return items.length / size;\n}\n";
  const { path } = repository;
  repository.git("checkout", "--quiet", "-b", "signature", "main");
  repository.write("src/parts.ts", parts);
  repository.write(
    "far/use.ts",
    'import { parts } from "../src/parts.ts";\n\nexport const half = () => parts([1], 2);\n',
  );
  const driver =
    "export class Driver {\n  upsert() {}\n  vacuum() {}\n  sequence() {}\n  savepoint() {}\n}\n";
  repository.write("drivers/postgres.ts", driver);
  repository.write("engines/mysql.ts", driver.replace("Driver", "Engine"));
  repository.write("test/far.test.ts", 'import { half } from "../far/use.ts";\n\nhalf();\n');
  repository.commit("parts");
  repository.write("src/parts.ts", parts.replace("size: number", "size: number, rest: number"));
  repository.write("drivers/postgres.ts", `// Tuned.\n${driver}`);
  repository.commit("rest");
  const packed = await pack("signature", ["--commit", "signature"], { cwd: path });
  repository.git("checkout", "--quiet", "feature");
  assert.equal(packed.code, 0, packed.stderr);
  assert.deepEqual(packed.report.warnings, []);
  assert.match(
    blockOf(packed, "far/use.ts"),
    /^## far\/use\.ts \(dependent\)\n\n- line 3: uses `parts`, changed in src\/parts\.ts:1; certain\n\n```typescript\n1 import/,
  );
  assert.equal(likenessOf(packed, "engines/mysql.ts"), "1");
  assert.match(blockOf(packed, "engines/mysql.ts"), /upsert/);
});

function likenessOf({ files }: Awaited<ReturnType<typeof pack>>, path: string): string | undefined {
  const [head = "", ...rows] = (files.get("pr-context.related.selection.tsv") ?? "").split("\n");
  const row = rows.find((each) => each.includes(`\t${path}\t`));
  return row?.split("\t")[head.split("\t").indexOf("likeness")];
}
