/** The defaults that an organization keeps in its `.github` repository, on the App and on the command line. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  BOTH,
  createOrganization,
  DEFAULTS,
  NAME,
  ONE,
  type OrganizationCase,
  testOrganization,
} from "../support/organization-fixtures.ts";
import { addressOf, runOnPullRequest } from "../support/pull-request-command.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import { testRepository } from "../support/test-repository.ts";

const CASES: readonly OrganizationCase[] = [
  {
    title: "a private file applies where the app is installed on it",
    organization: { file: DEFAULTS, isPrivate: true, isInstalled: true },
    lines: ONE,
    shown: /organization defaults \(acme\/\.github:\.github\/kodiai\.yml\)/,
  },
  { title: "no such repository is none", organization: null, lines: BOTH, shown: /no organization defaults/ },
  {
    title: "a private file isn't quoted in a public repository",
    organization: {
      file: `${DEFAULTS}review: { mode: confidential }\n`,
      isPrivate: true,
      isInstalled: true,
    },
    isPrivate: false,
    lines: ONE,
    shown: /acme\/\.github:\.github\/kodiai\.yml: error: the file has 1 problem/,
    hidden: /confidential/,
  },
];

for (const each of CASES) testOrganization(each);

test("--pr reads the organization's file with the user's token", async (t) => {
  const organization = { file: DEFAULTS, isPrivate: true, isInstalled: false };
  const scenario = await createOrganization(t, organization, { isPrivate: false });
  const { code, stdout, stderr } = await runOnPullRequest(
    scenario,
    ["review", "--pr", addressOf(scenario), "--format", "json"],
    { GITHUB_TOKEN: scenario.fake.personalToken("ada") },
  );
  assert.equal(code, 0, stderr);
  assert.ok(stdout.includes(`organization defaults (${NAME})`), stdout);
  assert.doesNotMatch(stdout, /empty-catch"/);
});

test("init --org writes a valid file, and config explain shows the origin of each value", async (t) => {
  const made = testRepository();
  t.after(() => made.remove());
  made.commit("first");
  const run = (...args: readonly string[]) => runKodiai(args, { cwd: made.path });
  assert.equal((await run("init", "--org")).code, 0);
  const path = join(made.path, ".github", "kodiai.yml");
  assert.match(readFileSync(path, "utf8"), /all repositories of this organization/);
  assert.equal((await run("init", "--org")).code, 2);
  const checked = await run("config", "check", path);
  assert.deepEqual([checked.code, checked.stdout], [0, "1 file checked, no problems found\n"]);

  mkdirSync(join(made.path, "org"));
  writeFileSync(join(made.path, "org/kodiai.yml"), "review: { mode: strict, drafts: true }\n");
  writeFileSync(join(made.path, ".kodiai.yml"), "review: { mode: lenient }\n");
  const explained = await run("config", "explain", ".", "--set", "--org-file", "org/kodiai.yml");
  assert.equal(explained.code, 0, explained.stderr);
  assert.deepEqual(
    explained.stdout
      .trim()
      .split("\n")
      .map((line) => line.replaceAll(/ +/g, " ")),
    ["review.mode: lenient # .kodiai.yml", "review.drafts: true # org/kodiai.yml"],
  );
});
