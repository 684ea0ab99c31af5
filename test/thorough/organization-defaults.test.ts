/** Further organizations: public, without the file, without access, with mistakes, and read on the command line. */
import assert from "node:assert/strict";
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

const CASES: readonly OrganizationCase[] = [
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
  {
    title: "a public file applies without an installation",
    organization: { file: DEFAULTS, isPrivate: false, isInstalled: false },
    lines: ONE,
    shown: /organization defaults \(acme\/\.github:\.github\/kodiai\.yml\)/,
  },
  {
    title: "the repository's own file wins",
    organization: { file: DEFAULTS, isPrivate: true, isInstalled: true },
    config: "floor: { rules: { empty-catch: medium } }\n",
    lines: BOTH,
    shown: /\.kodiai\.yml of base `[0-9a-f]{10}`; organization defaults \(acme/,
  },
  {
    title: "a private file without an installation is none",
    organization: { file: DEFAULTS, isPrivate: true, isInstalled: false },
    lines: BOTH,
    shown: /no organization defaults \(none that Kodiai can read at acme\/\.github:\.github\/kodiai\.yml\)/,
  },
  {
    title: "a repository without the file is none",
    organization: { file: null, isPrivate: true, isInstalled: true },
    lines: BOTH,
    shown: /no organization defaults/,
  },
  {
    title: "an invalid value is a problem with the name of the file",
    organization: {
      file: `${DEFAULTS}review: { mode: confidential }\n`,
      isPrivate: true,
      isInstalled: true,
    },
    lines: ONE,
    shown: /acme\/\.github:\.github\/kodiai\.yml:2:17: error: review\.mode: expected one of/,
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
