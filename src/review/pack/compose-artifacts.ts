/** The files that describe a pack. Equal for equal commits, except for `timings` in the report. */
import type { ContextPack, PackReason } from "./context-pack.ts";
import { shownPath } from "./render/block.ts";
import { RANKERS } from "./rank/ranked-file.ts";

/** The name of the pack itself. The other artifacts have the same beginning. */
export const PACK_FILE = "pr-context.txt";
const PREFIX = "pr-context.";

export type PackReport = {
  readonly versions: Readonly<Record<string, string>>;
  /** Commit ids; null for an empty repository and for uncommitted work. */
  readonly base: string | null;
  readonly head: string | null;
  /** Milliseconds per stage: the only part of all artifacts that differs from run to run. */
  readonly timings: Readonly<Record<string, number>>;
  /** Inputs that the pack had to do without. */
  readonly warnings: readonly string[];
  readonly masked: number;
};

/** By file name, the pack first. Without it when the core is over budget. */
export function composeArtifacts(pack: ContextPack, report: PackReport): ReadonlyMap<string, string> {
  const { selection, changedOmissions } = pack;
  const inPack = selection.filter(({ decision }) => decision !== "omitted");
  const artifacts: readonly (readonly [string, string])[] = [
    [`${PREFIX}changed.files.txt`, toLines(pack.changed.map(shownPath))],
    [`${PREFIX}related.files.txt`, toLines(inPack.map(({ path }) => shownPath(path)))],
    [`${PREFIX}omitted.files.txt`, toLines(changedOmissions.flatMap(omissionLine))],
    [`${PREFIX}related.omitted.files.txt`, toLines(selection.flatMap(omissionLine))],
    [`${PREFIX}related.selection.tsv`, toLines(selectionTable(pack))],
    [`${PREFIX}targets.tsv`, toLines(targetTable(pack))],
    [`${PREFIX}report.json`, `${JSON.stringify(reportOf(pack, report), null, 2)}\n`],
  ];
  return new Map(pack.kind === "packed" ? [[PACK_FILE, pack.text], ...artifacts] : artifacts);
}

function toLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

function omissionLine({ path, reason }: { path: string; reason: PackReason | null }): string[] {
  return reason === null ? [] : [`${shownPath(path)}\t${reason}`];
}

function selectionTable({ selection }: ContextPack): readonly string[] {
  const columns = [
    "rank",
    "path",
    "decision",
    "reason",
    "tokens",
    "closeness",
    "relation",
    "frequency",
    "distance",
  ];
  const rows = selection.map((row) => [
    row.rank,
    shownPath(row.path),
    row.decision,
    row.reason,
    row.tokens,
    row.closeness,
    row.relation,
    row.frequency,
    row.distance,
    ...RANKERS.map((ranker) => row.signals[ranker]),
  ]);
  return [[...columns, ...RANKERS], ...rows].map((row) => row.map((cell) => cell ?? "").join("\t"));
}

function targetTable({ targets }: ContextPack): readonly string[] {
  const rows = targets.map(
    ({ path, dependencies, dependents, state }) =>
      `${shownPath(path)}\t${dependencies}\t${dependents}\t${state}`,
  );
  return ["path\tdependencies\tdependents\tstate", ...rows];
}

function reportOf(pack: ContextPack, report: PackReport): unknown {
  const { selection, changed, changedOmissions } = pack;
  const omissions = [
    ...changedOmissions.map((each) => ({ ...each, kind: "changed" })),
    ...selection.flatMap(({ path, reason }) => (reason === null ? [] : [{ path, reason, kind: "related" }])),
  ];
  const decided = (wanted: string): number => selection.filter(({ decision }) => decision === wanted).length;
  return {
    version: 1,
    versions: report.versions,
    result: pack.kind,
    base: report.base,
    head: report.head,
    tokens: pack.tokens,
    counts: {
      changed: changed.length,
      changedOmissions: changedOmissions.length,
      candidates: selection.length,
      included: decided("included"),
      reduced: decided("reduced"),
      omitted: decided("omitted"),
      maskedSecrets: report.masked,
      byReason: countReasons(omissions.map(({ reason }) => reason)),
    },
    timings: report.timings,
    warnings: report.warnings,
    omissions: omissions.map(({ path, ...rest }) => ({ path: shownPath(path), ...rest })),
  };
}

/** In the order of the names, without reasons that don't occur. */
export function countReasons(reasons: readonly PackReason[]): Readonly<Record<string, number>> {
  const groups = Object.entries(Object.groupBy(reasons, (reason) => reason));
  return Object.fromEntries(
    groups.map(([reason, { length }]) => [reason, length] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
