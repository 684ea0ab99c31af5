/** `kodiai advisories download` in further forms: files of another machine, catalogs of exploited vulnerabilities, and downloads that fail. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { entry, folderOf, openMirror } from "../support/advisory-fixtures.ts";
import { buildZip } from "../support/build-archives.ts";
import { bumpedShop } from "../support/dependency-fixtures.ts";
import { runKodiai } from "../support/run-kodiai.ts";

test("files that another machine downloaded are a copy, and an ecosystem that it lacks is unknown", async (t) => {
  const repository = bumpedShop(t);
  const [from, to] = [folderOf(t), folderOf(t)];
  mkdirSync(join(from, "PyPI"));
  writeFileSync(
    join(from, "PyPI", "all.zip"),
    buildZip([{ name: "PYSEC-1.json", body: entry("PYSEC-1", "pads", "PyPI") }]),
  );
  const made = await runKodiai(["advisories", "download", "pypi", "--from", from], {
    cwd: repository.path,
    env: { KODIAI_ADVISORIES: to },
  });
  assert.match(made.stdout, /^pypi: 1 advisory, .*pypi\.zip\n$/, made.stderr);
  const { stdout } = await runKodiai(["deps", "--base", "main", "--offline"], {
    cwd: repository.path,
    env: { KODIAI_ADVISORIES: to },
  });
  const flat = stdout.replaceAll(/\s+/g, " ");
  assert.ok(
    flat.includes("advisories unavailable (the copy has none of this ecosystem) for 1 package"),
    stdout,
  );
  assert.doesNotMatch(flat, /Merge confidence: high/);
});

test("with the catalogs of exploited vulnerabilities next to the copy, a low advisory can be grave", async (t) => {
  const repository = bumpedShop(t);
  const folder = folderOf(t);
  const advisory = JSON.parse(entry("GHSA-new0-new0-new0", "pads").toString()) as object;
  writeFileSync(
    join(folder, "GHSA-new0-new0-new0.json"),
    JSON.stringify({ ...advisory, aliases: ["CVE-2026-1234"], database_specific: { severity: "LOW" } }),
  );
  const report = async () => {
    const { stdout, stderr } = await runKodiai(["deps", "--base", "main", "--offline"], {
      cwd: repository.path,
      env: { KODIAI_ADVISORIES: folder },
    });
    return (stdout + stderr).replaceAll(/\s+/g, " ");
  };
  assert.match(await report(), /Merge confidence: medium: .*introduces GHSA-new0-new0-new0 \(low severity\)/);

  const scores = "#model_version:v2025.03.14,score_date:2026-10-01T00:00:00+0000\ncve,epss,percentile\n";
  writeFileSync(
    join(folder, "epss_scores-current.csv.gz"),
    gzipSync(`${scores}CVE-2020-0001,0.5,0.5\nCVE-2026-1234,0.94359,0.999\n`),
  );
  assert.match(await report(), /Merge confidence: medium: .*\(low severity, EPSS 94 %\)/);

  const catalog = join(folder, "known_exploited_vulnerabilities.json");
  writeFileSync(
    catalog,
    JSON.stringify({ vulnerabilities: [{ cveID: "CVE-2026-1234", dateAdded: "2026-09-01" }] }),
  );
  assert.match(
    await report(),
    /Merge confidence: low: .*\(low severity, known to be exploited since 2026-09-01, EPSS 94 %\): Trouble/,
  );

  const review = await runKodiai(["review", "--base", "main", "--offline", "--format", "json"], {
    cwd: repository.path,
    env: { KODIAI_ADVISORIES: folder },
  });
  // The contract in schema/review-output.schema.json.
  const { findings } = JSON.parse(review.stdout) as {
    readonly findings: readonly { readonly rule?: string; readonly severity: string }[];
  };
  assert.deepEqual(
    findings.filter(({ rule }) => rule === "dependency-advisory").map(({ severity }) => severity),
    ["critical"],
  );

  // A file that isn't what its name says would read as "not exploited".
  writeFileSync(catalog, "<html>");
  const broken = await report();
  assert.match(broken, /known_exploited_vulnerabilities\.json can't be read/);
  assert.match(broken, /advisories unavailable/);
});

test("downloads that can't be made say what to do and leave the copy, and an index of another file isn't used", async (t) => {
  const { origin, cwd, folder, allowed, mirror, download, report } = await openMirror(t);
  assert.equal((await download(["npm", ...mirror])).code, 0);
  const failures = await Promise.all([
    download(["pypi", ...mirror]),
    download(["npm", ...mirror], { KODIAI_OFFLINE: "off" }),
    download(["npm", ...mirror], { ...allowed, KODIAI_OFFLINE: "on" }),
    download(["npm", "--from", cwd, "--to", folder]),
    download(["npm", "--from", `${origin}/mirror`]),
    download(["debian", ...mirror]),
    download([]),
  ]);
  const expected: readonly (readonly [number, RegExp])[] = [
    [4, /there is nothing at .*\/mirror\/PyPI\/all\.zip\n.*Check --from/],
    [4, /its host isn't allowed\n.*Add http:\/\/127\.0\.0\.1:\d+ to KODIAI_HOSTS/],
    [4, /no request is allowed\n.*Unset KODIAI_OFFLINE/],
    [2, /all\.zip can't be read\n.*a folder for each ecosystem/],
    [2, /there is no folder for the advisories\n.*--to, or set KODIAI_ADVISORIES/],
    [2, /OSV has no advisories of debian; choose from npm, pypi/],
    [2, /ECOSYSTEM/],
  ];
  for (const [index, { code, stderr }] of failures.entries()) {
    const [expectedCode, words] = expected[index] ?? [];
    assert.equal(code, expectedCode, stderr);
    assert.match(stderr, words ?? /never/);
  }
  assert.deepEqual(readdirSync(folder).toSorted(), ["npm.zip", "npm.zip.index.json"]);

  // The file is read as a whole.
  writeFileSync(
    join(folder, "npm.zip"),
    buildZip([{ name: "a.json", body: entry("GHSA-other-0000-0000", "pads") }]),
  );
  assert.ok((await report()).includes("introduces GHSA-other-0000-0000"));
});
