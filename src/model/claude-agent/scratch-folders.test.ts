import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { removeStaleScratchFolders } from "./scratch-folders.ts";

test("folders that killed processes have left are cleared away, and nothing else", async (t) => {
  const parent = mkdtempSync(join(tmpdir(), "kodiai-left-"));
  t.after(() => rmSync(parent, { recursive: true, force: true }));
  const twoDaysAgo = Date.now() / 1_000 - 2 * 86_400;
  for (const name of ["kodiai-agent-old", "kodiai-agent-new", "other-old"]) {
    mkdirSync(join(parent, name, "home"), { recursive: true });
    writeFileSync(join(parent, name, "home", "file"), "x");
    if (name.endsWith("old")) utimesSync(join(parent, name), twoDaysAgo, twoDaysAgo);
  }
  await removeStaleScratchFolders(parent);
  assert.deepEqual(readdirSync(parent).toSorted(), ["kodiai-agent-new", "other-old"]);
  await removeStaleScratchFolders(join(parent, "missing"));
});
