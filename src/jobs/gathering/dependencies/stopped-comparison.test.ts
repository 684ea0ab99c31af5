import assert from "node:assert/strict";
import { test } from "node:test";
import { testRepository } from "../../../../test/support/test-repository.ts";
import type { Reading } from "../../../base/task-process/task-runner.ts";
import type { Reader } from "../../../reading/reader.ts";
import { openRepository } from "../../../repository/git/open-repository.ts";
import { isGapIncomplete, isUnchecked } from "../../../review/findings/checks.ts";
import { exampleReport } from "../../../../test/support/example-report.ts";
import { gapsOfDependencies } from "../../reading/find-gaps.ts";
import { DEPENDENCY_RULES } from "../../reading/inputs-of-rules.ts";
import { renderTerminalDependencies } from "../../../review/publication/render/terminal-dependencies.ts";
import { createListing } from "../gather-listing.ts";
import { createDegradations } from "../optional.ts";
import { compareDependencies } from "./compare-dependencies.ts";

const PATH = "package-lock.json";

const STOPPED: readonly (readonly [what: string, reading: Reading<never>])[] = [
  ["is stopped at its time limit", { kind: "over-limit", limit: "time" }],
  ["is stopped at its memory limit", { kind: "over-limit", limit: "memory" }],
  ["fails", { kind: "failed", message: "a defect" }],
];

for (const [what, reading] of STOPPED) {
  test(`[P17] a comparison of dependencies that ${what} makes the review incomplete and resolves nothing`, async (t) => {
    const made = testRepository();
    t.after(() => made.remove());
    made.write(PATH, "{}\n");
    made.commit("base");
    made.write(PATH, '{ "lockfileVersion": 3, "packages": {} }\n');
    made.commit("head");
    const { signal } = new AbortController();
    const repository = await openRepository(made.path, { PATH: process.env["PATH"] ?? "" }, signal);
    t.after(() => repository.close());
    const change = await repository.readChange({ kind: "range", range: "HEAD~1..HEAD" });
    const degradations = createDegradations(signal);
    const reader: Reader = { warm() {}, ask: async () => reading, close() {} };
    const listing = createListing(change, repository, degradations);
    const dependencies = await compareDependencies(change, change.files, {
      repository,
      reader,
      listing,
      degradations,
      readGenerated: async () => () => false,
    });
    const unread = dependencies?.unread ?? [];
    const report = { ...exampleReport({}, { unread }), packages: [] };
    const page = renderTerminalDependencies(report, { color: false, width: 200 });
    assert.match(page, /package-lock\.json wasn't compared/);
    assert.doesNotMatch(page, /touches no dependency/);
    const gaps = gapsOfDependencies({ dependencies }, report);
    assert.ok(gaps.some(isGapIncomplete));
    for (const rule of DEPENDENCY_RULES) assert.ok(isUnchecked(rule, PATH, gaps), rule);
  });
}
