import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFile } from "../../../test/support/analysis-fixtures.ts";
import type { ChangedFile } from "./change.ts";
import { createSharing } from "./share-files.ts";

const BLOBS = { oldBlob: "a".repeat(40), newBlob: "b".repeat(40) };

function fileOf(given: Partial<ChangedFile> = {}): ChangedFile {
  return { ...changedFile({ path: "a.ts", lines: ["+one"] }), ...BLOBS, ...given };
}

test("files with the same blobs are shared between runs, and only those", () => {
  const first = fileOf();
  const share = createSharing([first]);
  assert.equal(share(fileOf()), first);
  const edited = fileOf({ newBlob: "c".repeat(40) });
  assert.equal(share(edited), edited);
  assert.equal(share(fileOf({ newBlob: "c".repeat(40) })), edited);
  // Uncommitted files have no blob, and a limit may have left out lines of one diff.
  for (const other of [fileOf({ newBlob: null }), fileOf({ hunks: [] })]) assert.equal(share(other), other);
});
