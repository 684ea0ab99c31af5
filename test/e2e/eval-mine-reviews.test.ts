/** `kodiai eval mine --github` as a user calls it: comments of reviewers on a fake GitHub, and their commits in a clone. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { type FakeGithub, startFakeGithub } from "../../fake-github/fake-github.ts";
import { gitText } from "../../fake-github/git.ts";
import { readEvaluationSet } from "../../src/evaluation/set/read-evaluation-set.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import { testRepository } from "../support/test-repository.ts";

const text = (...lines: readonly string[]): string => `${lines.join("\n")}\n`;

const SUM = [
  "export function sum(items) {",
  "  let total = 0;",
  "  for (let i = 0; i <= items.length; i++) total += items[i].price;",
  "  return total;",
  "}",
];
const PATH = "src/sum.ts";

/** The lines of `SUM` with some of them replaced. */
const sum = (changed: Readonly<Record<number, string>>): string =>
  text(...SUM.map((line, index) => changed[index + 1] ?? line));

const FIRST_FIX = {
  1: "export function sum(items: Item[]) {",
  3: "  for (const { price } of items) total += price;",
};

/** A reviewed pull request, one whose base branch changed the file too, one whose reviewed commit is gone, and one that wasn't merged. */
async function reviewedRepository(t: TestContext) {
  const fake = await startFakeGithub();
  const folder = testRepository();
  t.after(async () => {
    await fake.close();
    folder.remove();
  });
  const repository = await fake.createRepository({
    files: { [PATH]: text("export const sum = 0;"), "a.ts": "1\n" },
  });
  const clone = join(folder.path, "shop.git");
  const open = (title: string, files: Readonly<Record<string, string>>) =>
    fake.openPullRequest(repository, { title, files });
  const say = (pullRequest: Awaited<ReturnType<typeof open>>, author: string, ...comments: readonly Said[]) =>
    fake.review(pullRequest, { author, body: "", comments });

  const summed = await open("Sum the prices", { [PATH]: sum({}) });
  const first = summed.head;
  const { comments } = await say(
    summed,
    "ben",
    { path: PATH, line: 3, body: "This reads past the last item. Use `<`.\n\n```suggestion\n  x\n```" },
    { path: PATH, start_line: 1, line: 2, body: "The items have no type." },
    { path: PATH, line: 2, body: "Should this be rounded to cents?" },
    { path: PATH, line: 3, body: "nit: call it `index`." },
    { path: PATH, line: 1, side: "LEFT", body: "Who used this constant before?" },
  );
  for (const comment of comments.slice(0, 1))
    fake.reply(comment, { author: "carol", body: "I saw that as well." });
  await say(summed, "dependabot[bot]", { path: PATH, line: 3, body: "This loop reads past the end." });
  await say(summed, "ada", { path: PATH, line: 3, body: "I'm not sure about this loop." });
  const second = await fake.push(summed, { [PATH]: sum(FIRST_FIX) });
  await say(summed, "carol", { path: PATH, line: 4, body: "An empty list must be an error" });
  await fake.push(summed, { [PATH]: sum({ ...FIRST_FIX, 4: "  return total || fail();" }) });

  const mixed = await open("Change a", { "a.ts": "1\n2\n" });
  await say(mixed, "ben", { path: "a.ts", line: 1, body: "The first number is wrong." });
  await gitText(folder.path, "clone", "--quiet", "--mirror", repository.directory, clone);
  const rewritten = await open("Add b", { "b.ts": "1\n" });
  await say(rewritten, "ben", { path: "b.ts", line: 1, body: "This number is wrong as well." });
  await fake.push(rewritten, { "b.ts": "2\n" }, { isForced: true });
  await fake.commit(repository, { "a.ts": "0\n" });
  await fake.push(mixed, { "a.ts": "0\n2\n" }, { isForced: true });
  const rejected = await open("Add c", { "c.ts": "1\n" });
  await say(rejected, "ben", { path: "c.ts", line: 1, body: "This file isn't needed at all." });
  await fake.closePullRequest(rejected);
  for (const each of [summed, mixed, rewritten]) await fake.closePullRequest(each, { isMerged: true });
  await gitText(clone, "fetch", "--quiet", "origin");
  await addRevert(clone);
  return {
    fake,
    clone,
    cwd: folder.path,
    base: await gitText(clone, "merge-base", "main", first),
    first,
    second,
  };
}

type Said = {
  readonly path: string;
  readonly line: number;
  readonly start_line?: number;
  readonly side?: "LEFT";
  readonly body: string;
};

/** An answer in the history of the clone, which needs no GitHub. */
async function addRevert(clone: string): Promise<void> {
  let parent = "main";
  for (const message of [
    "Cache prices (#90)",
    'Revert "Cache prices (#90)" (#91)\n\nPrices of one customer are shown to another one.',
  ])
    parent = await gitText(clone, "commit-tree", "main^{tree}", "-p", parent, "-m", message);
  await gitText(clone, "update-ref", "refs/heads/main", parent);
}

type Mined = { readonly fake: FakeGithub; readonly clone: string; readonly cwd: string };

/** With arguments after those that are always needed. */
function mine(
  { fake, clone, cwd }: Mined,
  to: string,
  more: { readonly github?: string; readonly api?: string } = {},
) {
  const { github = "acme/shop", api = fake.url } = more;
  const args = ["--repository", clone, "--since", "2000-01-01", "--github", github, "--to", to];
  const env = { GITHUB_API_URL: api, GITHUB_TOKEN: fake.personalToken("ada") };
  return runKodiai(["eval", "mine", ...args], { cwd, env });
}

const ids = (folder: string): readonly string[] => readEvaluationSet(folder).cases.map(({ id }) => id);

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
  const { cases, problems, version } = readEvaluationSet(join(cwd, "mined"));
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

  // Without GitHub, what the history has is written, and the set says what is missing.
  const [again, gone, missing, misspelled] = await Promise.all([
    mine(scene, "mined"),
    mine(scene, "gone", { api: "http://127.0.0.1:9" }),
    mine(scene, "missing", { github: "acme/other" }),
    mine(scene, "misspelled", { github: "shop" }),
  ]);
  assert.deepEqual([again.code, gone.code, missing.code, misspelled.code], [0, 3, 3, 2]);
  assert.equal(readEvaluationSet(join(cwd, "mined")).version, version);
  assert.deepEqual([ids(join(cwd, "gone")), ids(join(cwd, "missing"))], [["pr-90"], ["pr-90"]]);
  assert.match(gone.stderr, /no answer from GitHub.*Check that this machine can reach GitHub/);
  assert.match(readFileSync(join(cwd, "gone/set.json"), "utf8"), /couldn't be read/);
  assert.match(missing.stderr, /GitHub answered 404.*Check the name of the repository/);
  assert.match(misspelled.stderr, /--github acme\/shop/);

  fake.faults.add({
    operation: "pulls/list-review-comments",
    skip: 2,
    fault: { kind: "primary-limit", resetInSeconds: 600 },
  });
  const limited = await mine(scene, "limited");
  assert.equal(limited.code, 3);
  assert.match(limited.stderr, /the comments of 1 of 3 pull requests are missing/);
  assert.match(limited.stderr, /Run the command again after \d{4}-/);
  assert.match(limited.stdout, /2 comments on lines of 2 merged pull requests/);
});
