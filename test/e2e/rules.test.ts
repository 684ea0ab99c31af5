/** `kodiai rules` from the outside. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { ALL_RULES } from "../../src/rules/all-rules.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import { testRepository } from "../support/test-repository.ts";

type JsonRule = {
  readonly id: string;
  readonly origin: string;
  readonly languages: readonly string[];
  readonly isOn: boolean;
  readonly severity: string;
  readonly severityHere: string;
  readonly setBy: string | null;
};

function configured(t: TestContext): string {
  const made = testRepository();
  t.after(() => made.remove());
  made.write(
    ".kodiai.yml",
    "floor:\n  rules:\n    empty-catch: off\n    bare-except: minor\nanalysers:\n  ruff:\n    ignore: [F821]\n",
  );
  made.commit("first");
  return made.path;
}

test("rules: every rule with its state in the repository", async (t) => {
  const cwd = configured(t);
  const { code, stdout } = await runKodiai(["rules", "--format", "json"], { cwd });
  assert.equal(code, 0);
  const listed: readonly JsonRule[] = JSON.parse(stdout).rules;
  const byId = new Map(listed.map((rule) => [rule.id, rule]));
  for (const { id } of ALL_RULES) assert.equal(byId.get(id)?.origin, "built-in", id);
  assert.ok(listed.some(({ id, origin }) => id === "ruff/F821" && origin === "ruff"));
  const shown = ["empty-catch", "bare-except", "secret-in-code", "ruff/F821"].map((id) => {
    const { isOn, severityHere, setBy } = byId.get(id) ?? {};
    return [id, isOn, severityHere === byId.get(id)?.severity, setBy];
  });
  assert.deepEqual(shown, [
    ["empty-catch", false, true, ".kodiai.yml"],
    ["bare-except", true, false, ".kodiai.yml"],
    ["secret-in-code", true, true, null],
    ["ruff/F821", false, true, ".kodiai.yml"],
  ]);
  assert.equal(byId.get("bare-except")?.severityHere, "minor");
});

test("rules: a language, an origin, and the other formats", async (t) => {
  const cwd = configured(t);
  const python: readonly JsonRule[] = JSON.parse(
    (await runKodiai(["rules", "py", "--format", "json"], { cwd })).stdout,
  ).rules;
  assert.ok(python.length > 5 && python.every(({ languages }) => languages.includes("python")));
  const { stdout, stderr } = await runKodiai(["rules", "--origin", "built-in"], { cwd });
  assert.match(stdout, /^Rule +Severity +State +Origin +Languages\n/);
  assert.match(stdout, /^empty-catch +\S+ +off \(\.kodiai\.yml\) +built-in +javascript, /m);
  assert.match(stdout, /^bare-except +minor +on \(changed from \S+ by \.kodiai\.yml\) +built-in +python$/m);
  assert.doesNotMatch(stdout, /^ruff\//m);
  assert.match(stderr, /^kodiai: \d+ rules, 1 of them off; /);
  const markdown = await runKodiai(["rules", "security", "--format", "markdown"], { cwd });
  assert.match(markdown.stdout, /^\| Rule \| Severity \| State \| Origin \| Languages \|\n\| --- \|/);
  assert.match(markdown.stdout, /^\| `secret-in-code` \| /m);
});

test("rules: one rule is explained with an example", async (t) => {
  const cwd = configured(t);
  const { stdout } = await runKodiai(["rules", "bare-except"], { cwd });
  for (const shown of [
    /^bare-except\n/,
    /Severity: minor/,
    /Origin: built-in/,
    /^ {2}> .*except/m,
    /-- reason/,
  ])
    assert.match(stdout, shown);
  assert.match((await runKodiai(["rules", "F821"], { cwd })).stdout, /^ruff\/F821\n/);
  const blind = await runKodiai(["rules", "path-from-input"], { cwd });
  assert.match(blind.stdout, /\n\nOne part of a request's address .* The rule can't know a route /);
});

test("rules: outside a repository, and words that name nothing", async (t) => {
  const cwd = mkdtempSync(join(tmpdir(), "kodiai-rules-"));
  t.after(() => rmSync(cwd, { recursive: true, force: true }));
  assert.match((await runKodiai(["rules", "empty-catch"], { cwd })).stdout, /State: on\n/);
  const unknown = await runKodiai(["rules", "emty-catch"], { cwd });
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /is named "emty-catch"; did you mean empty-catch\?/);
  const origin = await runKodiai(["rules", "--origin", "x"], { cwd });
  assert.equal(origin.code, 2);
  assert.match(origin.stderr, /--origin must be one of built-in, /);
});
