/** Packages with signals, by file: a find-and-replace in a lockfile is one problem, not a thousand. */
import { count } from "../../base/count.ts";
import { describeSignal } from "../../ecosystems/describe-dependencies.ts";
import type { DependencyReport } from "../../ecosystems/dependency-report.ts";
import type { PackagePlace } from "../../ecosystems/package-change.ts";
import type { Signal, SignalKind } from "../../ecosystems/supply-chain/signal.ts";
import type { FileView } from "../rule.ts";
import { packageOr } from "./package-name.ts";

export type SignalGroup = Pick<PackagePlace, "path" | "line"> & {
  /** "`left-pad`", "`left-pad` and 2 more packages". */
  readonly names: string;
  /** "Other bytes under the same version"; null when the packages have different signals. */
  readonly problem: string | null;
  /** An entry contradicts itself, so that a package manager that checks it must refuse it. */
  readonly isRefused: boolean;
  /** "About `left-pad`: …; …", for the first few. */
  readonly detail: string;
};

const MAX_EXPLAINED = 5;

/** The beginning of a title. Signals that make no finding have none. */
const PROBLEMS: Partial<Record<SignalKind, string>> = {
  "integrity-changed": "Other bytes under the same version",
  "integrity-removed": "Removed checksum",
  "integrity-weakened": "Weaker checksum",
  "registry-changed": "Other registry under the same version",
  "origin-changed": "Source that no manifest requests",
  "other-package": "Download of another package",
  "deceptive-host": "Host that imitates a registry",
  "deceptive-name": "Deceptive package name",
  "moved-reference": "Other commit under the same version",
  "close-name": "Name close to a popular package",
  unpinned: "Removed pin",
  "unknown-host": "New host",
  redirected: "Replaced package",
  "insecure-url": "Unencrypted download",
  withdrawn: "Withdrawn version",
  unpublished: "Unpublished version",
  unneeded: "Package that nothing requests",
};

/** Other bytes under the same version, or the download of another package: the two sides of the entry can't both be true. */
const REFUSED: ReadonlySet<SignalKind> = new Set(["integrity-changed", "other-package"]);

/** `isWanted`: the signals that make a finding. Only files of the change are named. */
export function groupSignals(
  report: DependencyReport | null | undefined,
  files: readonly FileView[],
  isWanted: (signal: Signal) => boolean,
): readonly SignalGroup[] {
  const changed = new Set(files.map(({ path }) => path));
  const found = (report?.packages ?? []).flatMap(({ change, signals }) => {
    const first = signals.find(isWanted);
    const place =
      first?.path != null && changed.has(first.path)
        ? (change.places.find(({ path }) => path === first.path) ?? { path: first.path, line: 0 })
        : change.places.find(({ path }) => changed.has(path));
    if (first === undefined || place === undefined) return [];
    return [{ name: packageOr(change.name, "a dependency"), kind: first.kind, signals, place }];
  });
  const groups = Map.groupBy(found, ({ place }) => place.path);
  return [...groups.values()].flatMap((members): readonly SignalGroup[] => {
    const [first] = members;
    if (first === undefined) return [];
    const rest = members.length - 1;
    const explained = members
      .slice(0, MAX_EXPLAINED)
      .map(({ name, signals }) => `${name}: ${signals.map(describeSignal).join("; ")}`);
    return [
      {
        path: first.place.path,
        line: first.place.line,
        names: `${first.name}${rest === 0 ? "" : ` and ${count(rest, "more package")}`}`,
        problem: members.every(({ kind }) => kind === first.kind) ? (PROBLEMS[first.kind] ?? null) : null,
        isRefused: members.some(({ signals }) => signals.some(({ kind }) => REFUSED.has(kind))),
        detail: `About ${explained.join(". About ")}.`,
      },
    ];
  });
}
