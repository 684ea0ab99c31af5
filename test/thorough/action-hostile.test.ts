/** The built GitHub Action against hostile pull requests and packages: neither gets to command the runner. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { commandsIn, createActionRunner, requestOf } from "../support/action/run-action.ts";
import { AFTER, NO_REVIEW } from "../support/app/scenario.ts";
import { startNpmRegistry } from "../support/npm-registry.ts";
import { createWorkflowScenario, READ_ONLY, WORKFLOW_PERMISSIONS } from "../support/token-fixtures.ts";

const TITLE = "::set-output name=verdict::clean%0A::error::x ##[set-output name=a]b ::stop-commands::y";

test("action: titles, file names and code are no workflow commands, no outputs and no headings of the summary", async (t) => {
  const scenario = await createWorkflowScenario(t, {
    isPrivate: false,
    pullRequest: {
      fork: "grace",
      title: TITLE,
      body: "```\n::add-mask::review\n##[add-path]/tmp\n",
      files: {
        "src/a\n::set-output name=verdict::clean\n.ts": AFTER["src/users.ts"],
        "::error file=x::y.ts": AFTER["src/users.ts"],
        "##[set-output name=verdict]clean.ts": AFTER["src/users.ts"],
      },
    },
  });
  const { fake, pullRequest } = scenario;
  const runner = createActionRunner(t, scenario);
  const opened = await fake.events.pullRequest("opened", pullRequest);
  const run = await runner.run(requestOf(opened, fake.appToken(READ_ONLY)));
  assert.equal(run.code, 0, run.stdout + run.stderr);
  assert.deepEqual([run.outputs["verdict"], run.outputs["findings"]], ["findings", "6"]);
  const commands = new Set(commandsIn(run.stdout + run.stderr));
  assert.deepEqual([...commands].toSorted(), ["add-mask", "notice", "warning"]);
  // One command per line of ours: six findings, the verdict, and the reason why there are no comments.
  assert.equal(run.stdout.match(/^::warning file=/gm)?.length, 6);
  assert.equal(run.stdout.match(/^::notice /gm)?.length, 2);
  assert.doesNotMatch(run.stdout, /^::add-mask::review/m);
});

test("action: packages whose bytes differ from the lock file aren't installed, and their scripts never run", async (t) => {
  const scenario = await createWorkflowScenario(t);
  const { fake, pullRequest } = scenario;
  const runner = createActionRunner(t, scenario);
  const registry = await startNpmRegistry(t, [
    {
      name: "native",
      version: "1.0.0",
      files: { "trap.js": 'require("node:fs").writeFileSync("../../trapped", "")' },
      manifest: { scripts: { postinstall: "node trap.js" } },
    },
  ]);
  const lockPath = join(runner.root, "dist/action/package-lock.json");
  const lock = JSON.parse(readFileSync(lockPath, "utf8"));
  const other = `sha512-${Buffer.alloc(64).toString("base64")}`;
  lock.packages[""].dependencies = { ...lock.packages[""].dependencies, native: "1.0.0" };
  lock.packages["node_modules/native"] = { version: "1.0.0", integrity: other };
  writeFileSync(lockPath, JSON.stringify(lock));
  const manifestPath = join(runner.root, "dist/action/package.json");
  const manifest = JSON.parse(readFileSync(manifestPath, "utf8"));
  writeFileSync(manifestPath, JSON.stringify({ ...manifest, dependencies: lock.packages[""].dependencies }));
  const run = await runner.run(
    requestOf(await fake.events.pullRequest("opened", pullRequest), fake.appToken(WORKFLOW_PERMISSIONS), {
      env: { NPM_CONFIG_REGISTRY: registry.env["KODIAI_NPM_REGISTRY"] ?? "" },
    }),
  );
  assert.equal(run.code, 1, run.stdout + run.stderr);
  assert.match(run.stdout, /^::error title=Kodiai::Kodiai couldn't be installed.*EINTEGRITY/m);
  assert.deepEqual(scenario.published(), NO_REVIEW);
  assert.ok(registry.asked().length > 0);
});
