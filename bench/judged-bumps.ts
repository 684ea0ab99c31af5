/**
 * Gives real bumps their merge confidence and compares it with what a person found out about each one. bench/judged-bumps.json keeps the
 * commits, the verdicts and their reasons. It has four sets. The rules of confidence are tuned on the first one. The others were unseen
 * when they were measured, and are called by that; what they showed was used afterwards, so the figure of that first run is kept too.
 *
 *     node bench/judged-bumps.ts [options] GIT_DIRECTORY…
 *       --set NAME      only the bumps of "tuning", "first-unseen", "second-unseen" or "third-unseen"
 *       --draw N        adds N bumps of each repository that the file doesn't have, to the set that --set names; to be judged by hand
 *       --seed N        another number draws other bumps
 *       --write         keeps the confidence of this run in the file
 *       --first         keeps it as that of the first run too
 *
 * npm's registry is asked for releases, changelogs and archives, with the settings of `kodiai deps`; a mirror with a private address must be
 * in KODIAI_PRIVATE_HOSTS. Advisories and other registries can't
 * be reached from everywhere: not knowing them lowers no confidence here, so that the figures are about what is known.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { openRegistries } from "../src/compose/registries.ts";
import { confidenceOf, overallConfidence } from "../src/ecosystems/confidence.ts";
import type {
  Confidence,
  ConfidenceLevel,
  ConfidenceReason,
  DependencyReport,
  ReportedPackage,
} from "../src/ecosystems/dependency-report.ts";
import type { Lookup } from "../src/ecosystems/lookups.ts";
import { reviewDependencies } from "../src/jobs/review-dependencies.ts";
import { createReaderProcess } from "../src/reading/process/reader-process.ts";
import { openRepository } from "../src/repository/git/open-repository.ts";
import { createChance } from "../test/support/chance.ts";
import { LIMITS } from "./limits.ts";
import { judge } from "./measure.ts";
import { type DrawnBump, drawBumps } from "./support/draw-bumps.ts";
import { publicRepositories } from "./support/public-changes.ts";

const KEPT = new URL("judged-bumps.json", import.meta.url);
const SEED = 20_261_119;

/**
 * "breaking": the new version takes away or changes something that this project can rely on: an export, an option, a default. "runtime": it
 * only drops a runtime or platform that the project left behind, or that its host keeps up to date; its own notes call that breaking.
 * "notable": it breaks nothing, and there is another reason to stop, such as a downgrade. "harmless": merge it.
 */
const VERDICTS = ["breaking", "runtime", "notable", "harmless"] as const;
type Verdict = (typeof VERDICTS)[number];

const SETS = ["tuning", "first-unseen", "second-unseen", "third-unseen"] as const;

type Level = { readonly level: ConfidenceLevel | null; readonly reasons: readonly ConfidenceReason[] };

type JudgedBump = DrawnBump & {
  /** `owner/name` */
  readonly repository: string;
  readonly set: (typeof SETS)[number];
  /** Null until a person has read it. */
  readonly verdict: Verdict | null;
  readonly because: string | null;
  /** Of the run before anything was changed for this set. */
  readonly first?: Level;
  /** The level of the last run; null before the first one, and for a commit that changes no dependency. */
} & Level;

/** On a busy machine a look-up can run out of time. Answers are kept, so that the next attempt has fewer to wait for. */
const MAX_ATTEMPTS = 3;

const keptBumps = (): readonly JudgedBump[] =>
  // This bench wrote it, in this shape.
  (JSON.parse(readFileSync(KEPT, "utf8")) as { bumps: readonly JudgedBump[] }).bumps;

/** One bump per line, so that two runs can be compared. */
function keep(bumps: readonly JudgedBump[]): void {
  writeFileSync(
    KEPT,
    `{\n  "bumps": [\n${bumps.map((bump) => `    ${JSON.stringify(bump)}`).join(",\n")}\n  ]\n}\n`,
  );
}

/** A mirror has its repositories in folders such as `owner+name/repo`. */
const nameOf = (folder: string): string => basename(dirname(folder)).replace("+", "/");

/** The bench: figures of the repositories at hand. */
export async function judgedBumps(): Promise<void> {
  const repositories = publicRepositories();
  if (repositories !== null) report(await judgeAll(keptBumps(), repositories));
}

async function judgeAll(
  bumps: readonly JudgedBump[],
  repositories: readonly string[],
): Promise<readonly JudgedBump[]> {
  const { signal } = new AbortController();
  const openReader = async (until: AbortSignal) =>
    createReaderProcess(new URL("../src/reader-main.ts", import.meta.url), until);
  const reader = await openReader(signal);
  const source = { environment: process.env, dotEnv: null, readText: () => null };
  const lookups = {
    openRegistries: async () =>
      openRegistries(source, {
        version: "bench",
        cacheFolder: join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "kodiai-bench"),
        openReader,
      }),
    wallClock: Date.now,
  };
  const judged = new Map<JudgedBump, JudgedBump>();
  for (const folder of repositories) {
    const own = bumps.filter(({ repository }) => repository === nameOf(folder));
    // A copied git directory may lack the configuration that says it's bare, so it's named.
    const environment = { PATH: process.env["PATH"] ?? "", GIT_DIR: folder };
    const repository = await openRepository(folder, environment, signal);
    for (const bump of own) {
      const change = await repository.readChange({ kind: "commit", ref: bump.commit });
      let found: DependencyReport | null = null;
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const deps = { repository, reader, lookups, readPastBumps: null, signal };
        found = (await reviewDependencies(change, deps)).report;
        if (found?.packages.some(isLate) !== true) break;
      }
      const confidence = found === null ? null : knownConfidence(found);
      judged.set(bump, {
        ...bump,
        level: confidence?.level ?? null,
        reasons: confidence?.reasons ?? [],
      });
      console.error(`  ${bump.repository} ${bump.commit.slice(0, 10)} ${confidence?.level ?? "none"}`);
    }
    repository.close();
  }
  reader.close();
  return bumps.map((bump) => judged.get(bump) ?? bump);
}

const isLate = ({ release, changelog, api }: ReportedPackage): boolean =>
  [release, changelog, api].some((lookup) => lookup.kind === "failed" && lookup.reason === "time");

function knownConfidence(found: DependencyReport): Confidence {
  const orAbsent = <Value>(lookup: Lookup<Value>): Lookup<Value> =>
    lookup.kind === "failed" ? { kind: "absent" } : lookup;
  const packages = found.packages.map((item) =>
    confidenceOf({ ...item, advisories: orAbsent(item.advisories), release: orAbsent(item.release) }),
  );
  return overallConfidence(packages, found);
}

function report(bumps: readonly JudgedBump[]): void {
  for (const set of SETS) {
    const judged = bumps.filter((bump) => bump.set === set && bump.verdict !== null);
    const first = judged.flatMap((bump) => (bump.first === undefined ? [] : [{ ...bump, ...bump.first }]));
    if (first.length > 0) reportSet(`${set}, when it was unseen`, first, false);
    reportSet(set, judged, set !== "tuning");
  }
}

function reportSet(what: string, bumps: readonly JudgedBump[], isLimited: boolean): void {
  const own = bumps.filter(({ level, verdict }) => level !== null || verdict === "breaking");
  if (own.length === 0) return;
  console.log(`  ${what}: ${own.length} bumps`);
  for (const level of ["high", "medium", "low"] as const) {
    const counts = Map.groupBy(
      own.filter((bump) => bump.level === level),
      ({ verdict }) => verdict,
    );
    const parts = VERDICTS.map((verdict) => `${counts.get(verdict)?.length ?? 0} ${verdict}`);
    console.log(`    ${level}: ${parts.join(", ")}`);
  }
  // A breaking bump in which Kodiai saw no dependency is missed too.
  const isLowered = ({ level }: JudgedBump): boolean => level === "medium" || level === "low";
  const lowered = own.filter(isLowered);
  const [wrong, breaking] = [
    lowered.filter(({ verdict }) => verdict === "harmless"),
    own.filter(({ verdict }) => verdict === "breaking"),
  ];
  const missed = breaking.filter((bump) => !isLowered(bump));
  for (const { repository, commit, subject, level, reasons, because } of [...wrong, ...missed])
    console.log(
      `    ${level} (${reasons.join(", ")}): ${repository} ${commit.slice(0, 10)} ${subject}: ${because}`,
    );
  if (!isLimited) return;
  judge(LIMITS.falseConfidence, (100 * wrong.length) / Math.max(1, lowered.length));
  judge(LIMITS.missedBreaking, (100 * missed.length) / Math.max(1, breaking.length));
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      set: { type: "string" },
      draw: { type: "string" },
      seed: { type: "string", default: String(SEED) },
      write: { type: "boolean", default: false },
      first: { type: "boolean", default: false },
    },
  });
  const kept = keptBumps();
  if (values.draw === undefined) {
    const chosen = kept.filter(({ set }) => values.set === undefined || set === values.set);
    const judged = (await judgeAll(chosen, positionals)).map((bump) =>
      values.first ? { ...bump, first: { level: bump.level, reasons: bump.reasons } } : bump,
    );
    report(judged);
    const now = new Map(chosen.map((bump, at) => [bump, judged[at]]));
    if (values.write) keep(kept.map((bump) => now.get(bump) ?? bump));
  } else {
    const set = SETS.find((each) => each === values.set);
    if (set === undefined) throw new Error(`--draw needs --set ${SETS.join(" or ")}`);
    const known = new Set(kept.map(({ repository }) => repository));
    const drawn = positionals
      .filter((folder) => !known.has(nameOf(folder)))
      .flatMap((folder) =>
        drawBumps(folder, createChance(Number(values.seed)), Number(values.draw)).map((bump): JudgedBump => ({
          repository: nameOf(folder),
          ...bump,
          set,
          verdict: null,
          because: null,
          level: null,
          reasons: [],
        })),
      );
    keep([...kept, ...drawn]);
  }
}
