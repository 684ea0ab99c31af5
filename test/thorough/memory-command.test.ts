/** `kodiai memory` in its variations: narrowed lists, replays, export and import, proposals, wrong input, and no database. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openStore } from "../../src/store/store.ts";
import { openMemory, SQLITE } from "../support/memory-command-fixtures.ts";
import { ENGINES } from "../support/queue-contract/engines.ts";
import { runKodiai } from "../support/run-kodiai.ts";

const COMMANDS = ["list", "show", "add", "edit", "forget", "export", "import", "propose", "replay"];

test("nothing is forgotten if one of the items doesn't exist", async (t) => {
  const { read, run } = await openMemory(t, SQLITE);
  const { code, stderr } = await run("forget", "l1", "m1", "m99");
  assert.deepEqual([code, /there is no memory m99/.test(stderr)], [2, true], stderr);
  await read("show", "l1");
  await read("show", "m1");
});

test("learnings are proposed in a file, which keeps the team's own entries", async (t) => {
  const { cwd, read, run } = await openMemory(t, SQLITE);
  execFileSync("git", ["init", "--quiet"], { cwd });
  const file = join(cwd, ".kodiai", "learnings.yml");
  mkdirSync(join(cwd, ".kodiai"));
  writeFileSync(file, "# ours\nlearnings:\n  # keep\n  - text: Our own. # really\n");
  await read("propose", "--repo", "acme/app");
  const text = readFileSync(file, "utf8");
  assert.match(
    text,
    /^# ours\nlearnings:\n {2}# keep\n {2}- text: Our own\. # really\n {2}- text: Errors are returned/,
  );
  assert.match(text, /owner: ann\n {4}expires: 20\d\d-\d\d-\d\d\n/);
  assert.doesNotMatch(text, /Modules export names/, "below the confidence");
  assert.match((await run("propose", "--repo", "acme/app")).stderr, /there are no new learnings/);
  assert.equal(readFileSync(file, "utf8"), text);
  await read("propose", "--repo", "acme/app", "--min-confidence", "0.3", "--output", "other.yml");
  assert.match(readFileSync(join(cwd, "other.yml"), "utf8"), /Modules export names[\s\S]*- src\/\*\*/);
  writeFileSync(file, "learnings: 3\n");
  const refused = await run("propose", "--repo", "acme/app");
  assert.deepEqual([refused.code, readFileSync(file, "utf8")], [2, "learnings: 3\n"], refused.stderr);
});

for (const engine of ENGINES) {
  test(`${engine.name}: an export is imported elsewhere, and forgetting the repository leaves no row`, async (t) => {
    const here = await openMemory(t, engine);
    const there = await openMemory(t, engine, { isEmpty: true });
    const exported = await here.read("export");
    await here.read("export", "--repo", "acme/app", "--output", "memory.jsonl");
    const file = join(here.cwd, "memory.jsonl");
    const withoutHeader = (text: string): string => text.slice(text.indexOf("\n"));
    assert.equal(withoutHeader(readFileSync(file, "utf8")), withoutHeader(exported));
    assert.match(
      await there.read("import", file),
      /^imported 2 memories, 3 learnings, 1 suppression, 5 signals of feedback; 0 rows unchanged$/m,
    );
    assert.match(await there.read("import", file), /^imported 0 .*; 13 rows unchanged$/m);
    assert.equal(withoutHeader(await there.read("export")), withoutHeader(exported));
    const refused = await here.run("forget", "--repository", "acme/app");
    assert.deepEqual([refused.code, /requires --yes/.test(refused.stderr)], [2, true], refused.stderr);
    assert.equal(
      await here.read("forget", "--repository", "acme/app", "--yes"),
      "acme/app: deleted 2 memories, 3 learnings, 1 suppression, 5 signals of feedback\n",
    );
    assert.equal(await here.read("list"), "Nothing is remembered yet.\n");
    const store = await openStore(here.url);
    const tables = [
      "memory_repositories",
      "memories",
      "memory_terms",
      "memory_term_counts",
      "vectors",
      "vector_places",
      "learnings",
      "suppressions",
      "feedback",
      "feedback_polls",
      "forgotten",
    ];
    for (const table of tables) {
      const [row] = await store.database.query<{ rows: number }>(`select count(*) as rows from ${table}`);
      assert.equal(row?.rows, 0, table);
    }
    await store.close();
    await here.read("import", file);
    assert.equal(withoutHeader(await here.read("export")), withoutHeader(exported), "it can be restored");
  });
}

test("a forgotten item stays forgotten when an old export is imported", async (t) => {
  const { cwd, read } = await openMemory(t, SQLITE);
  await read("export", "--output", "old.jsonl");
  await read("forget", "m1", "l1");
  await read("import", join(cwd, "old.jsonl"));
  const list = await read("list");
  assert.doesNotMatch(list, /Promise is not awaited|doesn't want docstrings/);
  assert.match(list, /Missing docstring/);
});

test("wrong input gets an error with what to do", async (t) => {
  const { cwd, run } = await openMemory(t, SQLITE);
  const good = (await run("export")).stdout;
  writeFileSync(join(cwd, "broken.jsonl"), good.replace(/^(.*\n.*\n)./, "$1!"));
  writeFileSync(join(cwd, "newer.jsonl"), good.replace('"format":1', '"format":2'));
  const cases: readonly (readonly [args: readonly string[], error: RegExp])[] = [
    [
      ["show", "12"],
      /the ID 12 has no letter: m12 is a memory, l12 a learning, s12 a suppression\n.*memory list/,
    ],
    [["show", "x1"], /"x1" isn't an ID\n/],
    [["show", "m99"], /there is no memory m99\n/],
    [["show", "l\u001b[31m"], /"l\\x1b\[31m" isn't an ID/],
    [["list", "--repo", "acme/ap"], /hasn't reviewed acme\/ap; did you mean acme\/app\?/],
    [["list", "--repo", "acme"], /--repo must be OWNER\/NAME/],
    [["list", "--kind", "learning"], /--kind must be one of .*did you mean learnings/],
    [["add", "text"], /requires --repo/],
    [["add", "--repo", "acme/app", " "], /can't be empty/],
    [["add", "--repo", "acme/app", "x".repeat(501)], /501 characters; a learning has at most 500/],
    [["add", "--repo", "acme/app", "x", "--path", "{1..9}"], /isn't a usable glob/],
    [["add", "--repo", "acme/app", "x", "--expires", "2027-02-30"], /--expires must be a day/],
    [["add", "--repo", "acme/app", "x", "--expires", "2020-01-01"], /must be in the future/],
    [["edit", "l1"], /at least one option/],
    [["edit", "s1", "--text", "x"], /only learnings can be edited/],
    [["edit", "l1", "--confidence", "2"], /--confidence must be a number from 0 to 1/],
    [["edit", "l1", "--owner", "ann", "--clear", "owner"], /--owner is set and cleared/],
    [["forget"], /requires either IDs or --repository/],
    [["forget", "l1", "--repository", "acme/app"], /requires either IDs or --repository/],
    [["replay", "m1"], /hides no findings/],
    [["import", "broken.jsonl"], /line 3 isn't JSON/],
    [["import", "newer.jsonl"], /format 2, and this program reads 1/],
    [["import", "none.jsonl"], /none\.jsonl does not exist/],
    [["lst"], /unknown command "memory lst"; did you mean "memory list"\?/],
  ];
  for (const [args, error] of cases) {
    const { code, stdout, stderr } = await run(...args);
    assert.deepEqual([code, stdout], [2, ""], args.join(" "));
    assert.match(stderr, error);
  }
});

test("without a database each command says so and creates none, except for an import; each has a help with examples", async (t) => {
  const { cwd, read } = await openMemory(t, SQLITE);
  const env = { DATABASE_URL: "sqlite:./none.db" };
  const missing = await runKodiai(["memory", "list"], { cwd, env });
  assert.deepEqual([missing.code, missing.stdout], [2, ""]);
  assert.match(missing.stderr, /none\.db/);
  await read("export", "--output", "all.jsonl");
  const imported = await runKodiai(["memory", "import", "all.jsonl"], { cwd, env });
  assert.equal(imported.code, 0, imported.stderr);
  assert.match(imported.stdout, /^imported [1-9]\d* memories/);
  for (const command of COMMANDS) {
    const { code, stdout } = await runKodiai(["memory", command, "--help"], { cwd });
    assert.equal(code, 0);
    assert.match(stdout, new RegExp(`kodiai memory ${command}[\\s\\S]*Examples:`), command);
  }
});

test("a replay shows what would have been hidden, accepted findings first", async (t) => {
  const { read } = await openMemory(t, SQLITE);
  const replay = await read("replay", "s1");
  assert.match(replay, /^WARNING: s1 would have hidden 1 finding that people accepted\.\n/);
  assert.match(
    replay,
    /^s1 would have hidden 3 of 5 past findings: 1 accepted, 2 dismissed\.\nOUTCOME.*\naccepted /m,
  );
  assert.match(
    replay,
    /1 finding of the same pattern would still be reported: critical[\s\S]*open +critical/,
  );
  assert.match(await read("replay", "l1"), /^l1 would have hidden 3 of 5/m);
  assert.match(
    await read("replay", "l2"),
    /^l2 hides nothing.* 4 findings of 5 past findings are in its scope\.$/m,
  );
  const json = JSON.parse(await read("replay", "s1", "--json")) as {
    findings: readonly { outcome: string }[];
  };
  assert.equal(json.findings[0]?.outcome, "accepted");
});

test("a list is narrowed to a repository, a kind and a number, and details of each kind are shown", async (t) => {
  const { read } = await openMemory(t, SQLITE);
  assert.match(await read("list", "--repo", "ACME/app", "--kind", "feedback"), /eve +no \(no-write-access\)/);
  const { repositories } = JSON.parse(await read("list", "--json", "--limit", "1")) as {
    repositories: readonly { listed: { memories: readonly { title: string }[] } }[];
  };
  assert.deepEqual(
    repositories[0]?.listed.memories.map(({ title }) => title),
    ["Promise is not awaited"],
  );
  assert.match(await read("show", "s1"), /eve +no: has no write access/);
  assert.match(await read("show", "l3"), /^provenance +https:\/\/example\.com\/adr$/m);
  assert.equal((JSON.parse(await read("show", "l1", "--json")) as { kind: string }).kind, "learning");
});
