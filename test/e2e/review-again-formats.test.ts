/** `kodiai review` again after a fix, in every format for people and tools. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runKodiai } from "../support/run-kodiai.ts";
import { testRepository } from "../support/test-repository.ts";

const MISTAKE = "def run():\n    breakpoint()\n    return 1\n";

test("every format shows findings that are still open and what was read, and names a fixed one once", async (t) => {
  const made = testRepository();
  t.after(() => made.remove());
  made.write("app.py", "def run():\n    return 1\n");
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  made.write("a.py", MISTAKE);
  made.write("b.py", MISTAKE);
  made.commit("two mistakes");
  const head = made.git("rev-parse", "--short=7", "HEAD").trim();
  const review = async (format: string): Promise<string> =>
    (await runKodiai(["review", "--offline", "--format", format], { cwd: made.path })).stdout;

  const first = await review("terminal");
  assert.match(first, /^a\.py:2 {2}\(1\) leftover-debugger/m);
  assert.match(first, /^b\.py:2 {2}\(2\) leftover-debugger/m);
  assert.doesNotMatch(first, /Still open|^Resolved|^Read /m);

  made.write("a.py", "def run():\n    return 1\n");
  made.commit("one fix");
  const second = await review("terminal");
  assert.match(second, /^Still open ─+ 1\n\(2\) Must fix: Debugger statement left in, b\.py:2$/m);
  assert.match(second, /^Resolved ─+ 1\n\(1\) Debugger statement left in, a\.py: its code was changed$/m);
  assert.match(second, new RegExp(`^Read {8}1 of 2 files since ${head} \\(1 read before\\)$`, "m"));
  assert.doesNotMatch(second, /^b\.py:2 {2}/m);

  const fixed = made.git("rev-parse", "--short=7", "HEAD").trim();
  const markdown = await review("markdown");
  assert.match(
    markdown,
    new RegExp(`^\\*\\*Nothing new to review since \`?${fixed}\`?; 1 still open\\*\\*$`, "m"),
  );
  assert.match(
    markdown,
    /^### Still open \(1\)\n\n- \(2\) Must fix: Debugger statement left in, `b\.py:2`$/m,
  );
  assert.doesNotMatch(markdown, /Resolved/);

  const commands = await review("github");
  assert.match(
    commands,
    new RegExp(`^::notice title=Kodiai::Nothing new to review since ${fixed}; 1 still open`),
  );
  assert.doesNotMatch(commands, /^::(?:error|warning)/m);

  const { runs } = JSON.parse(await review("sarif")) as {
    runs: { results: { baselineState: string; ruleId: string }[] }[];
  };
  assert.deepEqual(
    runs.flatMap(({ results }) => results.map(({ baselineState, ruleId }) => [ruleId, baselineState])),
    [["leftover-debugger", "unchanged"]],
  );
});
