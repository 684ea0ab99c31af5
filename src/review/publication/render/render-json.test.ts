import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { CATEGORIES, SEVERITIES } from "../../../base/severity.ts";
import { openFinding, priorFinding, settledOf, threadAt } from "../../../../test/support/prior-fixtures.ts";
import {
  againPublication,
  incompletePublication,
  sampleAnchor,
  sampleChange,
  sampleFile,
  sampleFinding,
  sampleJudged,
  samplePublication,
  SAMPLE_MODEL,
  SAMPLE_PUBLICATIONS,
  SINCE,
} from "../../../../test/support/sample-publication.ts";
import type { Publication } from "../publication.ts";
import { renderJson } from "./render-json.ts";

type Schema = { [key: string]: unknown };
const ROOT = join(import.meta.dirname, "../../../..");
// The file is an object by the test below, which would not compile it otherwise.
const SCHEMA = JSON.parse(readFileSync(join(ROOT, "schema/review-output.schema.json"), "utf8")) as Schema;

/** The published schema allows fields of later versions; here every field must be described. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return copy["type"] === "object" ? { ...copy, additionalProperties: false } : copy;
}

const validate = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }).compile(
  closed(SCHEMA) as Schema,
);

function parse(publication: Publication): { [key: string]: unknown } {
  const value: unknown = JSON.parse(renderJson(publication));
  assert.ok(validate(value), JSON.stringify(validate.errors, null, 2));
  // Valid by the schema, so it is an object.
  return value as { [key: string]: unknown };
}

for (const [name, compose] of Object.entries(SAMPLE_PUBLICATIONS)) {
  test(`json: ${name} is as the schema says`, () => {
    const publication = compose();
    const value = parse(publication);
    assert.equal(value["version"], 1);
    assert.deepEqual(value["verdict"], publication.verdict);
    assert.equal((value["findings"] as unknown[]).length, publication.findings.length);
    assert.equal((value["dropped"] as unknown[]).length, publication.dropped.length);
    assert.equal(
      (value["stillOpen"] as unknown[]).length,
      publication.stillOpen.length + publication.answered.length,
    );
    assert.equal((value["resolved"] as unknown[]).length, publication.resolved.length);
  });
}

test("json: the schema refuses what is not documented", () => {
  const value = parse(samplePublication());
  assert.ok(!validate({ ...value, surprise: 1 }));
  assert.ok(!validate({ ...value, version: 2 }));
  assert.ok(!validate({ ...value, findings: undefined }));
});

test("json: the schema knows the program's severities and categories", () => {
  const definitions = SCHEMA["$defs"] as { severity: { enum: unknown }; category: { enum: unknown } };
  assert.deepEqual(definitions.severity.enum, [...SEVERITIES]);
  assert.deepEqual(definitions.category.enum, [...CATEGORIES]);
});

test("json: placed, removed and unplaced findings", () => {
  const findings = parse(samplePublication())["findings"] as { [key: string]: unknown }[];
  const byTitle = (title: string) => findings.find((finding) => finding["title"] === title);
  const pick = (title: string) => {
    const found = byTitle(title);
    return ["side", "startLine", "endLine", "headLine", "placement"].map((key) => found?.[key]);
  };
  assert.deepEqual(pick("SQL is built from a string"), ["new", 13, 13, 13, "inline"]);
  assert.deepEqual(pick("A test was removed"), ["old", 11, 11, 11, "inline"]);
  assert.deepEqual(pick("The retry never ends"), ["new", null, null, null, "summary"]);
  assert.deepEqual(pick("The timeout is a bare number"), ["new", 11, 11, 11, "details"]);
  assert.equal(
    byTitle("SQL is built from a string")?.["suggestion"],
    '  return client.query("SELECT * FROM users WHERE name = $1", [name]);',
  );
  assert.equal(byTitle("A test was removed")?.["advice"], "Bring the test back.");
  assert.ok(!("rule" in (byTitle("The retry never ends") ?? {})));
});

test("json: the model's summary, and lines that only rules have read", () => {
  const { overview, receipt } = parse(SAMPLE_PUBLICATIONS["parts"]?.() ?? assert.fail());
  assert.deepEqual(overview, [
    {
      pass: "part 1 of 3",
      text: "Finds users by name and adds a timeout to the pool. Callers of `findUser` couldn't be checked.",
    },
  ]);
  const { files } = receipt as { files: readonly { path: string; readBy?: string }[] };
  assert.deepEqual(
    files.filter(({ readBy }) => readBy !== undefined),
    [
      {
        path: "src/session.ts",
        status: "omitted",
        reason: "failed:model",
        readBy: "rules",
        lines: 1,
        hunks: { unread: 1, total: 2 },
      },
    ],
  );
  assert.deepEqual(parse(samplePublication())["overview"], []);
});

test("json: findings of earlier reviews as this review judges them, with their numbers, states and threads", () => {
  const url = "https://github.example/acme/shop/pull/7#discussion_r1";
  const unplaced = { rule: null, source: "model", side: null, startLine: null, endLine: null };
  const settled = settledOf(
    [
      openFinding({ number: 2, thread: threadAt(url) }, "contested"),
      { ...openFinding({ number: 4, ...unplaced }), carriedAs: "unchanged" },
    ],
    [{ prior: priorFinding({ number: 1 }), state: "verified", because: "its rule ran again" }],
    [{ prior: priorFinding({ number: 3 }), state: "ignored", because: "a demo" }],
  );
  const value = parse(againPublication({ settled }));
  const open = value["stillOpen"] as readonly Readonly<Record<string, unknown>>[];
  const keys = ["number", "title", "severity", "path", "startLine", "state", "checked", "threadUrl"];
  assert.deepEqual(
    open.map((each) => keys.map((key) => each[key])),
    [
      [2, "Reported before", "major", "src/db/users.ts", 13, "contested", "found", url],
      [4, "Reported before", "major", "src/db/users.ts", null, "open", "unchanged", null],
    ],
  );
  // They have all that a new finding has.
  const [found = {}] = value["findings"] as readonly Readonly<Record<string, unknown>>[];
  for (const each of open)
    assert.deepEqual(
      Object.keys(found).filter((key) => !(key in each) && !["rule", "suggestion"].includes(key)),
      [],
    );
  assert.equal(found["number"], 6);
  const ended = { id: "id-prior", title: "Reported before", severity: "major", category: "correctness" };
  const byRule = {
    ...ended,
    source: "floor",
    rule: "sql-from-strings",
    threadUrl: null,
    path: "src/db/users.ts",
  };
  assert.deepEqual(value["hidden"], [{ ...byRule, number: 3, state: "ignored", because: "a demo" }]);
  assert.deepEqual(value["resolved"], [
    { ...byRule, number: 1, state: "verified", because: "its rule ran again" },
  ]);
});

test("json: gaps in what was checked, without the rules that they concern", () => {
  const { gaps, coverage } = parse(incompletePublication())["receipt"] as Readonly<Record<string, unknown>>;
  assert.deepEqual(gaps, [
    {
      check: "ruff",
      reason: "not-installed",
      detail: "not installed; to install it, run npm install @example/ruff",
      paths: ["tools/build.py", "tools/deploy.py"],
    },
    { check: "advisories", reason: "off", detail: "look-ups are turned off", paths: null },
  ]);
  assert.equal((coverage as { isComplete: boolean }).isComplete, false);
});

test("json: the scope and the receipt tell lines that were read now from those read before", () => {
  const { scope, receipt } = parse(againPublication()) as {
    scope: unknown;
    receipt: { files: { path: string; status: string }[]; coverage: { [key: string]: unknown } };
  };
  assert.deepEqual(scope, { full: null, since: SINCE });
  const carried = { by: SAMPLE_MODEL, head: SINCE };
  assert.deepEqual(receipt.files.slice(0, 3), [
    { path: "src/db/users.ts", status: "reviewed", lines: 3 },
    { path: "src/session.ts", status: "carried", carried, lines: 3 },
    { path: "test/login.test.ts", status: "carried", carried, lines: 0 },
  ]);
  assert.equal(receipt.coverage["reviewedLines"], 3);
  assert.equal(receipt.coverage["carriedLines"], 3);
  assert.deepEqual(parse(samplePublication())["scope"], { full: "first", since: null });
});

test("json: a finding that is back after it was resolved has its old number", () => {
  const reopens = priorFinding({ number: 3, state: "verified" });
  const judged = [sampleJudged(sampleFinding(), sampleAnchor(), { reopens })];
  const [found] = parse(againPublication({ judged }))["findings"] as { number: number; isBack?: true }[];
  assert.deepEqual([found?.number, found?.isBack], [3, true]);
});

test("json: undecodable bytes become text; unseen characters are escaped but unchanged", () => {
  const path = "caf\udce9.ts";
  const body = "a\u202eb\u009b\u{e0041}\u2028c";
  const finding = sampleFinding({ path, body });
  const publication = samplePublication({
    change: sampleChange([sampleFile(path, ["+x"])]),
    judged: [sampleJudged(finding, sampleAnchor({ path, startLine: 10, endLine: 10, lines: ["x"] }))],
  });
  const text = renderJson(publication);
  assert.doesNotMatch(text, /[\u007f-\u009f\u2028\u202e\ud800-\udfff]/u);
  const [parsed] = parse(publication)["findings"] as { path: string; body: string }[];
  assert.equal(parsed?.path, "caf\\xe9.ts");
  assert.equal(parsed?.body, body);
});

test("json: every field of the schema is described in docs/json-output.md", () => {
  const docs = readFileSync(join(ROOT, "docs/json-output.md"), "utf8");
  const names = new Set<string>();
  const collect = (schema: unknown): void => {
    if (typeof schema !== "object" || schema === null) return;
    for (const [key, value] of Object.entries(schema)) {
      if (key === "properties") for (const name of Object.keys(value as Schema)) names.add(name);
      collect(value);
    }
  };
  collect(SCHEMA);
  assert.ok(names.size > 60);
  const missing = [...names].filter((name) => !new RegExp(`(?:[\`.]${name}\`|^## ${name}$)`, "m").test(docs));
  assert.deepEqual(missing, []);
});
