/** The built GitHub Action against hostile pull requests and workspaces: neither gets to command the runner or to take part in the installation. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { commandsIn, createActionRunner, requestOf } from "../support/action/run-action.ts";
import { AFTER, ONE_REVIEW } from "../support/app/scenario.ts";
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
  assert.deepEqual(scenario.published(), { reviews: 0, comments: [], summaries: 0, conclusions: [] });
  assert.ok(registry.asked().length > 0);
});
