/**
 * Write mode with the whole app: people ask for edits, an obedient model makes whatever it is made to make, and only what the rules allow
 * is pushed, once.
 */
import assert from "node:assert/strict";
import { suite } from "node:test";
import { fileAt, gitText, listBranches } from "../../fake-github/git.ts";
import { answersOn, isSummary, mention, mentionsEnded } from "../support/app/mentions.ts";
import { AFTER, type Scenario } from "../support/app/scenario.ts";
import { type ModelScene, testModels } from "../support/model-scenes/model-scene.ts";
import type { ScriptedCall } from "../support/model-server/script.ts";
import {
  EDIT,
  WRITE_CONFIG,
  commitAt,
  inOrder,
  isSeen,
  lastAnswer,
  ownPullRequests,
  writing,
} from "../support/app/write-mode.ts";

/** Nothing reached the repository. */
async function assertNothingWritten(scene: Scenario): Promise<void> {
  const { fake, repository, pullRequest } = scene;
  assert.deepEqual(
    fake.world.pushes.filter(({ refusedBecause }) => refusedBecause === null),
    [],
  );
  assert.deepEqual(ownPullRequests(scene), []);
  const branches = await listBranches(repository.directory);
  assert.deepEqual(
    branches.filter((name) => name.startsWith("kodiai/")),
    [],
  );
  assert.equal(
    pullRequest.head,
    await commitAt(repository.directory, `refs/pull/${pullRequest.number}/head`),
  );
}

/** Split, so that secret scanners don't flag it. It was never issued. */
const KEY = ["AKIA", "Q5ZGLXW2MPKD6TVR"].join("");

/** The actions of the model, and the rule and the path that the answer must name. Each also makes an edit that is allowed. */
const ATTACKS: readonly (readonly [calls: readonly ScriptedCall[], rule: string, path: string])[] = [
  [[writing("../outside.ts")], "outside-repository", "../outside.ts"],
  [[writing("src/../../outside.ts")], "outside-repository", "src/../../outside.ts"],
  [[writing("/etc/cron.d/x")], "outside-repository", "/etc/cron.d/x"],
  [[writing(".git/hooks/pre-commit")], "git-file", ".git/hooks/pre-commit"],
  [[writing("src/.GIT/config")], "git-file", "src/.GIT/config"],
  [[writing(".g\u200cit/config")], "git-file", ".g\\u{200c}it/config"],
  [[writing(".gitmodules")], "git-file", ".gitmodules"],
  [[writing("SRC/users.ts")], "case-clash", "SRC/users.ts"],
  [[writing("src/u\u0301.ts"), writing("src/ú.ts")], "case-clash", "src/ú.ts"],
  [[writing("src/users.ts/x.ts")], "unexpected-entry", "src/users.ts/x.ts"],
  [[{ name: "delete_file", args: { path: "src/users.test.ts" } }], "removes-tests", "src/users.test.ts"],
  [[writing("src/users.test.ts", "\n")], "removes-tests", "src/users.test.ts"],
  [[writing("src/key.ts", `export const key = "${KEY}";\n`)], "secret", "src/key.ts"],
  [[writing("src/broken.ts", "export function a( {\n")], "does-not-parse", "src/broken.ts"],
  [[writing("src/hidden.ts", "// \u202e\n")], "hidden-text", "src/hidden.ts"],
  [Array.from({ length: 60 }, (_, at) => writing(`src/f${at}.ts`)), "too-many-files", ""],
];

testModels(
  "[P3] everything that the rules forbid is refused by rule and path, and nothing is pushed",
  async (openModelScene) => {
    const emptyCommit = [writing("src/users.test.ts", AFTER["src/users.test.ts"])];
    const flood = Array.from({ length: 600 }, (_, at) => writing(`src/f${at}.ts`));
    const script = inOrder(...ATTACKS.map(([calls]) => [EDIT, ...calls]), emptyCommit, flood);
    const scene = await openModelScene({ config: WRITE_CONFIG, script });
    await scene.start();
    for (const at of ATTACKS.keys()) await mention(scene, `@kodiai change: attack ${at}`);
    await mention(scene, "@kodiai change: make an empty commit");
    await mention(scene, "@kodiai change: write hundreds of files");
    const outcomes = await mentionsEnded(scene, ATTACKS.length + 2);
    const answers = answersOn(scene, scene.pullRequest);
    for (const [at, [, rule, path]] of ATTACKS.entries()) {
      assert.equal(outcomes[at], `refused:${rule}`, `${at}: ${path}`);
      const answer = answers[at] ?? "";
      assert.ok(answer.startsWith("Nothing was written."), answer);
      assert.ok(answer.includes(path === "" ? `**${rule}**: ` : `**${rule}** \`${path}\`: `), answer);
      assert.ok(!answer.includes(KEY));
    }
    assert.deepEqual(outcomes.slice(ATTACKS.length), ["refused:nothing-changed", "refused:too-large"]);
    assert.match(answers[ATTACKS.length] ?? "", /changed nothing/);
    await assertNothingWritten(scene);
    const stored = JSON.stringify(await scene.database.query("select * from mentions"));
    assert.ok(!stored.includes(KEY));
    scene.check({ isSummary });
  },
);

testModels(
  "a push that loses a race, a protected branch and a closed pull request are said, and nothing is lost",
  async (openModelScene) => {
    const scene = await openModelScene({
      config: `${WRITE_CONFIG}  pushToHead: true\n`,
      script: inOrder([EDIT], [EDIT], [EDIT]),
    });
    const { fake, pullRequest, repository } = scene;
    await scene.start();
    repository.protectedBranches.push("kodiai/*");
    await mention(scene, "@kodiai change: bind the id");
    assert.deepEqual(await mentionsEnded(scene, 1), ["failed:push-protected"]);
    assert.match(lastAnswer(scene), /don't let Kodiai push to `[^`]+`, so nothing was pushed/);
    repository.protectedBranches.length = 0;

    const stop = fake.onRequest("git/receive-pack", async () => {
      stop();
      await fake.push(pullRequest, { "src/other.ts": "export const other = 1;\n" });
    });
    await mention(scene, "@kodiai change here: bind the id");
    assert.deepEqual((await mentionsEnded(scene, 2)).slice(1), ["failed:moved"]);
    assert.match(lastAnswer(scene), /got new commits meanwhile, so nothing was pushed, and nothing is lost/);
    assert.equal(
      await fileAt(repository.directory, pullRequest.head, "src/other.ts"),
      "export const other = 1;\n",
    );

    await isSeen(scene);
    scene.server.onRequest(() => {
      if (pullRequest.isOpen) void fake.closePullRequest(pullRequest);
    });
    await mention(scene, "@kodiai change: bind the id");
    assert.deepEqual((await mentionsEnded(scene, 3)).slice(2), ["refused:closed"]);
    await assertNothingWritten(scene);
  },
);

testModels(
  "[P3] strangers and contributors can't have files edited, and nothing is spent for them",
  async (openModelScene) => {
    const scene = await openModelScene({ config: WRITE_CONFIG, script: inOrder() });
    await scene.start();
    await mention(scene, "@kodiai change: bind the id", { author: "mallory", association: "NONE" });
    await mention(scene, "@kodiai change: bind the id", { author: "carol", association: "CONTRIBUTOR" });
    await mention(scene, "@kodiai fix all", { author: "mallory", association: "OWNER" });
    for (const outcome of await mentionsEnded(scene, 3)) assert.match(outcome, /^refused:/);
    assert.equal(scene.server.requests.length, 0);
    await assertNothingWritten(scene);
  },
);

testModels(
  "[P3] a person who loses write access while the model works has nothing pushed",
  async (openModelScene) => {
    const scene = await openModelScene({ config: WRITE_CONFIG, script: inOrder([EDIT]) });
    await scene.start();
    scene.server.onRequest(() => void scene.repository.roles.set("ada", "read"));
    await mention(scene, "@kodiai change: bind the id");
    assert.deepEqual(await mentionsEnded(scene, 1), ["refused:no-write-access"]);
    assert.ok(scene.server.requests.length > 0, "access was there when the job began");
    assert.match(lastAnswer(scene), /nothing was pushed/);
    await assertNothingWritten(scene);
    scene.check({ isSummary });
  },
);

testModels(
  "[P3] write mode is off unless the base branch turns it on, and here needs its own permission",
  async (openModelScene) => {
    const files = { ...AFTER, ".kodiai.yml": WRITE_CONFIG };
    const off = await openModelScene({
      config: WRITE_CONFIG.replace("true", "false"),
      script: inOrder(),
      pullRequest: { files },
    });
    await off.start();
    await mention(off, "@kodiai change: bind the id");
    assert.deepEqual(await mentionsEnded(off, 1), ["refused:write-off"]);
    assert.match(lastAnswer(off), /`write\.enabled: true`/);
    assert.equal(off.server.requests.length, 0);
    await assertNothingWritten(off);
    const here = await openModelScene({ config: WRITE_CONFIG, script: inOrder() });
    await here.start();
    await mention(here, "@kodiai change here: bind the id");
    assert.deepEqual(await mentionsEnded(here, 1), ["refused:push-to-head-off"]);
    assert.match(lastAnswer(here), /`write\.pushToHead: true`/);
  },
);

testModels(
  "[P3] a fork gets a branch on the base repository without workflows, unless it touches denied paths",
  async (openModelScene) => {
    const scene = await openModelScene({
      config: WRITE_CONFIG,
      script: inOrder([EDIT]),
      pullRequest: { fork: "grace", author: "grace" },
    });
    const { fake, pullRequest, repository } = scene;
    await scene.start();
    await mention(scene, "@kodiai change: bind the id");
    assert.deepEqual(await mentionsEnded(scene, 1), ["done:pull-request"]);
    const [opened] = ownPullRequests(scene);
    assert.equal(opened?.headRepository, repository);
    assert.equal(opened.baseRef, "main");
    assert.equal(await commitAt(repository.directory, `${opened.head}^`), pullRequest.head);
    assert.match(
      await gitText(repository.directory, "log", "-1", "--format=%s", opened.head),
      /\[skip ci\]$/m,
    );
    assert.match(lastAnswer(scene), /`\[skip ci\]`/);
    await mention(scene, "@kodiai change here: bind the id");
    assert.deepEqual((await mentionsEnded(scene, 2)).slice(1), ["refused:push-to-head-off"]);

    await fake.push(pullRequest, { ".github/workflows/steal.yml": "on: push\n" });
    await isSeen(scene);
    await mention(scene, "@kodiai change: bind the id");
    assert.deepEqual((await mentionsEnded(scene, 3)).slice(2), ["refused:fork-denied-path"]);
    assert.match(lastAnswer(scene), /\*\*protected-path\*\* `\.github\/workflows\/steal\.yml`/);
    assert.equal(ownPullRequests(scene).length, 1);
    scene.check({ isSummary, mayPush: true });
  },
);

/** Each point of the way from the model's edits to the answer. */
const KILLED = ["after-edits", "after-push", "after-pull-request", "before-answer", "after-answer"];

async function assertOnce(scene: ModelScene, requests: number): Promise<void> {
  const { fake, pullRequest, repository } = scene;
  assert.equal(ownPullRequests(scene).length, 1);
  const branches = await listBranches(repository.directory);
  const [branch, ...more] = branches.filter((name) => name.startsWith("kodiai/"));
  assert.ok(branch !== undefined && more.length === 0);
  assert.equal(await commitAt(repository.directory, `refs/heads/${branch}^`), pullRequest.head);
  assert.equal(fake.world.pushes.filter(({ refusedBecause }) => refusedBecause === null).length, 1);
  assert.equal(answersOn(scene, pullRequest).length, 1);
  assert.equal(scene.server.requests.length, requests, "the model is paid once");
  scene.check({ isSummary, mayPush: true });
}

void suite("the process is killed", { concurrency: 2 }, () => {
  for (const point of KILLED) {
    testModels(
      `[P14] ${point}: one branch, one commit, one pull request, one answer`,
      async (openModelScene) => {
        const scene = await openModelScene({ config: WRITE_CONFIG, script: inOrder([EDIT], [EDIT]) });
        const doomed = await scene.start(["serve"], { KODIAI_FAULT_POINT: point });
        const comment = await mention(scene, "@kodiai change: bind the id");
        assert.equal(await doomed.ended, "SIGKILL", doomed.output());
        const requests = scene.server.requests.length;
        await scene.start();
        assert.deepEqual(await mentionsEnded(scene, 1), ["done:pull-request"]);
        assert.deepEqual(scene.fake.reactionsOf(comment).toSorted(), ["+1", "eyes"]);
        await assertOnce(scene, requests);
      },
    );
  }

  testModels("[P14] after a push to the head branch: one commit, one answer", async (openModelScene) => {
    const scene = await openModelScene({
      config: `${WRITE_CONFIG}  pushToHead: true\n`,
      script: inOrder([EDIT], [EDIT]),
    });
    const { pullRequest, repository } = scene;
    const { head } = pullRequest;
    const doomed = await scene.start(["serve"], { KODIAI_FAULT_POINT: "after-push" });
    await mention(scene, "@kodiai change here: bind the id");
    assert.equal(await doomed.ended, "SIGKILL", doomed.output());
    const requests = scene.server.requests.length;
    await scene.start();
    assert.deepEqual(await mentionsEnded(scene, 1), ["done:pushed"]);
    assert.equal(await commitAt(repository.directory, `refs/heads/${pullRequest.headRef}^`), head);
    assert.equal(answersOn(scene, pullRequest).length, 1);
    assert.equal(scene.server.requests.length, requests);
    scene.check({ isSummary, mayPush: true });
  });
});
