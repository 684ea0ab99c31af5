/** Findings as JSON holds them, and a branch whose contents a review describes. */
import type { TestContext } from "node:test";
import { runKodiai } from "./run-kodiai.ts";
import { type TestRepository, testRepository } from "./test-repository.ts";

export type JsonFinding = { path: string; startLine: number; rule: string; id: string };

export const byPlace = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true });

export const placesOf = (findings: readonly JsonFinding[]): readonly string[] =>
  findings.map(({ path, startLine, rule }) => `${path}:${startLine} ${rule}`).toSorted(byPlace);

/** A repository whose branch adds, removes and moves files. */
function repositoryOfOrders(t: TestContext): TestRepository {
  const made = testRepository();
  t.after(() => made.remove());
  made.write("src/orders.ts", "export function listOrders() {\n  return [];\n}\n");
  made.write("src/old.ts", "export function gone() {\n  return 1;\n}\n");
  made.write("src/moved.ts", `export const names = [\n${'  "a",\n'.repeat(20)}];\n`);
  made.commit("root");
  made.git("switch", "--quiet", "--create", "feature");
  made.write(
    "src/orders.ts",
    "export function listOrders() {\n  return [];\n}\n\nexport function findOrder(id: string) {\n  return db.query(`SELECT * FROM orders WHERE id = '${id}'`);\n}\n",
  );
  made.git("rm", "--quiet", "src/old.ts");
  made.git("mv", "src/moved.ts", "src/names.ts");
  made.write("package-lock.json", '{ "lockfileVersion": 3 }\n');
  made.commit("find orders");
  return made;
}

/** The lines in which a review describes that branch. */
export const CONTENTS = [
  "1 file to read, 4 changed lines: source (TypeScript). Not counted: 1 lock file, 1 file moved without edits and 1 deleted file.",
  "Adds `findOrder`; removes `gone`.",
  "Needs attention: adds raw SQL (`src/orders.ts`).",
];

export async function reviewOfOrders(t: TestContext, format: string): Promise<string> {
  const { path: cwd } = repositoryOfOrders(t);
  return (await runKodiai(["review", "--no-memory", "--base", "main", "--format", format], { cwd })).stdout;
}
