/** Write mode on lists of findings, in people's threads, and on Kodiai's own pull requests. */
import assert from "node:assert/strict";
import { fileAt, gitText } from "../../fake-github/git.ts";
import { answersOn, isSummary, mention, mentionInThread, mentionsEnded } from "../support/app/mentions.ts";
import { AFTER } from "../support/app/scenario.ts";
import {
  changesOf,
  EDIT,
  EDITED,
  FIXABLE,
  inOrder,
  isSeen,
  lastAnswer,
  ownPullRequests,
  WRITE_CONFIG,
} from "../support/app/write-mode.ts";
import { FINISHING, testModels } from "../support/model-scenes/model-scene.ts";
import type { ScriptedRequest } from "../support/model-server/script.ts";

const isEditing = ({ tools }: ScriptedRequest): boolean =>
  tools.some((name) => name.endsWith("finish_edits"));

testModels(
  "fix takes a list: by suggestion, by the model, or not, with a line for each finding",
  async (openModelScene) => {
    const prompts: string[] = [];
    const scene = await openModelScene({
      config: WRITE_CONFIG,
      pullRequest: { files: { ...FIXABLE, "src/users.ts": AFTER["src/users.ts"] } },
      script(request) {
        if (!isEditing(request)) return { toolCalls: [FINISHING] };
        prompts.push(request.prompt);
        const notDone = [{ finding: numberOf("empty"), reason: "The error is expected there." }];
        const finish = {
          name: "finish_edits",
          args: { title: "Bind the id", description: "Bound.", not_done: notDone },
        };
        return { toolCalls: [request.turn === 0 ? EDIT : finish] };
      },
    });
    const { repository } = scene;
    await scene.start();
    await scene.send("opened");
    await scene.settled();
    const found = await scene.database.query<{ number: number; path: string; title: string }>(
      "select number, path, title from findings where told_at is not null order by number",
    );
    const numbers = {
      admin: found.find(({ path }) => path === "app/Admin.cs")?.number ?? 0,
      guest: found.find(({ path }) => path === "app/Guest.cs")?.number ?? 0,
      empty: found.find(({ title }) => /empty|swallow|catch/i.test(title))?.number ?? 0,
    };
    function numberOf(name: keyof typeof numbers): number {
      return numbers[name];
    }
    assert.ok(numbers.admin > 0 && numbers.guest > 0 && numbers.empty > 0, JSON.stringify(found));
    await mention(scene, `@kodiai fix ${numbers.admin}, ${numbers.guest} and ${numbers.empty}, 99`);
    assert.deepEqual(await mentionsEnded(scene, 1), ["done:pull-request"]);
    const [opened] = ownPullRequests(scene);
    assert.deepEqual(await changesOf(repository, opened?.head ?? ""), [
      "M app/Admin.cs",
      "M app/Guest.cs",
      "M src/users.ts",
    ]);
    for (const text of [lastAnswer(scene), opened?.body ?? ""]) {
      for (const number of [numbers.admin, numbers.guest])
        assert.match(text, new RegExp(`- Finding ${number}: done, by its verified suggestion\\.`));
      assert.match(
        text,
        new RegExp(`- Finding ${numbers.empty}: not done\\. The error is expected there\\.`),
      );
      assert.match(text, /- Finding 99: not done\. This pull request has no such finding\./);
    }
    assert.match(prompts[0] ?? "", /^# Subject\nThis conversation is on a pull request\./);
    assert.match(prompts[0] ?? "", /# Your findings on this pull request/);
    scene.check({ isSummary, mayPush: true });
  },
);

testModels(
  "in a person's thread, fix this means its problem; a comment on Kodiai's own pull request continues there",
  async (openModelScene) => {
    const requests: string[] = [];
    const script = inOrder(
      [EDIT],
      [
        {
          name: "write_file",
          args: { path: "bin/run.sh", content: "#!/bin/sh\necho run\n", executable: true },
        },
      ],
      [
        { name: "edit_file", args: { path: "src/users.ts", find: "db", replace: "database", all: true } },
        { name: "write_file", args: { path: "package-lock.json", content: "{}\n" } },
      ],
      [{ name: "delete_file", args: { path: "src/users.test.ts" } }],
    );
    const scene = await openModelScene({
      config: WRITE_CONFIG,
      script(request) {
        requests.push(request.prompt);
        return script(request);
      },
    });
    const { fake, pullRequest, repository } = scene;
    await scene.start();
    const { comments } = await fake.review(pullRequest, {
      author: "bob",
      body: "",
      comments: [{ path: "src/users.ts", line: 4, body: "The id isn't bound here." }],
    });
    const [root] = comments;
    assert.ok(root !== undefined);
    fake.clock.advance(1_000);
    await mentionInThread(scene, root, "@kodiai fix this");
    assert.deepEqual(await mentionsEnded(scene, 1), ["done:pull-request"]);
    const [opened] = ownPullRequests(scene);
    assert.ok(opened !== undefined);
    assert.equal(await fileAt(repository.directory, opened.head, "src/users.ts"), EDITED);
    assert.match(opened.body ?? "", /> fix the problem of this thread/);
    assert.match(requests[0] ?? "", /label="comment by bob">\nThe id isn't bound here\./);

    const branch = `refs/heads/${opened.headRef}`;
    await mention(scene, "@kodiai change: add a script that runs it", { on: opened });
    assert.equal((await mentionsEnded(scene, 2)).at(-1), "done:pushed");
    assert.match(await gitText(repository.directory, "ls-tree", branch, "bin/run.sh"), /^100755 blob/);
    await isSeen({ fake, pullRequest: opened });
    await mention(scene, "@kodiai change: rename db, and update the lockfile", { on: opened });
    assert.equal((await mentionsEnded(scene, 3)).at(-1), "done:pushed");
    assert.equal(
      await fileAt(repository.directory, branch, "src/users.ts"),
      EDITED.replaceAll("db", "database"),
    );
    assert.match(await gitText(repository.directory, "ls-tree", branch, "bin/run.sh"), /^100755 blob/);
    assert.match(
      answersOn(scene, opened).at(-1) ?? "",
      /\*\*lockfile\*\* `package-lock\.json`: only its package manager/,
    );
    await isSeen({ fake, pullRequest: opened });
    await mention(scene, "@kodiai change: remove the tests of `find`", { on: opened });
    assert.equal((await mentionsEnded(scene, 4)).at(-1), "done:pushed");
    assert.match(
      answersOn(scene, opened).at(-1) ?? "",
      /\*\*Tests were removed or merged\*\*, as the request says: `src\/users\.test\.ts`\./,
    );
    assert.equal(ownPullRequests(scene).length, 1);
    scene.check({ isSummary, mayPush: true });
  },
);
