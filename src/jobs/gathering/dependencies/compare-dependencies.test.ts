import assert from "node:assert/strict";
import { test } from "node:test";
import { createInProcessReader } from "../../../../test/support/in-process-reader.ts";
import { testRepository } from "../../../../test/support/test-repository.ts";
import { openRepository } from "../../../repository/git/open-repository.ts";
import { createListing } from "../gather-listing.ts";
import { createDegradations } from "../optional.ts";
import { compareDependencies } from "./compare-dependencies.ts";

const lockOf = (version: string): string =>
  JSON.stringify({ lockfileVersion: 3, packages: { "": {}, "node_modules/pads": { version } } });

/** One byte over the limit for a file. */
const HUGE = " ".repeat(32 * 1024 * 1024 + 1);

test("a file that is too large, in conflict or cut off is named, and the others are compared", async (t) => {
  const made = testRepository();
  t.after(() => made.remove());
  const write = (folder: string, text: string): void => made.write(`${folder}/package-lock.json`, text);
  for (const folder of ["good", "huge", "conflict", "cut"]) write(folder, lockOf("1.0.0"));
  made.commit("base");
  write("good", lockOf("2.0.0"));
  write("huge", HUGE);
  write("conflict", `<<<<<<< HEAD\n${lockOf("1.1.0")}\n=======\n${lockOf("1.2.0")}\n>>>>>>> other\n`);
  write("cut", lockOf("2.0.0").slice(0, -20));
  made.commit("head");
  const { signal } = new AbortController();
  const repository = await openRepository(made.path, { PATH: process.env["PATH"] ?? "" }, signal);
  t.after(() => repository.close());
  const change = await repository.readChange({ kind: "range", range: "HEAD~1..HEAD" });
  const degradations = createDegradations(signal);
  const compared = await compareDependencies(change, {
    repository,
    reader: createInProcessReader(),
    listing: createListing(change, repository, degradations),
    degradations,
    isGenerated: () => false,
  });
  assert.deepEqual(
    compared?.unread.map(({ path, side, problem }) => `${path} ${side} ${problem}`).toSorted(),
    [
      "conflict/package-lock.json head conflict-markers",
      "cut/package-lock.json head malformed",
      "huge/package-lock.json head too-large",
    ],
  );
  assert.deepEqual(
    compared?.packages.map(({ name, from, to }) => `${name} ${from?.version} ${to?.version}`),
    ["pads 1.0.0 2.0.0"],
  );
  assert.deepEqual(degradations.list(), []);
});
