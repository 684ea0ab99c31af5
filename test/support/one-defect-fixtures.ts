/** A defect that a rule finds and a model reports in its own words, and how `kodiai review` shows it. */
import type { TestContext } from "node:test";
import { type Desk, openDesk } from "./model-scenes/desk.ts";
import { FINISHING, oneByOne, recording } from "./model-scenes/model-scene.ts";

export const MODEL = ["--model", "openai:scripted"] as const;

export const TITLE = "An attacker can read every user";

/** Where it is. */
export const QUERY = {
  path: "src/users.ts",
  quote: "  return db.query(`select * from users where id = ${id}`);",
} as const;

/** The model reports it like this. */
export const REPORTED = {
  ...QUERY,
  title: TITLE,
  body: "The value of `id` is concatenated into the SQL statement. Use a bound parameter.",
  severity: "medium",
} as const;

/** The built-in rule reports the query on line 4, and an empty catch on line 10. The model's second finding is on line 9. */
export function openWithRule(t: TestContext): Promise<Desk> {
  return openDesk(t, {
    script: oneByOne([
      recording({ ...REPORTED, category: "correctness" }),
      recording({ path: "src/users.ts", quote: '    find("1");', title: "The search is not awaited" }),
      FINISHING,
    ]),
  });
}

type JsonFinding = {
  readonly number: number;
  readonly title: string;
  readonly startLine: number;
  readonly severity: string;
  readonly reportedSeverity: string;
  readonly rule?: string;
  readonly alsoReportedBy?: readonly {
    readonly rule?: string;
    readonly title: string;
    readonly body: string;
  }[];
};

export function onLine(findings: readonly JsonFinding[], line: number): readonly JsonFinding[] {
  return findings.filter(({ startLine }) => startLine === line);
}
