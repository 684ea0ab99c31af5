/** Reads the promises of docs/security.md and docs/reliability.md and holds them against the tests that passed. */
import { readFileSync } from "node:fs";

const DOCUMENTS = ["docs/security.md", "docs/reliability.md"];

type Promised = { readonly name: string; readonly tests: readonly string[] };

function readPromises(): readonly Promised[] {
  return DOCUMENTS.flatMap((path) =>
    readFileSync(path, "utf8")
      .split(/^## /m)
      .filter((section) => /^\d+\. /.test(section))
      .map((section) => ({
        name: section.split("\n", 1)[0] ?? "",
        tests: [...section.matchAll(/^- `(.+)`$/gm)].map((match) => match[1] ?? ""),
      })),
  );
}

/** Prints promise, tests and result; the number of promises that are not kept. */
export function reportPromises(passed: ReadonlySet<string>, failed: ReadonlySet<string>): number {
  let broken = 0;
  for (const { name, tests } of readPromises()) {
    const missing = tests.filter((test) => failed.has(test) || !passed.has(test));
    const isKept = missing.length === 0 && tests.length > 0;
    if (!isKept) broken++;
    console.log(
      `${isKept ? "kept  " : "BROKEN"} ${name} (${tests.length} ${tests.length === 1 ? "test" : "tests"})`,
    );
    for (const test of missing) console.log(`         did not pass: ${test}`);
  }
  return broken;
}
