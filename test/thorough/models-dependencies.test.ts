/** Reading a package without a network, or without a connection. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openDesk } from "../support/model-scenes/desk.ts";
import { FINISHING, oneByOne } from "../support/model-scenes/model-scene.ts";
import { projectAt, startRegistry, SCRIPT } from "../support/package-reading-fixtures.ts";

test("offline the tool isn't offered, and without a connection it says why it has no answer", async (t) => {
  const registry = await startRegistry(t);
  const desk = await openDesk(t, {
    before: projectAt("1.0.0"),
    after: projectAt("2.0.0"),
    script: oneByOne([FINISHING]),
  });
  const offline = await desk.run(["--model", "openai:scripted"], {
    ...registry.env,
    KODIAI_OFFLINE: "on",
  });
  assert.equal(offline.code, 0, offline.stderr);
  const [first] = desk.server.requests;
  assert.ok(first !== undefined && !first.tools.includes("read_dependency"));
  assert.match(first.prompt, /# Dependency changes/);
  assert.doesNotMatch(first.prompt, /read_dependency/);
  assert.deepEqual(registry.asked(), []);
  desk.server.script(SCRIPT);
  const nowhere = {
    ...registry.env,
    KODIAI_NPM_REGISTRY: "http://127.0.0.1:1",
    KODIAI_PRIVATE_HOSTS: "http://127.0.0.1:1",
  };
  const alone = await desk.run(["--model", "openai:scripted"], nowhere);
  // A look-up without an answer makes the review incomplete.
  assert.equal(alone.code, 3, alone.stderr);
  assert.match(
    desk.server.requests.at(-1)?.toolResults[0] ?? "",
    /Declarations of pad-it@1\.0\.0: unavailable: no connection\./,
  );
});
