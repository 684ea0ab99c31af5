/** An organization with defaults in its `.github` repository, and reviews that use them. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createScenario, type Scenario } from "./app/scenario.ts";

/** Turns off one of the two findings. */
export const DEFAULTS = "floor: { rules: { empty-catch: off } }\n";
export const NAME = "acme/.github:.github/kodiai.yml";

type Organization = {
  readonly file: string | null;
  readonly isPrivate: boolean;
  readonly isInstalled: boolean;
};

export async function createOrganization(
  t: TestContext,
  organization: Organization | null,
  options: { readonly isPrivate?: boolean; readonly config?: string } = {},
): Promise<Scenario> {
  const scenario = await createScenario(t, options);
  if (organization !== null)
    await scenario.fake.createRepository({
      name: ".github",
      isPrivate: organization.isPrivate,
      files:
        organization.file === null ? { "README.md": "x\n" } : { ".github/kodiai.yml": organization.file },
      ...(organization.isInstalled ? {} : { installation: null }),
    });
  return scenario;
}

/** Reviews the pull request, and returns the lines with comments and everything that was written. */
async function review(scenario: Scenario): Promise<{ lines: readonly string[]; text: string }> {
  const { fake, pullRequest } = scenario;
  await scenario.start();
  await scenario.send("opened");
  await scenario.settled();
  scenario.check({ tokensRevoked: true });
  assert.deepEqual(fake.violations, []);
  const texts = [
    ...fake.commentsOf(pullRequest).map(({ body }) => body),
    ...fake.checksOf(pullRequest).map(({ output }) => JSON.stringify(output)),
  ];
  return { lines: scenario.published().comments, text: texts.join("\n") };
}

export const BOTH = ["src/users.ts:4", "src/users.ts:10"];
export const ONE = ["src/users.ts:4"];

export type OrganizationCase = {
  readonly title: string;
  readonly organization: Organization | null;
  readonly isPrivate?: boolean;
  readonly config?: string;
  readonly lines: readonly string[];
  readonly shown: RegExp;
  readonly hidden?: RegExp;
};

export function testOrganization({
  title,
  organization,
  lines,
  shown,
  hidden,
  ...options
}: OrganizationCase): void {
  test(`organization defaults: ${title}`, async (t) => {
    const scenario = await createOrganization(t, organization, options);
    const reviewed = await review(scenario);
    assert.deepEqual(reviewed.lines, lines, reviewed.text);
    assert.match(reviewed.text.replaceAll("\\", ""), shown);
    if (hidden !== undefined) assert.doesNotMatch(reviewed.text, hidden);
  });
}
