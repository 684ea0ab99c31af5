import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { createScratchFolder, removeScratchFolder, sweepScratchFolders } from "./scratch-folder.ts";

test("folders of processes that are gone are removed, and nothing else", async (t) => {
  const parent = mkdtempSync(join(tmpdir(), "kodiai-left-"));
  t.after(() => rmSync(parent, { recursive: true, force: true }));
  const made = await createScratchFolder("oxlint");
  await removeScratchFolder(made);
  const living = basename(made);
  assert.match(living, /^kodiai-oxlint-\d+\.\d+\.\d+-/);
  const [, space = "", start = ""] = /^kodiai-oxlint-(\d+)\.\d+\.(\d+)-/.exec(living) ?? [];
  const { pid: gone } = spawnSync(process.execPath, ["--version"]);
  const isLinux = process.platform === "linux";
  const kept = [
    living,
    living.replace("oxlint", "agent"),
    "kodiai-oxlint-new",
    `kodiai-oxlint-99${space}.${gone}.1-new`,
    "other-old",
    "kodiai-oxlint",
  ];
  const removed = [
    `kodiai-oxlint-${space}.${gone}.${start}-x`,
    `kodiai-agent-${space}.${gone}.1-x`,
    // A later process has the same id.
    ...(isLinux ? [`kodiai-oxlint-${space}.${process.pid}.1-x`] : []),
    // A version that didn't write its process into the name, and a container whose processes can't be seen.
    "kodiai-agent-old",
    `kodiai-oxlint-99${space}.${gone}.1-old`,
  ];
  const twoDaysAgo = Date.now() / 1_000 - 2 * 86_400;
  for (const name of [...kept, ...removed]) {
    mkdirSync(join(parent, name, "home"), { recursive: true });
    writeFileSync(join(parent, name, "home", "0001.ts"), "code");
    if (name.endsWith("old")) utimesSync(join(parent, name), twoDaysAgo, twoDaysAgo);
  }
  const isRoot = process.getuid?.() === 0;
  const foreign = `kodiai-oxlint-${space}.${gone}.1-foreign`;
  if (isRoot) {
    mkdirSync(join(parent, foreign));
    chownSync(join(parent, foreign), 12_345, 12_345);
  }
  // A file is no folder.
  writeFileSync(join(parent, `kodiai-oxlint-${space}.${gone}.1-file`), "");
  await sweepScratchFolders(parent);
  assert.deepEqual(
    readdirSync(parent).toSorted(),
    [...kept, ...(isRoot ? [foreign] : []), `kodiai-oxlint-${space}.${gone}.1-file`].toSorted(),
  );
  await sweepScratchFolders(join(parent, "missing"));
});

test("a scratch folder is open to its user only", async () => {
  const folder = await createScratchFolder("agent");
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  await removeScratchFolder(folder);
  assert.throws(() => statSync(folder));
});
