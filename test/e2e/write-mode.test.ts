/** Write mode: a person asks for edits or for the verified suggestions of findings, and gets a pull request with exactly those. */
import assert from "node:assert/strict";
import { fileAt, gitText } from "../../fake-github/git.ts";
import {
  answersIn,
  answersOn,
  isSummary,
  mention,
  mentionInThread,
  mentionsEnded,
} from "../support/app/mentions.ts";
import { testAppInOneProcess } from "../support/app/test-app.ts";
import {
  changesOf,
  commitAt,
  EDIT,
  EDITED,
  FIXABLE,
  inOrder,
  lastAnswer,
  ownPullRequests,
  WRITE_CONFIG,
} from "../support/app/write-mode.ts";
import { testModels } from "../support/model-scenes/model-scene.ts";

testModels("change opens exactly one pull request with exactly the edits", async (openModelScene) => {
  const script = inOrder(
    [EDIT],
    [{ name: "write_file", args: { path: "docs/new.md", content: "New.\n" } }],
    [EDIT],
  );
  const scene = await openModelScene({ config: `${WRITE_CONFIG}  pushToHead: true\n`, script });
  const { fake, pullRequest, repository } = scene;
  const { directory } = repository;
  const { head } = pullRequest;
  await scene.start();
  const comment = await mention(scene, "@kodiai change: bind the id\n\nwith `$1`");
  assert.deepEqual(await mentionsEnded(scene, 1), ["done:pull-request"]);
  const [opened, ...more] = ownPullRequests(scene);
  assert.ok(opened !== undefined && more.length === 0);
  assert.match(opened.headRef, new RegExp(`^kodiai/${pullRequest.number}-[0-9a-f]{8}$`));
  assert.equal(opened.baseRef, pullRequest.headRef);
  assert.equal(opened.title, "Bind the id");
  assert.match(opened.body ?? "", /`ada` asked for this on \[pull request \d+\]/);
  assert.match(opened.body ?? "", /> bind the id/);
  assert.doesNotMatch(opened.body ?? "", /#1|@ada/);
  assert.deepEqual(await changesOf(repository, opened.head), ["M src/users.ts"]);
  assert.equal(await fileAt(directory, opened.head, "src/users.ts"), EDITED);
  assert.equal(await commitAt(directory, `${opened.head}^`), head, "one commit on the head");
  const message = await gitText(directory, "log", "-1", "--format=%B%n%an <%ae> %ct", opened.head);
  assert.match(
    message,
    /^Bind the id\n\nThe id is bound now\. Closes 1 ada\.\n\nKodiai-Request: \S+\nCo-authored-by: ada <\d+\+ada@users\.noreply\.github\.com>\n/,
  );
  const answer = lastAnswer(scene);
  assert.match(
    answer,
    new RegExp(`^Opened \\[pull request ${opened.number}\\]\\(\\S+\\) into \`${pullRequest.headRef}\`\\.`),
  );
  assert.match(answer, /- `src\/users\.ts`: \+1 −1/);
  assert.deepEqual(fake.reactionsOf(comment).toSorted(), ["+1", "eyes"]);

  // On an issue: into the default branch, from its newest commit.
  const issue = fake.createIssue(repository, { title: "A document is missing", author: "bob" });
  await mention(scene, "/kodiai apply: write the document", { on: issue });
  assert.deepEqual(await mentionsEnded(scene, 2), ["done:pull-request", "done:pull-request"]);
  const forIssue = ownPullRequests(scene)[1];
  assert.equal(forIssue?.baseRef, "main");
  assert.deepEqual(await changesOf(repository, forIssue.head), ["A docs/new.md"]);
  assert.match(answersOn(scene, issue)[0] ?? "", /Not checked by a parser: `docs\/new\.md`/);

  // Here: onto the branch of the pull request.
  await mention(scene, "@kodiai change here: bind the id");
  assert.equal((await mentionsEnded(scene, 3)).at(-1), "done:pushed");
  assert.equal(ownPullRequests(scene).length, 2);
  assert.equal(await commitAt(directory, `refs/heads/${pullRequest.headRef}^`), head);
  assert.equal(await fileAt(directory, `refs/heads/${pullRequest.headRef}`, "src/users.ts"), EDITED);
  assert.match(lastAnswer(scene), /^Pushed \[`[0-9a-f]{7}`\]\(\S+\/commits\/[0-9a-f]{40}\) to /);
  scene.check({ isSummary, mayPush: true });
});

const FIXED = {
  "app/Admin.cs": FIXABLE["app/Admin.cs"].replace("throw ex;", "throw;"),
  "app/Guest.cs": FIXABLE["app/Guest.cs"].replace("throw ex;", "throw;"),
};

testAppInOneProcess(
  "verified suggestions are applied without a model: fix in a thread, and fix all",
  async (openScenario) => {
    const scene = await openScenario({ config: WRITE_CONFIG, pullRequest: { files: FIXABLE } });
    const { fake, pullRequest, repository } = scene;
    await scene.start();
    await scene.send("opened");
    await scene.settled();
    const roots = fake.reviewCommentsOf(pullRequest);
    const root = roots.find(({ path }) => path === "app/Admin.cs");
    assert.ok(root !== undefined && roots.length === 2);
    await mentionInThread(scene, root, "@kodiai fix");
    assert.deepEqual(await mentionsEnded(scene, 1), ["done:pull-request"]);
    const [fixed] = ownPullRequests(scene);
    assert.deepEqual(await changesOf(repository, fixed?.head ?? ""), ["M app/Admin.cs"]);
    assert.equal(
      await fileAt(repository.directory, fixed?.head ?? "", "app/Admin.cs"),
      FIXED["app/Admin.cs"],
    );
    assert.match(answersIn(scene, root)[0] ?? "", /^Opened \[pull request \d+\]/);
    // A person writes around the description, with GitHub's editor, which ends lines otherwise.
    assert.ok(fixed !== undefined);
    fixed.body = `Please merge soon.\n\n${fixed.body}\n\nReviewed by ada.`.replaceAll("\n", "\r\n");
    // The next one continues the open pull request, with a line for each finding.
    const branch = `refs/heads/${fixed?.headRef}`;
    const before = await commitAt(repository.directory, branch);
    await mention(scene, "@kodiai fix all");
    assert.equal((await mentionsEnded(scene, 2)).at(-1), "done:pushed");
    assert.equal(ownPullRequests(scene).length, 1);
    assert.equal(await commitAt(repository.directory, `${branch}^`), before);
    for (const [path, text] of Object.entries(FIXED))
      assert.equal(await fileAt(repository.directory, branch, path), text);
    assert.match(lastAnswer(scene), /^Updated \[pull request \d+\]\(\S+\)\. Pushed /);
    assert.match(lastAnswer(scene), /- Finding \d: done already, in this pull request\./);
    assert.match(lastAnswer(scene), /- Finding \d: done, by its verified suggestion\./);
    // Its texts are about both commits, and what the person wrote is still there.
    assert.equal(fixed.title, "Fix findings 1, 2");
    const body = fixed.body ?? "";
    assert.match(body, /^Please merge soon\.\n\n`ada` asked for this on \[pull request \d+\]/);
    assert.match(
      body,
      /\n> fix all findings\n[^]*- `app\/Guest\.cs`: \+1 −1[^]*Earlier commits of this pull request:\n\n- Apply the suggestion of finding \d\n/,
    );
    assert.match(body, /\n\n<!-- kodiai:proposal:\S+ -->\n\nReviewed by ada\.$/);
    assert.equal(body.split("asked for this on").length, 2);
    await mention(scene, "@kodiai fix 1 and 2");
    assert.equal((await mentionsEnded(scene, 3)).at(-1), "refused:already-fixed");

    await mention(scene, "@kodiai change: rename a function");
    assert.equal((await mentionsEnded(scene, 4)).at(-1), "refused:no-model");
    assert.match(lastAnswer(scene), /needs a model/);
    await mention(scene, "@kodiai fix 9");
    assert.equal((await mentionsEnded(scene, 5)).at(-1), "refused:unknown-finding");
    assert.match(lastAnswer(scene), /- Finding 9: not done\. This pull request has no such finding\./);
    scene.check({ isSummary, mayPush: true });
  },
);
