/** A fake GitHub whose reviewers commented on pull requests, a clone of it, and the command that mines both. */
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type FakeGithub, startFakeGithub } from "../../fake-github/fake-github.ts";
import { gitText } from "../../fake-github/git.ts";
import { runKodiai } from "./run-kodiai.ts";
import { testRepository } from "./test-repository.ts";

const text = (...lines: readonly string[]): string => `${lines.join("\n")}\n`;

const SUM = [
  "export function sum(items) {",
  "  let total = 0;",
  "  for (let i = 0; i <= items.length; i++) total += items[i].price;",
  "  return total;",
  "}",
];

export const PATH = "src/sum.ts";

/** The lines of `SUM` with some of them replaced. */
const sum = (changed: Readonly<Record<number, string>>): string =>
  text(...SUM.map((line, index) => changed[index + 1] ?? line));

const FIRST_FIX = {
  1: "export function sum(items: Item[]) {",
  3: "  for (const { price } of items) total += price;",
};

/** A reviewed pull request, one whose base branch changed the file too, one whose reviewed commit is gone, and one that wasn't merged. */
export async function reviewedRepository(t: TestContext) {
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
export function mine(
  { fake, clone, cwd }: Mined,
  to: string,
  more: { readonly github?: string; readonly api?: string } = {},
) {
  const { github = "acme/shop", api = fake.url } = more;
  const args = ["--repository", clone, "--since", "2000-01-01", "--github", github, "--to", to];
  const env = { GITHUB_API_URL: api, GITHUB_TOKEN: fake.personalToken("ada") };
  return runKodiai(["eval", "mine", ...args], { cwd, env });
}
