/** A pull request with findings, and its second push. */
import assert from "node:assert/strict";
import { pushAndReview, reasonOf } from "./app/pushes.ts";
import { AFTER, type Scenario } from "./app/scenario.ts";

export const CONFIG = "review:\n  debounceSeconds: 0\n";

export const USERS = AFTER["src/users.ts"];

export const FIXED_SQL = USERS.replace(
  "`select * from users where id = ${id}`",
  '"select * from users where id = $1", [id]',
);

/** The second finding of a text, fixed. */
export function fixCatch(text: string): string {
  return text.replace("} catch {}", "} catch (error) {\n    console.error(error);\n  }");
}

export async function openAndReview(scenario: Scenario): Promise<void> {
  await scenario.start();
  assert.equal(await reasonOf(scenario, () => scenario.send("opened")), "published");
}

export async function push(scenario: Scenario, files: Readonly<Record<string, string>>): Promise<void> {
  assert.equal(await pushAndReview(scenario, files), "published");
}

/** The last line of a summary, or of what has its place. */
export const FOOTER = /`@kodiai help` lists the commands · React with 👎 to a wrong finding/;

/** The text of the newest check. */
export function checkText({ fake, pullRequest }: Scenario): string {
  const output = fake.checksOf(pullRequest).at(-1)?.output;
  return `${output?.title ?? ""}\n${output?.summary ?? ""}`;
}

export function summary({ fake, pullRequest }: Scenario): string {
  return fake.commentsOf(pullRequest).find(({ body }) => body.includes("kodiai:summary"))?.body ?? "";
}
