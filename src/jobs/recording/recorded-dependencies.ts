/** The dependency report in a recording, so that a replay looks nothing up. Each schema has the type that the report has. */
import * as z from "zod";
import { ABILITIES, type ApiAspect, type ApiDifference } from "../../languages/api/api-difference.ts";
import type { ApiGapReason } from "../../languages/api/surface.ts";
import type { FileUses } from "../../languages/uses/package-uses.ts";
import type { UseSummary } from "../../ecosystems/api/uses/summarize-uses.ts";
import type {
  Confidence,
  ConfidenceReason,
  DependencyReport,
  ReportedPackage,
} from "../../ecosystems/dependency-report.ts";
import { ECOSYSTEM_IDS, type DependencyGroup, type Origin } from "../../ecosystems/ecosystem.ts";
import type { AdvisorySeverity, Lookup, LookupFailure } from "../../ecosystems/lookups.ts";
import type {
  BumpKind,
  PackageChange,
  PackageVersion,
  UnreadFile,
  ReadingProblem,
} from "../../ecosystems/package-change.ts";
import type { Signal, SignalKind } from "../../ecosystems/supply-chain/signal.ts";

const text = z.string();
const words = text.nullable();
const amount = z.number();
const flag = z.boolean();

/** The compiler notices a word that is missing here. */
function wordsOf<Word extends string>(known: Readonly<Record<Word, true>>) {
  return z.enum(Object.keys(known) as Word[]);
}

function listOf<Item extends z.ZodType>(item: Item) {
  return z.array(item).readonly();
}

const failure = wordsOf<LookupFailure>({
  offline: true,
  private: true,
  refused: true,
  time: true,
  "too-large": true,
  "rate-limited": true,
  network: true,
  malformed: true,
  unsupported: true,
  "not-copied": true,
  limit: true,
});

export function lookupOf<Value>(value: z.ZodType<Value>): z.ZodType<Lookup<Value>> {
  return z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("found"), value }),
    z.object({ kind: z.literal("absent") }),
    z.object({ kind: z.literal("failed"), reason: failure }),
  ]);
}

const origin: z.ZodType<Origin> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("registry"), url: words }),
  z.object({ kind: z.literal("git"), url: text, ref: words }),
  z.object({ kind: z.literal("url"), url: text }),
  z.object({ kind: z.literal("local"), path: text }),
]);

const version: z.ZodType<PackageVersion> = z.object({
  version: text,
  requirement: words,
  origin,
  integrity: words,
  hasInstallScript: flag.nullable(),
});

const signal: z.ZodType<Signal> = z.object({
  kind: wordsOf<SignalKind>({
    "integrity-changed": true,
    "integrity-removed": true,
    "integrity-weakened": true,
    "registry-changed": true,
    "origin-changed": true,
    "insecure-url": true,
    "other-package": true,
    "unknown-host": true,
    unneeded: true,
    unpinned: true,
    "moved-reference": true,
    "install-script": true,
    "close-name": true,
    "young-release": true,
    "publisher-changed": true,
    withdrawn: true,
    unpublished: true,
    "deceptive-host": true,
    "deceptive-name": true,
    "new-need": true,
    redirected: true,
    deprecated: true,
    "licence-changed": true,
    "provenance-lost": true,
  }),
  path: words,
  from: words,
  to: words,
});

const change: z.ZodType<PackageChange> = z.object({
  ecosystem: z.enum(ECOSYSTEM_IDS),
  name: text,
  from: version.nullable(),
  to: version.nullable(),
  kind: wordsOf<BumpKind>({
    patch: true,
    minor: true,
    major: true,
    downgrade: true,
    added: true,
    removed: true,
    requirement: true,
    reference: true,
    source: true,
    unknown: true,
  }),
  isBreaking: flag,
  group: wordsOf<DependencyGroup>({ runtime: true, dev: true, optional: true, peer: true, build: true }),
  chain: listOf(text),
  isDirect: flag.nullable(),
  places: listOf(z.object({ path: text, line: amount, from: words, to: words })),
  signals: listOf(signal),
});

const api: z.ZodType<ApiDifference> = z.object({
  changes: listOf(
    z.object({
      entry: text,
      name: text,
      kind: z.enum(["value", "type"]),
      change: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("removed") }),
        z.object({ kind: z.literal("renamed"), to: text }),
        z.object({
          kind: z.literal("changed"),
          aspect: wordsOf<ApiAspect>({
            parameters: true,
            "parameter-types": true,
            returns: true,
            type: true,
            form: true,
          }),
          before: text,
          after: text,
        }),
      ]),
    }),
  ),
  facts: listOf(
    z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("entry-removed"), entry: text, isFile: flag }),
      z.object({ kind: z.literal("require-dropped"), entry: text }),
      z.object({ kind: z.literal("engine-raised"), engine: text, from: words, to: text }),
      z.object({ kind: z.literal("command-removed"), command: text }),
      z.object({ kind: z.literal("peer-narrowed"), peer: text, from: words, to: text }),
      z.object({ kind: z.literal("ability-gained"), ability: z.enum(ABILITIES), path: text }),
    ]),
  ),
  addedCount: amount,
  comparedCount: amount,
  omittedCount: amount,
  basis: z.enum(["declarations", "code", "mixed"]),
  gaps: listOf(
    z.object({
      reason: wordsOf<ApiGapReason>({
        "other-package": true,
        "missing-file": true,
        "too-large": true,
        syntax: true,
        computed: true,
        "no-parser": true,
        "no-source": true,
        "no-common-form": true,
        limit: true,
      }),
      where: text,
    }),
  ),
});

const uses: z.ZodType<UseSummary> = z.object({
  verdict: wordsOf<UseSummary["verdict"]>({
    used: true,
    "not-found": true,
    "only-tests-and-types": true,
    "not-imported": true,
  }),
  importingFiles: z.object({ runtime: amount, tests: amount, typesOnly: amount }),
  useCount: amount,
  names: listOf(z.object({ name: text, places: amount, files: amount })),
  places: listOf(
    z.object({
      path: text,
      line: amount,
      column: amount,
      text,
      name: text,
      symbol: text,
      role: z.enum(["import", "use", "re-export"]),
      isTypeOnly: flag,
      isTest: flag,
    }),
  ),
  omittedPlaces: amount,
  openFiles: amount,
  unreadFiles: listOf(
    z.object({
      path: text,
      problem: wordsOf<NonNullable<FileUses["problem"]>>({
        "too-large": true,
        "no-parser": true,
        limit: true,
      }),
    }),
  ),
});

const confidence: z.ZodType<Confidence> = z.object({
  level: z.enum(["low", "medium", "high"]),
  reasons: listOf(
    wordsOf<ConfidenceReason>({
      "breaking-version": true,
      "breaks-elsewhere": true,
      "unproven-version": true,
      "affected-call-sites": true,
      "grave-advisory": true,
      advisory: true,
      "breaking-notes": true,
      tampering: true,
      "supply-chain": true,
      "unknown-version": true,
      downgrade: true,
      "reverted-before": true,
      disagreement: true,
      "files-unread": true,
      "advisories-unknown": true,
      "release-unknown": true,
      "fixes-advisory": true,
    }),
  ),
});

const advisoryFact = z.object({
  advisory: z.object({
    id: text,
    aliases: listOf(text),
    severity: wordsOf<AdvisorySeverity>({
      critical: true,
      high: true,
      medium: true,
      low: true,
      unknown: true,
    }),
    summary: text,
    url: words,
    fixedIn: listOf(text),
    exploitation: z.object({ knownSince: words, probability: z.number().nullable() }).exactOptional(),
  }),
  fate: z.enum(["fixed", "still-affecting", "introduced"]),
});

const reported: z.ZodType<ReportedPackage> = z.object({
  change,
  release: lookupOf(
    z.object({
      publishedAt: words,
      hasInstallScript: flag.nullable(),
      publishers: listOf(text).nullable(),
      repository: words,
      folder: words,
      isWithdrawn: flag.nullable(),
      // Earlier recordings lack these.
      isUnpublished: flag.nullable().default(null),
      deprecation: words.default(null),
      licence: words.default(null),
      hasProvenance: flag.nullable().default(null),
      maintainers: listOf(text).nullable().default(null),
    }),
  ),
  advisories: lookupOf(listOf(advisoryFact)),
  changelog: lookupOf(
    z.object({
      origin: z.enum(["archive", "releases", "repository", "description"]),
      notes: listOf(z.object({ version: text, text, url: words })),
      breaking: listOf(text),
      symbols: listOf(text),
      omittedChars: amount,
    }),
  ),
  compareUrl: words,
  api: lookupOf(api),
  uses: uses.nullable(),
  // Earlier recordings lack it.
  concerns: listOf(text).nullable().default(null),
  signals: listOf(signal),
  history: listOf(z.object({ from: text, to: text, mergedAt: text, revertedAt: words })),
  confidence,
});

const place = {
  path: text,
  side: z.enum(["base", "head", "both"]),
  isCompanion: z.literal(true).exactOptional(),
  isPartial: z.literal(true).exactOptional(),
};

const unreadFile: z.ZodType<UnreadFile> = z.discriminatedUnion("problem", [
  z.object({
    ...place,
    problem: wordsOf<Exclude<ReadingProblem["problem"], "failed">>({
      "too-large": true,
      "conflict-markers": true,
      malformed: true,
      "unknown-format-version": true,
      unreadable: true,
      time: true,
      memory: true,
    }),
  }),
  z.object({ ...place, problem: z.literal("failed"), message: text }),
]);

export const RecordedReport: z.ZodType<DependencyReport> = z.object({
  extent: z.enum(["pure", "mixed"]),
  bot: z.enum(["dependabot", "renovate"]).nullable(),
  packages: listOf(reported),
  disagreements: listOf(
    z.object({ manifest: text, lockfile: text, name: text, requested: words, locked: words }),
  ),
  unread: listOf(unreadFile),
  advisorySource: z.object({ name: z.enum(["github", "osv", "offline"]), newest: words }).nullable(),
  confidence,
});
