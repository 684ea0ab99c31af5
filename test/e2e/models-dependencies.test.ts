/** A model reads a package of the change from a registry, and only what it may read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openDesk } from "../support/model-scenes/desk.ts";
import { projectAt, startRegistry, SCRIPT } from "../support/package-reading-fixtures.ts";

test("[P8] a model reads declarations, changelog and files of a bumped package, and never a private one", async (t) => {
  const registry = await startRegistry(t);
  const desk = await openDesk(t, { before: projectAt("1.0.0"), after: projectAt("2.0.0"), script: SCRIPT });
  const { code, stdout, stderr } = await desk.run(["--model", "openai:scripted"], registry.env);
  assert.deepEqual([code, stderr], [0, ""], stdout);
  const [first] = desk.server.requests;
  assert.ok(first !== undefined && first.tools.includes("read_dependency"));
  assert.match(first.prompt, /read_dependency shows/);
  const [before = "", after = "", changelog = "", file = "", inner = ""] =
    desk.server.requests.at(-1)?.toolResults ?? [];
  assert.match(
    before,
    /^Declarations of pad-it@1\.0\.0, lines 1–2 of 2\.\n<data-.*\n2\texport .* padLeft\(/s,
  );
  assert.match(after, /pad-it@2\.0\.0.*\n2\texport declare function pad\(/s);
  assert.match(changelog, /--- 2\.0\.0\n.*`padLeft` was removed/s);
  assert.match(file, /\n1\t\/\/ code\n/);
  assert.match(inner, /@acme\/inner\\" isn't a public package of this change\..*pad-it/s);
  const asked = registry.asked();
  assert.ok(asked.some((path) => path.includes("pad-it")));
  assert.ok(!asked.some((path) => path.includes("acme")), asked.join("\n"));
});
