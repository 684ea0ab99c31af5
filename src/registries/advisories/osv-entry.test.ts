import assert from "node:assert/strict";
import { test } from "node:test";
import type { Advisory } from "../../ecosystems/lookups.ts";
import { matchAdvisories } from "../../ecosystems/match-advisories.ts";
import { severityOfVectors } from "./cvss-severity.ts";
import { isAffected, toAdvisory } from "./osv-entry.ts";

const PADS = { ecosystem: "npm", name: "pads" } as const;

const entryOf = (events: readonly object[], more: object = {}): unknown => ({
  id: "GHSA-aaaa-bbbb-cccc",
  affected: [{ package: { ecosystem: "npm", name: "pads" }, ranges: [{ type: "SEMVER", events }] }],
  ...more,
});

test("events are sorted by version, whatever their order in the file", () => {
  const events = [{ fixed: "2.1.0" }, { introduced: "2.0.0" }, { fixed: "1.5.0" }, { introduced: "0" }];
  const affected = ["0.1.0", "1.5.0", "1.9.0", "2.0.0", "2.1.0"].filter((version) =>
    isAffected(entryOf(events), PADS, version),
  );
  assert.deepEqual(affected, ["0.1.0", "2.0.0"]);
  const last = [{ last_affected: "1.2.0" }, { introduced: "1.0.0" }];
  assert.equal(isAffected(entryOf(last), PADS, "1.2.0"), true);
  assert.equal(isAffected(entryOf(last), PADS, "1.2.1"), false);
  assert.equal(isAffected(entryOf([{ introduced: "one" }]), PADS, "1.0.0"), null);
});

const VECTORS: readonly (readonly [string, readonly string[]])[] = [
  ["critical", ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"]],
  ["critical", ["CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N"]],
  ["high", ["AV:N/AC:L/Au:N/C:P/I:P/A:P"]],
  ["low", ["CVSS:3.0/AV:N/AC:H/PR:N/UI:R/S:C/C:L/I:N/A:N"]],
  [
    "critical",
    ["CVSS:3.0/AV:N/AC:H/PR:N/UI:R/S:C/C:L/I:N/A:N", "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"],
  ],
  ["unknown", ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N"]],
  ["unknown", ["CVSS:3.1/AV:N", "", "9.8", "CVSS:9.9/AV:N", "A:".repeat(100_000)]],
];

test("CVSS vectors of versions 2, 3 and 4 have a severity", () => {
  for (const [severity, vectors] of VECTORS) assert.equal(severityOfVectors(vectors), severity, vectors[0]);
});

test("a severity that the database gives comes before its vectors", () => {
  const severity = [{ type: "CVSS_V3", score: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H" }];
  const rated = (more: object) => toAdvisory(entryOf([], more), PADS)?.severity;
  assert.equal(rated({ severity }), "critical");
  assert.equal(rated({ severity, database_specific: { severity: "LOW" } }), "low");
  assert.equal(rated({}), "unknown");
});

test("entries of several databases about one vulnerability are one advisory", () => {
  const advisory = (id: string, aliases: readonly string[], severity: Advisory["severity"]): Advisory => ({
    id,
    aliases,
    severity,
    summary: id,
    url: null,
    fixedIn: [id],
  });
  const listed = {
    kind: "found",
    value: [
      advisory("PYSEC-1", ["CVE-1"], "unknown"),
      advisory("PYSEC-2", [], "low"),
      advisory("GHSA-1", ["CVE-1"], "high"),
    ],
  } as const;
  const matched = matchAdvisories({ kind: "found", value: [] }, listed);
  assert.deepEqual(
    matched.kind === "found" &&
      matched.value.map(({ advisory: { id, aliases, severity, fixedIn } }) => [
        id,
        aliases,
        severity,
        fixedIn,
      ]),
    [
      ["PYSEC-2", [], "low", ["PYSEC-2"]],
      ["GHSA-1", ["CVE-1", "PYSEC-1"], "high", ["GHSA-1", "PYSEC-1"]],
    ],
  );
  // An entry that names two others joins them.
  const chain = [
    advisory("A", ["B"], "low"),
    advisory("C", ["D"], "medium"),
    advisory("E", ["B", "D"], "high"),
  ];
  const joined = matchAdvisories(null, { kind: "found", value: chain });
  assert.equal(joined.kind === "found" && joined.value.length, 1);
});
