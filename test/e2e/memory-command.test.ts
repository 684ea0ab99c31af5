/** `kodiai memory` as an operator runs it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openMemory, SQLITE } from "../support/memory-command-fixtures.ts";

test("memories, learnings and suppressions are listed by repository and shown in detail", async (t) => {
  const { read } = await openMemory(t, SQLITE);
  const list = await read("list");
  assert.match(list, /^acme\/app \(private\): 3 learnings, 1 suppression, 2 memories, 5 signals$/m);
  assert.match(list, /^ {2}l3 .*0\.9 .*person .*ann .*Errors are returned/m);
  assert.match(list, /^ {2}s1 +in force .*3 thumbs-down by 3 people on 2 pull requests +Missing docstring$/m);
  assert.match(list, /^ {2}m1 +accepted +major +#1 /m);
  assert.match(await read("show", "m2"), /thumbs-down +cal[\s\S]*EVENTS[\s\S]*feedback:thumbs-down +cal/);
});

test("a learning is added, edited and forgotten", async (t) => {
  const { read, run } = await openMemory(t, SQLITE);
  const token = `ghp_${"a1B2".repeat(9)}`;
  const id = (
    await read("add", "--repo", "acme/app", `Use\ttabs. ${token}`, "--path", "src/**", "--expires", "90d")
  ).trim();
  assert.match(id, /^l\d+$/);
  const shown = await read("show", id);
  assert.match(shown, /^learning +l\d+: Use tabs\. \[masked\]$/m);
  assert.match(shown, /^applies to +src\/\*\*$/m);
  assert.doesNotMatch(shown, /^expires +never$/m);
  assert.equal((await read("add", "--repo", "acme/app", `Use tabs. ${token}`)).trim(), id, "the same text");
  await read(
    "edit",
    id,
    "--text",
    "Use spaces.",
    "--kind",
    "context",
    "--path",
    "*.py",
    "--clear",
    "expires",
  );
  assert.match(await read("show", id), /Use spaces\.[\s\S]*kind +context[\s\S]*\*\.py[\s\S]*expires +never/);
  assert.equal(
    await read("forget", id, "l1", "s1"),
    `${id}: deleted\nl1: deleted\ns1: undone; earlier feedback on these findings doesn't count any more\n`,
  );
  assert.equal((await run("show", id)).code, 2);
  assert.match(await read("show", "s1"), /^state +undone$/m);
});
