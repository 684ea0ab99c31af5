/** Groups changed exports by file, because a file has one finding per rule, and lists where they are still used. */
import { count } from "../../base/count.ts";
import type { BrokenExport } from "../../languages/exports/export-change.ts";
import { nameOr, type RuleMatch } from "../rule.ts";

/** The others are counted. */
const MAX_NAMED_SITES = 5;
const MAX_NAMED_EXPORTS = 6;

type Words = {
  /** The title for one export or several: "`a` is still used", "`a` and 2 more exports are still used". */
  readonly title: (names: string, isOne: boolean, places: string) => string;
  /** A sentence about each export, after its places; "" for none. */
  readonly addition: (broken: BrokenExport) => string;
};

/** One match per file. */
export function* matchPerFile(
  found: readonly BrokenExport[],
  { title, addition }: Words,
): Generator<RuleMatch & { readonly path: string }> {
  for (const [path, group] of Map.groupBy(found, (each) => each.path)) {
    const [first, ...rest] = group;
    if (first === undefined) continue;
    const names =
      rest.length === 0 ? exportName(first) : `${exportName(first)} and ${count(rest.length, "more export")}`;
    const named = group.slice(0, MAX_NAMED_EXPORTS).map((each) => {
      const start = group.length === 1 ? "Still used at" : `Code still uses ${exportName(each)} at`;
      return `${start} ${listSites(each)}.${addition(each)}`;
    });
    const others = group.length - named.length;
    const more = others === 0 ? [] : [`${count(others, "more export")} of this file too.`];
    const { line, side } = group.find((each) => each.line > 0) ?? first;
    const places = countSites(group.flatMap(({ sites }) => sites));
    yield {
      path,
      line,
      side,
      title: title(names, group.length === 1, places),
      detail: [...named, ...more].join(" "),
      seenAt: group.slice(0, MAX_NAMED_EXPORTS).flatMap(seenAt),
    };
  }
}

function exportName({ name }: BrokenExport): string {
  return name === "default" ? "the default export" : nameOr(name, "an export");
}

/** Those that the text names. */
function seenAt({ sites }: BrokenExport): NonNullable<RuleMatch["seenAt"]> {
  return sites.slice(0, MAX_NAMED_SITES).map(({ path, line }) => ({ path, startLine: line, endLine: line }));
}

/** "src/a.ts:3, src/b.ts:7 and 2 more places". */
function listSites({ sites }: BrokenExport): string {
  const named = sites.slice(0, MAX_NAMED_SITES).map(({ path, line }) => `${path}:${line}`);
  const rest = sites.length - named.length;
  if (rest > 0) return `${named.join(", ")} and ${count(rest, "more place")}`;
  return named.length < 2 ? named.join("") : `${named.slice(0, -1).join(", ")} and ${named.at(-1) ?? ""}`;
}

/** "in 1 file", "at 3 places in 2 files". */
function countSites(sites: BrokenExport["sites"]): string {
  const files = new Set(sites.map(({ path }) => path)).size;
  const places = sites.length === files ? "" : `at ${count(sites.length, "place")} `;
  return `${places}in ${count(files, "file")}`;
}
