/** A run with a given token: events as a workflow gets them, and what is left when everything but the pull request is lost. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startFakeGithub } from "../fake-github/fake-github.ts";
import type { Webhook } from "../fake-github/payloads.ts";
import type { PullRequest } from "../fake-github/world.ts";
import { AFTER, BEFORE } from "./support/app/scenario.ts";
import { createChance } from "./support/chance.ts";
import { isAll } from "./support/extent.ts";
import { openTestOneShot, reviewOnce, WAITING } from "./support/one-shot-fixtures.ts";
import { ACTIONS_APP, WORKFLOW_PERMISSIONS } from "./support/token-fixtures.ts";

/** As a workflow gets it: no installation. */
function withoutInstallation({ event, payload }: Webhook) {
  const { installation: _, ...body } = payload;
  return { id: crypto.randomUUID(), event, body: JSON.stringify(body) };
}

test("events of a workflow run what webhooks run, until nothing is queued", async (t) => {
  const fake = await startFakeGithub(ACTIONS_APP);
  t.after(() => fake.close());
  const repository = await fake.createRepository({ files: BEFORE });
  const pullRequest = await fake.openPullRequest(repository, { files: AFTER, author: "ada" });
  const token = fake.appToken({ ...WORKFLOW_PERMISSIONS, issues: "write" });
  const deliver = async (webhook: Webhook) => {
    const oneShot = await openTestOneShot(fake, token);
    try {
      const { skipped, results } = await oneShot.deliver(withoutInstallation(webhook), WAITING);
      return {
        skipped,
        ends: results
          .filter(({ job }) => job.kind !== "learn")
          .map(({ job, publication }) => [
            job.kind,
            job.state,
            job.reason,
            publication?.findings.length ?? null,
          ]),
      };
    } finally {
      await oneShot.close();
    }
  };
  const opened = await deliver(await fake.events.pullRequest("opened", pullRequest));
  assert.deepEqual(opened, { skipped: null, ends: [["review-pull-request", "done", "published", 2]] });
  // A push is reviewed at once: the workflow decides about waiting.
  await fake.push(pullRequest, { ...AFTER, "src/users.test.ts": "// three\n" });
  const pushed = await deliver(await fake.events.pullRequest("synchronize", pullRequest));
  assert.deepEqual(pushed, { skipped: null, ends: [["review-pull-request", "done", "published", 0]] });
  const idle = fake.comment(pullRequest, { author: "ada", body: "Looks good." });
  assert.equal((await deliver(fake.events.comment(idle))).skipped, "skipped:no-command");
  const asked = fake.comment(pullRequest, { author: "ada", body: "@kodiai help" });
  const help = await deliver(fake.events.comment(asked));
  assert.deepEqual(
    help.ends.map(([kind, state]) => [kind, state]),
    [["mention", "done"]],
  );
  assert.match(fake.commentsOf(pullRequest).at(-1)?.body ?? "", /@kodiai/);
  assert.equal(
    (await deliver(await fake.events.pullRequest("labeled", pullRequest))).skipped,
    "skipped:unhandled-action",
  );
  assert.deepEqual(fake.violations, []);
});

/** Each defect is on a line of its own, which names it. */
function defect(name: string): readonly string[] {
  return [
    `export function by${name}(${name}: string) {`,
    `  return db.query(\`select * from t where ${name} = \${${name}}\`);`,
    "}",
  ];
}

type Branch = {
  readonly folder: string;
  readonly lead: number;
  readonly defects: readonly string[];
};

function textOf(lead: number, defects: readonly string[]): string {
  const fillers = Array.from({ length: lead }, (_, index) => `// line ${index}`);
  return ['import { db } from "./db";', ...fillers, ...defects.flatMap(defect), ""].join("\n");
}

/** In files of their own, they are findings of their own. In one file, they are one finding that names several lines. */
function filesOf({ folder, lead, defects }: Branch, isOneFile: boolean): Record<string, string> {
  if (isOneFile) return { [`${folder}/all.ts`]: textOf(lead, defects) };
  return Object.fromEntries(defects.map((name) => [`${folder}/${name}.ts`, textOf(lead, [name])]));
}

const PUSHES = ["add", "fix", "bring back", "shift", "rename", "rebase", "nothing"] as const;

/** Losses between two runs. The database is lost every time. */
const LOSSES = ["nothing", "summary", "state"] as const;

function linesOf(fake: Awaited<ReturnType<typeof startFakeGithub>>, pullRequest: PullRequest) {
  return fake
    .threadsOf(pullRequest)
    .then((threads) =>
      threads
        .filter(({ resolvedBy }) => resolvedBy === null)
        .map(
          ({ comments: [root] }) => /where (\w+) =/.exec(root.diffHunk.split("\n").at(-1) ?? "")?.[1] ?? "",
        ),
    );
}

const SEEDS = isAll ? 24 : 1;

for (let seed = 1; seed <= SEEDS; seed += 1) {
  test(`whatever is lost between pushes, no finding is said twice and none is hidden (seed ${seed})`, async (t) => {
    const chance = createChance(seed);
    const fake = await startFakeGithub(ACTIONS_APP);
    t.after(() => fake.close());
    const summary = chance.of(["always", "findings", "off"]) ?? "always";
    const repository = await fake.createRepository({
      files: { "src/a.ts": "export {};\n", ".kodiai.yml": `review:\n  summary: ${summary}\n` },
    });
    const token = fake.appToken({ ...WORKFLOW_PERMISSIONS, contents: "write" });
    let names = 0;
    const fresh = (): string => `column${++names}`;
    const isOneFile = chance.below(3) === 0;
    let branch: Branch = { folder: "src/b", lead: 0, defects: [fresh(), fresh(), fresh()] };
    const fixed: string[] = [];
    let [said, added] = [0, branch.defects.length];
    let isRenamed = false;
    let files = filesOf(branch, isOneFile);
    const pullRequest = await fake.openPullRequest(repository, { files });
    const history: string[] = [`summary ${summary}, ${isOneFile ? "one file" : "many files"}`];
    for (let push = 0; push < (isAll ? 6 : 4); push += 1) {
      const { publication, job } = await reviewOnce(fake, token, pullRequest);
      const at = history.join(", ");
      assert.deepEqual([job.state, job.reason], ["done", "published"], at);
      const open = await linesOf(fake, pullRequest);
      assert.equal(open.length, new Set(open).size, `said twice: ${open.join(" ")} after ${at}`);
      assert.ok(open.length <= said + added, `${open.length} open comments after ${at}`);
      said = open.length;
      added = 0;
      const shown = [
        ...(publication?.findings ?? []),
        ...(publication?.stillOpen ?? []).map(({ judged }) => judged),
      ];
      const lines = shown.flatMap(({ others = [] }) => [null, ...others]).length;
      assert.equal(lines, branch.defects.length, `hidden after ${at}`);
      const summaries = fake.commentsOf(pullRequest).filter(({ body }) => body.includes("kodiai:summary"));
      assert.ok(summaries.length <= 1, at);

      const kind = chance.of(PUSHES) ?? "nothing";
      const [victim] = branch.defects;
      const back = fixed.at(-1);
      if (kind === "add") {
        branch = { ...branch, defects: [...branch.defects, fresh()] };
        added = 1;
      }
      if (kind === "fix" && victim !== undefined) {
        branch = { ...branch, defects: branch.defects.slice(1) };
        fixed.push(victim);
      }
      if (kind === "bring back" && back !== undefined) {
        branch = { ...branch, defects: [...branch.defects, back] };
        fixed.pop();
        added = 1;
      }
      if (kind === "shift") branch = { ...branch, lead: branch.lead + 3 };
      if (kind === "rename") branch = { ...branch, folder: `src/renamed${push}` };
      if (kind === "rebase") await fake.commit(repository, { [`src/other${push}.ts`]: "export {};\n" });
      if (kind !== "nothing") {
        const isForced = kind === "rebase";
        const next = filesOf(branch, isOneFile);
        // A forced push begins at the base, which has none of them.
        const gone = isForced ? [] : Object.keys(files).filter((path) => !(path in next));
        const removed = Object.fromEntries(gone.map((path) => [path, null]));
        await fake.push(pullRequest, { ...removed, ...next }, { isForced });
        files = next;
      }
      isRenamed ||= kind === "rename";
      // The path of an added file is part of the identity of its findings, so only the state knows those of a renamed one.
      const loss = isRenamed ? "nothing" : (chance.of(LOSSES) ?? "nothing");
      for (const comment of fake.commentsOf(pullRequest)) {
        if (loss === "summary") fake.deleteComment(comment);
        if (loss === "state") fake.editComment(comment, comment.body.replace(/<!-- kodiai:summary.*-->/, ""));
      }
      history.push(`${kind} (lost: ${loss})`);
    }
    assert.deepEqual(fake.violations, []);
  });
}
