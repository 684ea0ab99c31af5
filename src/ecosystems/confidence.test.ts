import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { confidenceOf, overallConfidence } from "./confidence.ts";
import type { ApiDifference } from "../languages/api/api-difference.ts";
import type { UsePlace } from "../languages/uses/package-uses.ts";
import { summarizeUses } from "./api/uses/summarize-uses.ts";
import type { AdvisoryFact, ConfidenceLevel, PastBump } from "./dependency-report.ts";
import type { AdvisorySeverity, Lookup, LookupFailure } from "./lookups.ts";
import type { BumpKind, PackageChange, PackageVersion } from "./package-change.ts";
import type { Signal, SignalKind } from "./supply-chain/signal.ts";
import { someRuns } from "../../test/support/extent.ts";

type Facts = Parameters<typeof confidenceOf>[0];

const VERSION: PackageVersion = {
  version: "1.0.0",
  requirement: null,
  origin: { kind: "registry", url: null },
  integrity: null,
  hasInstallScript: null,
};

const CHANGE: PackageChange = {
  ecosystem: "npm",
  name: "left-pad",
  from: VERSION,
  to: VERSION,
  kind: "patch",
  isBreaking: false,
  group: "runtime",
  chain: [],
  isDirect: true,
  places: [],
  signals: [],
};

const MAJOR: PackageChange = { ...CHANGE, kind: "major", isBreaking: true };
const ZERO_MINOR: PackageChange = {
  ...CHANGE,
  from: { ...VERSION, version: "0.3.0" },
  kind: "minor",
  isBreaking: true,
};
const SAME_API: ApiDifference = {
  changes: [],
  facts: [],
  addedCount: 2,
  comparedCount: 10,
  omittedCount: 0,
  basis: "declarations",
  gaps: [],
};
const GONE: ApiDifference["changes"][number] = {
  entry: "left-pad",
  name: "pad",
  kind: "value",
  change: { kind: "removed" },
};

const NO_USES = summarizeUses([]);

const ABSENT = { kind: "absent" } as const;

const QUIET: Facts = {
  change: CHANGE,
  release: ABSENT,
  advisories: { kind: "found", value: [] },
  changelog: ABSENT,
  compareUrl: null,
  api: ABSENT,
  uses: null,
  concerns: null,
  signals: [],
  history: [],
};

const advisory = (fate: AdvisoryFact["fate"], severity: AdvisorySeverity): AdvisoryFact => ({
  fate,
  advisory: { id: "GHSA-1", aliases: [], severity, summary: "", url: null, fixedIn: [] },
});

const found = <Value>(value: Value): Lookup<Value> => ({ kind: "found", value });
const signal = (kind: SignalKind): Signal => ({ kind, path: null, from: null, to: null });
const SITE: UsePlace = {
  path: "a.ts",
  line: 1,
  column: 1,
  text: "",
  name: "foo",
  symbol: "foo",
  role: "use",
  isTest: false,
  isTypeOnly: false,
};
const usesWith = (places: readonly UsePlace[]): Facts["uses"] => ({ ...NO_USES, places });
const REVERTED: PastBump = { from: "1", to: "2", mergedAt: "2026-01-01", revertedAt: "2026-01-03" };
const NOTES: Facts["changelog"] = found({
  origin: "archive",
  notes: [],
  breaking: ["drops Node 18"],
  symbols: [],
  omittedChars: 0,
});

const QUIET_NOTES: Facts["changelog"] = found({
  origin: "releases",
  notes: [{ version: "0.4.0", text: "- Faster", url: null }],
  breaking: [],
  symbols: [],
  omittedChars: 0,
});

const unanswered = (reason: LookupFailure): Lookup<never> => ({ kind: "failed", reason });
const GEM: PackageChange = { ...ZERO_MINOR, ecosystem: "rubygems", isBreaking: false };
const UNSUPPORTED = unanswered("unsupported");
const OFFLINE = { advisories: unanswered("offline"), release: unanswered("offline") };

const CASES: readonly (readonly [string, Partial<Facts>, ConfidenceLevel, readonly string[]])[] = [
  ["a patch without anything", {}, "high", []],
  ["a major", { change: { ...CHANGE, kind: "major", isBreaking: true } }, "medium", ["breaking-version"]],
  [
    "a major that only other packages need",
    { change: { ...CHANGE, kind: "major", isBreaking: true, isDirect: false }, changelog: NOTES },
    "high",
    [],
  ],
  ["a breaking minor whose exports weren't compared", { change: ZERO_MINOR }, "medium", ["breaking-version"]],
  [
    "a major whose exports are all there",
    { change: MAJOR, api: found(SAME_API) },
    "medium",
    ["breaking-version"],
  ],
  [
    "a step to 1.0 whose exports are all there",
    { change: { ...ZERO_MINOR, kind: "major" }, api: found(SAME_API) },
    "high",
    [],
  ],
  ["a breaking minor whose exports are all there", { change: ZERO_MINOR, api: found(SAME_API) }, "high", []],
  [
    "a breaking minor that removes an export",
    { change: ZERO_MINOR, api: found({ ...SAME_API, changes: [GONE] }) },
    "medium",
    ["breaking-version"],
  ],
  [
    "a breaking minor without a file that users only happened to be able to import",
    {
      change: ZERO_MINOR,
      api: found({
        ...SAME_API,
        facts: [{ kind: "entry-removed", entry: "left-pad/lib/a.js", isFile: true }],
      }),
    },
    "high",
    [],
  ],
  [
    "a breaking minor that removes an entry point",
    {
      change: ZERO_MINOR,
      api: found({ ...SAME_API, facts: [{ kind: "entry-removed", entry: "left-pad/a", isFile: false }] }),
    },
    "medium",
    ["breaking-version"],
  ],
  [
    "a breaking minor of which a part couldn't be compared",
    { change: ZERO_MINOR, api: found({ ...SAME_API, gaps: [{ reason: "syntax", where: "a.js" }] }) },
    "medium",
    ["breaking-version"],
  ],
  [
    "a gem's minor below 1.0 without notes",
    { change: GEM, api: UNSUPPORTED },
    "medium",
    ["unproven-version"],
  ],
  [
    "a gem's minor below 1.0 whose notes name nothing breaking",
    { change: GEM, api: UNSUPPORTED, changelog: QUIET_NOTES },
    "high",
    [],
  ],
  [
    "a gem's minor below 1.0 that only other gems need",
    { change: { ...GEM, isDirect: false }, api: UNSUPPORTED },
    "high",
    [],
  ],
  ["a gem's patch below 1.0", { change: { ...GEM, kind: "patch" }, api: UNSUPPORTED }, "high", []],
  [
    "a Go module's minor below 1.0 whose exports were compared",
    { change: { ...GEM, ecosystem: "go" }, api: found(SAME_API) },
    "high",
    [],
  ],
  [
    "a major that our code uses",
    { change: { ...CHANGE, kind: "major", isBreaking: true }, uses: usesWith([SITE]) },
    "low",
    ["breaking-version", "affected-call-sites"],
  ],
  [
    "a critical advisory that stays",
    { advisories: found([advisory("still-affecting", "critical")]) },
    "low",
    ["grave-advisory"],
  ],
  [
    "a high advisory that comes",
    { advisories: found([advisory("introduced", "high")]) },
    "low",
    ["grave-advisory"],
  ],
  [
    "a low advisory that comes",
    { advisories: found([advisory("introduced", "low")]) },
    "medium",
    ["advisory"],
  ],
  ["a fixed advisory", { advisories: found([advisory("fixed", "critical")]) }, "high", ["fixes-advisory"]],
  ["breaking notes", { changelog: NOTES }, "medium", ["breaking-notes"]],
  ["tampering", { signals: [signal("integrity-changed")] }, "low", ["tampering"]],
  ["a young release", { signals: [signal("young-release")] }, "high", []],
  ["another publisher", { signals: [signal("publisher-changed")] }, "high", []],
  [
    "another publisher without the provenance of before",
    { signals: [signal("publisher-changed"), signal("provenance-lost")] },
    "medium",
    ["supply-chain"],
  ],
  ["a deprecated version", { signals: [signal("deprecated")] }, "medium", ["supply-chain"]],
  ["an unknown version", { change: { ...CHANGE, kind: "unknown" } }, "medium", ["unknown-version"]],
  ["a downgrade", { change: { ...CHANGE, kind: "downgrade" } }, "medium", ["downgrade"]],
  ["a bump that was reverted before", { history: [REVERTED] }, "medium", ["reverted-before"]],
  ["unknown advisories", { advisories: unanswered("network") }, "medium", ["advisories-unknown"]],
  ["a package that was not looked up", OFFLINE, "medium", ["advisories-unknown", "release-unknown"]],
  ["an unknown release", { release: unanswered("time") }, "medium", ["release-unknown"]],
  ["an ecosystem without releases", { release: unanswered("unsupported") }, "high", []],
  [
    "a removed package",
    { change: { ...CHANGE, kind: "removed", to: null }, release: unanswered("limit") },
    "high",
    [],
  ],
];

for (const [name, facts, level, reasons] of CASES) {
  test(`confidence of ${name}`, () => {
    assert.deepEqual(confidenceOf({ ...QUIET, ...facts }), { level, reasons });
  });
}

const RANK: Readonly<Record<ConfidenceLevel, number>> = { low: 0, medium: 1, high: 2 };

const KINDS: readonly BumpKind[] = ["patch", "minor", "major", "downgrade", "unknown", "reference"];
const SIGNALS: readonly SignalKind[] = [
  "integrity-changed",
  "install-script",
  "young-release",
  "close-name",
  "unneeded",
];

const facts = fc.record({
  change: fc.record({ kind: fc.constantFrom(...KINDS), isBreaking: fc.boolean() }),
  advisories: fc.oneof(
    fc.constant<Facts["advisories"]>({ kind: "failed", reason: "network" }),
    fc
      .array(
        fc.record({
          fate: fc.constantFrom<AdvisoryFact["fate"]>("fixed", "still-affecting", "introduced"),
          severity: fc.constantFrom<AdvisorySeverity>("critical", "high", "medium", "low", "unknown"),
        }),
        { maxLength: 3 },
      )
      .map((list): Facts["advisories"] => found(list.map(({ fate, severity }) => advisory(fate, severity)))),
  ),
  changelog: fc.constantFrom<Facts["changelog"]>(ABSENT, NOTES),
  signals: fc.array(fc.constantFrom(...SIGNALS).map(signal), { maxLength: 2 }),
  uses: fc.constantFrom<Facts["uses"]>(null, usesWith([]), usesWith([SITE])),
  history: fc.constantFrom<Facts["history"]>([], [REVERTED]),
});

const toFacts = ({
  change,
  ...rest
}: { readonly change: Partial<PackageChange> } & Partial<Omit<Facts, "change">>): Facts => ({
  ...QUIET,
  ...rest,
  change: { ...CHANGE, ...change },
});

/** Facts that make a bump worse, or leave it as it is. */
const WORSE: readonly ((given: Facts) => Facts)[] = [
  (given) => ({ ...given, change: { ...given.change, isBreaking: true } }),
  (given) => ({ ...given, uses: usesWith([SITE]) }),
  (given) => ({ ...given, signals: [...given.signals, signal("registry-changed")] }),
  (given) => ({ ...given, signals: [...given.signals, signal("install-script")] }),
  (given) => ({ ...given, changelog: NOTES }),
  (given) => ({ ...given, history: [...given.history, REVERTED] }),
  (given) => withAdvisory(given, advisory("introduced", "high")),
  (given) => withAdvisory(given, advisory("still-affecting", "low")),
];

function withAdvisory(given: Facts, added: AdvisoryFact): Facts {
  const known = given.advisories.kind === "found" ? given.advisories.value : [];
  return { ...given, advisories: found([...known, added]) };
}

test("confidence never rises with a worse fact, and never falls with a fixed advisory", () => {
  fc.assert(
    fc.property(facts, fc.constantFrom(...WORSE), (generated, worsen) => {
      const given = toFacts(generated);
      const before = confidenceOf(given);
      assert.deepEqual(confidenceOf(given), before);
      assert.ok(RANK[confidenceOf(worsen(given)).level] <= RANK[before.level]);
      if (given.advisories.kind !== "found") return;
      const fixed = withAdvisory(given, advisory("fixed", "critical"));
      assert.equal(confidenceOf(fixed).level, before.level);
    }),
    { numRuns: someRuns(500) },
  );
});

test("confidence is never high while advisories or the release are unknown", () => {
  const reason = fc.constantFrom<LookupFailure>(
    "offline",
    "private",
    "time",
    "network",
    "limit",
    "malformed",
  );
  fc.assert(
    fc.property(facts, reason, (generated, why) => {
      for (const unknown of [{ advisories: unanswered(why) }, { release: unanswered(why) }])
        assert.notEqual(confidenceOf({ ...toFacts(generated), ...unknown }).level, "high");
    }),
  );
});

test("confidence of a change is the lowest of its packages, whatever their order", () => {
  const clean = { disagreements: [], unread: [] };
  fc.assert(
    fc.property(fc.array(facts, { maxLength: 6 }), (generated) => {
      const packages = generated.map((each) => confidenceOf(toFacts(each)));
      const overall = overallConfidence(packages, clean);
      assert.equal(RANK[overall.level], Math.min(2, ...packages.map(({ level }) => RANK[level])));
      assert.deepEqual(overallConfidence(packages.toReversed(), clean), overall);
      const unread = [{ path: "yarn.lock", side: "head", problem: "malformed" }] as const;
      assert.ok(
        RANK[overallConfidence(packages, { ...clean, unread }).level] <= Math.min(1, RANK[overall.level]),
      );
    }),
  );
});
