/** The built GitHub Action in a hostile workspace: nothing of it takes part in the installation or the review. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createActionRunner, requestOf } from "../support/action/run-action.ts";
import { ONE_REVIEW } from "../support/app/scenario.ts";
import { startNpmRegistry } from "../support/npm-registry.ts";
import { createWorkflowScenario, WORKFLOW_PERMISSIONS } from "../support/token-fixtures.ts";

test("action: nothing of the workspace takes part in the installation or the review", async (t) => {
  const scenario = await createWorkflowScenario(t);
  const { fake, pullRequest } = scenario;
  const runner = createActionRunner(t, scenario);
  const { workspace } = runner;
  const trap = join(workspace, "trapped");
  const springs = `require("node:fs").writeFileSync(${JSON.stringify(trap)}, process.argv.join())`;
  const put = (path: string, text: string): void => {
    mkdirSync(join(workspace, path, ".."), { recursive: true });
    writeFileSync(join(workspace, path), text, { mode: 0o755 });
  };
  const registry = await startNpmRegistry(t, []);
  const origin = registry.env["KODIAI_NPM_REGISTRY"] ?? "";
  put(
    ".npmrc",
    `registry=${origin}\nignore-scripts=false\nscript-shell=${workspace}/sh\nnode-options=--require ${workspace}/trap.cjs\n`,
  );
  put("trap.cjs", springs);
  put(
    "package.json",
    JSON.stringify({ name: "kodiai", scripts: { preinstall: `node trap.cjs`, prepare: "node trap.cjs" } }),
  );
  put("node_modules/kodiai/bin/kodiai.js", springs);
  put("node_modules/kodiai/package.json", '{ "name": "kodiai", "type": "commonjs" }');
  put("node_modules/.bin/npm", `#!/usr/bin/env node\n${springs}`);
  put("node_modules/.bin/git", `#!/bin/sh\necho git > ${trap}`);
  put(".node-version", "8.0.0");
  put(".env", `GITHUB_API_URL=${origin}\nKODIAI_MODEL=compatible:x\nKODIAI_COMPATIBLE_URL=${origin}\n`);
  put(
    ".git/config",
    `[core]\n\tfsmonitor = "echo git > ${trap}"\n\tsshCommand = false\n[url "${origin}"]\n\tinsteadOf = ${fake.gitUrl}\n`,
  );
  put(".git/HEAD", "ref: refs/heads/main\n");
  put(".kodiai.yml", "review:\n  enabled: false\n");
  const before = readdirSync(workspace);
  const run = await runner.run(
    requestOf(await fake.events.pullRequest("opened", pullRequest), fake.appToken(WORKFLOW_PERMISSIONS), {
      env: {
        // As a workflow sets them for its own steps.
        PATH: `node_modules/.bin:${workspace}/node_modules/.bin:${process.env["PATH"]}`,
        GIT_DIR: join(workspace, ".git"),
        npm_config_userconfig: join(workspace, ".npmrc"),
      },
    }),
  );
  assert.equal(run.code, 0, run.stdout + run.stderr);
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  assert.equal(existsSync(trap) ? readFileSync(trap, "utf8") : "nothing ran", "nothing ran");
  assert.deepEqual(registry.asked(), []);
  assert.deepEqual(readdirSync(workspace), before);
  // Nothing of the installation is left behind.
  assert.deepEqual(
    readdirSync(runner.temporaryFolder).filter(
      (name) => !/^(?:node_modules|kodiai-data|kodiai-review-.*)$/.test(name),
    ),
    [],
  );
  scenario.check();
});
