/** A change names a repository that only the operator's token can read. Nothing of it may be read, shown or kept. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startLoopbackHosts } from "../support/loopback-hosts.ts";
import { openDesk } from "../support/model-scenes/desk.ts";
import { FINISHING, oneByOne } from "../support/model-scenes/model-scene.ts";
import {
  TOKEN,
  SECRET,
  workflowAt,
  answerAsGithub,
  assertNothingPrivate,
} from "../support/private-repository-fixtures.ts";

test("[P8] a private repository that a change names isn't read with the operator's token", async (t) => {
  const hosts = await startLoopbackHosts(t, answerAsGithub);
  const desk = await openDesk(t, {
    before: { ".github/workflows/ci.yml": workflowAt("1.0.0") },
    after: { ".github/workflows/ci.yml": workflowAt("2.0.0") },
    script: oneByOne([FINISHING]),
  });
  const { stdout, stderr } = await desk.run(["--model", "openai:scripted"], {
    ...hosts.env,
    GITHUB_TOKEN: TOKEN,
  });
  const prompts = desk.server.requests.map(({ prompt }) => prompt).join("\n");
  assert.match(prompts, /Engines are faster\./, stderr + hosts.sent());
  assert.doesNotMatch(stdout + stderr + prompts, new RegExp(SECRET));
  assertNothingPrivate(hosts);
});
