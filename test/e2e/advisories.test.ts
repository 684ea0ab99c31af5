/** `kodiai advisories download`, from a mirror on loopback to a report without a network. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import { ADVISORY_ECOSYSTEMS } from "../../src/cli/advisories-download.ts";
import { ecosystemOf } from "../../src/ecosystems/all-ecosystems.ts";
import { ECOSYSTEM_IDS } from "../../src/ecosystems/ecosystem.ts";
import { buildZip } from "../support/build-archives.ts";
import { bumpedShop } from "../support/dependency-fixtures.ts";
import { startServer } from "../support/local-server.ts";
import { runKodiai } from "../support/run-kodiai.ts";

const entry = (id: string, name: string, ecosystem = "npm"): Buffer =>
  Buffer.from(
    JSON.stringify({
      id,
      modified: "2026-10-01T00:00:00Z",
      summary: `Trouble in ${name}`,
      database_specific: { severity: "HIGH" },
      affected: [
        {
          package: { ecosystem, name },
          ranges: [{ type: "SEMVER", events: [{ introduced: "2.0.0" }] }],
        },
      ],
    }),
  );

const ARCHIVE = buildZip([
  ...Array.from({ length: 50 }, (_, index) => ({
    name: `MAL-${index}.json`,
    body: entry(`MAL-${index}`, `bad-${index}`),
  })),
  { name: "GHSA-new0-new0-new0.json", body: entry("GHSA-new0-new0-new0", "pads") },
]);

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-copy-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("a downloaded copy answers without a network, and a failed update leaves it as it is", async (t) => {
  let body = ARCHIVE;
  const { port, requests } = await startServer(t, ({ url }, response) => {
    response.writeHead(url === "/mirror/npm/all.zip" ? 200 : 404).end(body);
  });
  const origin = `http://127.0.0.1:${port}`;
  const repository = bumpedShop(t);
  const folder = join(folderOf(t), "advisories");
  const allowed = { KODIAI_OFFLINE: "off", KODIAI_HOSTS: origin, KODIAI_PRIVATE_HOSTS: origin };
  const download = (args: readonly string[], env: Record<string, string> = allowed) =>
    runKodiai(["advisories", "download", ...args], { cwd: repository.path, env });
  const mirror = ["--from", `${origin}/mirror/`, "--to", folder];

  const made = await download(["NPM", ...mirror]);
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stdout, /^npm: 51 advisories, the newest of 2026-10-01, 0\.0 MB in .*npm\.zip$/m);
  assert.ok(made.stdout.includes(`set KODIAI_ADVISORIES=${folder}`), made.stdout);
  assert.deepEqual(
    requests.map(({ url }) => url),
    ["/mirror/npm/all.zip"],
  );

  const report = async () => {
    const { stdout } = await runKodiai(["deps", "--base", "main", "--offline"], {
      cwd: repository.path,
      env: { KODIAI_ADVISORIES: folder },
    });
    return stdout.replaceAll(/\s+/g, " ");
  };
  const page = await report();
  assert.ok(page.includes("introduces GHSA-new0-new0-new0 (high severity): Trouble in pads"), page);
  assert.ok(page.includes("advisories from an offline copy of 2026-10-01"), page);

  // The rest fails, each with what to do, and the copy stays.
  body = Buffer.from("not a zip file");
  const failures = await Promise.all([
    download(["npm", ...mirror]),
    download(["pypi", ...mirror]),
    download(["npm", ...mirror], { KODIAI_OFFLINE: "off" }),
    download(["npm", ...mirror], { ...allowed, KODIAI_OFFLINE: "on" }),
    download(["npm", "--from", repository.path, "--to", folder]),
    download(["npm", "--from", `${origin}/mirror`]),
    download(["debian", ...mirror]),
    download([]),
  ]);
  const expected: readonly (readonly [number, RegExp])[] = [
    [4, /isn't a zip file with advisories of npm\n.*The copy that you have is unchanged/],
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
  assert.equal(await report(), page);

  // An index of another file is not used: the file is read as a whole.
  writeFileSync(
    join(folder, "npm.zip"),
    buildZip([{ name: "a.json", body: entry("GHSA-other-0000-0000", "pads") }]),
  );
  assert.ok((await report()).includes("introduces GHSA-other-0000-0000"));
});

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

test("the help lists the ecosystems that OSV has", () => {
  const known = ECOSYSTEM_IDS.filter((id) => ecosystemOf(id).advisoryNames !== undefined);
  assert.deepEqual([...ADVISORY_ECOSYSTEMS].toSorted(), known.toSorted());
});
