/** `kodiai review` again after a fix, in every format for people and tools. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
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
  const review = async (format: string): Promise<string> =>
    (await runKodiai(["review", "--offline", "--format", format], { cwd: made.path })).stdout;

  const first = await review("terminal");
  assert.match(first, /^a\.py:2 {2}\(1\) leftover-debugger/m);
  assert.match(first, /^b\.py:2 {2}\(2\) leftover-debugger/m);
  assert.doesNotMatch(first, /Still open|^Resolved|^Read /m);

  made.write("a.py", "def run():\n    return 1\n");
  made.commit("one fix");
  const second = await review("terminal");
  // Nothing is new, so the open finding is shown in full, with its code.
  assert.match(second, /^b\.py:2 {2}\(2\) leftover-debugger[\s\S]*> 2 \+ │ {5}breakpoint\(\)/m);
  assert.match(
    second,
    /^Resolved ─+ 1\n\(1\) Debugger statement left in\n {4}a\.py: its rule ran again and no longer finds it$/m,
  );
  assert.doesNotMatch(second, /^Read /m);

  // Something is new: the open finding has two lines, and the last line says how to see more.
  made.write("c.py", MISTAKE);
  const third = await review("terminal");
  assert.match(third, /^c\.py:2 {2}\(3\) leftover-debugger/m);
  assert.match(third, /^Still open ─+ 1\n\(2\) Medium: Debugger statement left in\n {4}b\.py:2$/m);
  assert.match(
    third.replaceAll(/\s+/g, " "),
    /kodiai show 2\. To see all of them, run kodiai review --all\. $/,
  );
  const shown = await runKodiai(["show", "2"], { cwd: made.path });
  assert.equal(shown.code, 0, shown.stderr);
  assert.match(shown.stdout, /^b\.py:2 {2}\(2\) leftover-debugger[\s\S]*> 2 \+ │ {5}breakpoint\(\)/m);
  const unknown = await runKodiai(["show", "9"], { cwd: made.path });
  assert.deepEqual([unknown.code, unknown.stdout], [4, ""]);
  assert.match(unknown.stderr, /the last review has no finding \(9\)\n {2}It has \(1\), \(2\), \(3\)\./);
  rmSync(join(made.path, "c.py"));
  assert.match(await review("terminal"), /^Resolved ─+ 1\n\(3\)/m);

  const markdown = await review("markdown");
  assert.match(markdown, /^\*\*No new findings in 2 files \(.*\); 1 still open\*\*$/m);
  assert.match(markdown, /^### Still open \(1\)\n\n- \(2\) Medium: Debugger statement left in, `b\.py:2`$/m);
  assert.doesNotMatch(markdown, /Resolved/);

  const commands = await review("github");
  assert.match(
    commands,
    /^::warning file=b\.py,line=2,.*\n::notice title=Kodiai::No new findings.*; 1 still open/,
  );

  const { runs } = JSON.parse(await review("sarif")) as {
    runs: { results: { baselineState: string; ruleId: string }[] }[];
  };
  assert.deepEqual(
    runs.flatMap(({ results }) => results.map(({ baselineState, ruleId }) => [ruleId, baselineState])),
    [["leftover-debugger", "unchanged"]],
  );
});
