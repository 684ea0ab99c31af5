/** `kodiai review --pr` and its sisters: packed, impossible, and tried again. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createScenario, ONE_REVIEW } from "../support/app/scenario.ts";
import { runOnPullRequest, addressOf } from "../support/pull-request-command.ts";

test("pack --pr packs the pull request with its title and description", async (t) => {
  const scenario = await createScenario(t, { isPrivate: false });
  const environment = { GITHUB_TOKEN: scenario.fake.personalToken("ada") };
  const packed = await runOnPullRequest(
    scenario,
    ["pack", "--pr", addressOf(scenario), "--out", "packed"],
    environment,
  );
  assert.equal(packed.code, 0, packed.stderr);
  const text = readFileSync(join(scenario.folder.path, "packed/pr-context.txt"), "utf8");
  assert.match(text, new RegExp(`^.*${scenario.pullRequest.title}`, "m"));
  assert.match(text, /^\+/m);
  const mixed = await runOnPullRequest(
    scenario,
    ["pack", "--pr", addressOf(scenario), "--worktree"],
    environment,
  );
  assert.equal(mixed.code, 2);
  assert.match(mixed.stderr, /--pr and --worktree can't be combined/);
});

test("impossible requests get an error with a fix", async (t) => {
  const scenario = await createScenario(t);
  const { fake } = scenario;
  const cases: readonly (readonly [
    args: readonly string[],
    code: number,
    said: RegExp,
    environment?: Record<string, string>,
  ])[] = [
    [["review", "--pr", "acme/shop#1"], 2, /--pr must be the URL of a pull request/],
    [["review", "--publish"], 2, /--publish requires --pr/],
    [
      ["review", "--pr", addressOf(scenario), "--publish", "--fail-on", "major", "-f", "json"],
      2,
      /--format and --fail-on can't be combined with --publish/,
    ],
    [["review", "--pr", "https://github.com/../user/pull/1"], 2, /--pr must be the URL of a pull request/],
    [
      ["review", "--pr", "https://github.com/acme/shop/pull/1", "--publish"],
      2,
      /the GitHub App is set up for http:\/\/127\.0\.0\.1:\d+.*, but the pull request is on https:\/\/github\.com/,
    ],
    [["serve", "--port", "0x50"], 2, /--port must be a whole number/],
    [["review", "--pr", `${fake.gitUrl}/acme/shop/pull/99`, "--publish"], 4, /not found|not-found|404/i],
    [
      ["review", "--pr", `${fake.gitUrl}/acme/nothing/pull/1`, "--publish"],
      4,
      /isn't installed on acme\/nothing/,
    ],
    [["jobs"], 2, /there is no database at nowhere\.db/, { DATABASE_URL: "sqlite:nowhere.db" }],
    [["jobs", "show", "77"], 2, /kodiai: no job or delivery "77"/],
    [["jobs", "retry", "77"], 2, /kodiai: no job or delivery "77"/],
    [["serve", "--port", "http"], 2, /--port must be a whole number/],
    [
      ["serve"],
      2,
      /GITHUB_APP_ID is not set[\s\S]*GITHUB_PRIVATE_KEY isn't an RSA private key[\s\S]*GITHUB_WEBHOOK_SECRET must have at least/,
      {
        GITHUB_APP_ID: "",
        GITHUB_PRIVATE_KEY: "nonsense",
        GITHUB_WEBHOOK_SECRET: "short",
      },
    ],
    [["serve"], 2, /sqlite:PATH/, { DATABASE_URL: "mysql://localhost/kodiai" }],
  ];
  for (const [args, code, said, environment] of cases) {
    const result = await runOnPullRequest(scenario, args, environment);
    assert.match(result.stderr + result.stdout, said, args.join(" "));
    assert.equal(result.code, code, `${args.join(" ")}: ${result.stderr}`);
  }
});

test("a failed job is tried again on request", async (t) => {
  const scenario = await createScenario(t);
  const { fake } = scenario;
  const remove = fake.faults.add({
    operation: "pulls/get",
    times: 100,
    fault: {
      kind: "status",
      status: 404,
      body: { message: "Not Found", documentation_url: "", status: "404" },
    },
  });
  await scenario.start();
  await scenario.send("opened");
  const [failed] = await scenario.settled();
  assert.equal(failed?.state, "failed");
  assert.match(failed?.reason ?? "", /^failed:not-found/);
  remove();
  const retried = await runOnPullRequest(scenario, ["jobs", "retry", String(failed?.id)]);
  assert.equal(retried.stdout, `job ${failed?.id} is queued again\n`);
  const [job] = await scenario.settled();
  assert.deepEqual([job?.state, job?.reason], ["done", "published"]);
  assert.deepEqual(scenario.published(), ONE_REVIEW);
});
