/** `kodiai advisories download`, from a mirror on loopback to a report without a network. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { ADVISORY_ECOSYSTEMS } from "../../src/cli/advisories-download.ts";
import { ecosystemOf } from "../../src/ecosystems/all-ecosystems.ts";
import { ECOSYSTEM_IDS } from "../../src/ecosystems/ecosystem.ts";
import { openMirror } from "../support/advisory-fixtures.ts";

test("a downloaded copy answers without a network, and a failed update leaves it as it is", async (t) => {
  const { archive, requests, folder, mirror, download, report } = await openMirror(t);
  const made = await download(["NPM", ...mirror]);
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stdout, /^npm: 51 advisories, the newest of 2026-10-01, 0\.0 MB in .*npm\.zip$/m);
  assert.ok(made.stdout.includes(`set KODIAI_ADVISORIES=${folder}`), made.stdout);
  assert.deepEqual(
    requests.map(({ url }) => url),
    ["/mirror/npm/all.zip"],
  );
  const page = await report();
  assert.ok(page.includes("introduces GHSA-new0-new0-new0 (high severity): Trouble in pads"), page);
  assert.ok(page.includes("advisories from an offline copy of 2026-10-01"), page);

  archive.body = Buffer.from("not a zip file");
  const failed = await download(["npm", ...mirror]);
  assert.equal(failed.code, 4, failed.stderr);
  assert.match(
    failed.stderr,
    /isn't a zip file with advisories of npm\n.*The copy that you have is unchanged/,
  );
  assert.deepEqual(readdirSync(folder).toSorted(), ["npm.zip", "npm.zip.index.json"]);
  assert.equal(await report(), page);
});

test("the help lists the ecosystems that OSV has", () => {
  const known = ECOSYSTEM_IDS.filter((id) => ecosystemOf(id).advisoryNames !== undefined);
  assert.deepEqual([...ADVISORY_ECOSYSTEMS].toSorted(), known.toSorted());
});
