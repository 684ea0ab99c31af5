/** `kodiai eval mine --github` as a user calls it: comments of reviewers on a fake GitHub, and their commits in a clone. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { readEvaluationSet } from "../../src/evaluation/set/read-evaluation-set.ts";
import { PATH, reviewedRepository, mine } from "../support/reviewed-repository.ts";

test("eval mine --github takes the comments of reviewers whose lines were changed before the merge", async (t) => {
  const scene = await reviewedRepository(t);
  const { fake, cwd, base, first, second } = scene;
  const { code, stdout, stderr } = await mine(scene, "mined");
  assert.equal(code, 0, stderr);
  assert.match(
    stdout,
    /10 comments on lines of 3 merged pull requests on GitHub, 3 followed by a change of the lines\. Left out: 1 without a change of their lines; 2 by authors and bots; 1 for being a nit or too short; 1 on removed lines .*; 1 on commits that aren't in the repository; 1 in files that the base branch changed too/,
  );
  assert.match(stderr, /of 1 comment aren't .*git fetch origin 'refs\/pull/);
  const { cases, problems } = readEvaluationSet(join(cwd, "mined"));
  assert.deepEqual(problems, []);
  const answersOf = (id: string) => cases.find((each) => each.id === id);
  const idOf = (commit: string): string => `pr-1-at-${commit.slice(0, 12)}`;
  assert.deepEqual(new Set(cases.map(({ id }) => id)), new Set(["pr-90", idOf(first), idOf(second)]));
  const reviewed = answersOf(idOf(first));
  assert.deepEqual(reviewed?.code, { kind: "commits", repository: "shop", base, head: first });
  assert.deepEqual([reviewed?.title, reviewed?.language], ["Sum the prices", "TypeScript"]);
  const seen = [reviewed, answersOf(idOf(second))].flatMap((each) => each?.answers ?? []);
  assert.deepEqual(
    seen.map(({ path, lines, sentence, severity }) => [path, lines, sentence, severity]),
    [
      [PATH, [3, 3], "This reads past the last item.", null],
      [PATH, [1, 2], "The items have no type.", null],
      [PATH, [4, 4], "An empty list must be an error", null],
    ],
  );
  assert.deepEqual(fake.violations, []);
  assert.ok(fake.calls.every(({ method }) => method === "GET"));
});
