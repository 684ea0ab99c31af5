import assert from "node:assert/strict";
import { test } from "node:test";
import { priorRun } from "../../../test/support/prior-fixtures.ts";
import { sampleChange, sampleFile } from "../../../test/support/sample-publication.ts";
import { KodiaiError } from "../../base/errors.ts";
import type { Change } from "../../review/change/change.ts";
import { withDiffs } from "./gather-prior-review.ts";

test("each diff of earlier runs is read once, that of the change itself not again, and a lost one is null", async () => {
  const change = sampleChange([sampleFile("now.ts", [])], { base: "a", head: "d" });
  const asked: string[] = [];
  const readChange = ({ head }: { readonly head?: string }): Promise<Change> => {
    asked.push(head ?? "");
    if (head === "gone") throw new KodiaiError("io", "no such commit", { hint: "" });
    return Promise.resolve(sampleChange([sampleFile(`${head}.ts`, [])]));
  };
  const runs = ["b", "gone", "b", "d", "c", "gone"].map((head) => {
    const { files: _, ...run } = priorRun({ base: "a", head });
    return run;
  });
  const repository = { readChange } as Parameters<typeof withDiffs>[1];
  const prior = await withDiffs({ runs, findings: [] }, repository, change);
  assert.deepEqual(
    prior.runs.map(({ head, files }) => [head, files?.map(({ path }) => path) ?? null]),
    [
      ["b", ["b.ts"]],
      ["gone", null],
      ["b", ["b.ts"]],
      ["d", ["now.ts"]],
      ["c", ["c.ts"]],
      ["gone", null],
    ],
  );
  assert.deepEqual(asked, ["b", "gone", "c"]);
});
