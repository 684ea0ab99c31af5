/** Describes what a change consists of in up to three lines, the same in every format. A review without a model shows them. */
import { languageName } from "../../languages/language-of.ts";
import { count, grouped } from "../../base/count.ts";
import { fileNameOf } from "../../base/file-name.ts";
import type { RiskSignal } from "../analysis/analysis.ts";
import type { ChangeContents, ContentsKind, UncountedKind } from "./publication.ts";
import { cutChars } from "./render/list-item.ts";
import { codeSpan } from "./render/safe-markdown.ts";
import { joinWords } from "./words.ts";

/** Languages, names and risks listed each; more are counted or follow in the details. */
const MAX_LANGUAGES = 3;
const MAX_NAMES = 4;
const MAX_RISKS = 3;

/** Enough to find the place of a risk. */
const MAX_RISK_PATHS = 2;

/** A longer path would fill the line. */
const MAX_PATH_CHARS = 100;

/** Fewer lines are counted exactly. More are rounded: reading 312 lines takes as long as reading 310. */
const MAX_EXACT_LINES = 100;

/**
 * One line each: what there is to read, which symbols and dependencies change, and what needs attention. Markdown with code spans;
 * paths are untrusted, so renderers make the lines safe. Empty for a change without files.
 */
export function describeContents(
  contents: ChangeContents,
  riskSignals: readonly RiskSignal[],
): readonly string[] {
  return [describeSize(contents), describeSubstance(contents), describeRisks(riskSignals)].filter(
    (line) => line !== "",
  );
}

/** In the order in which they are listed. */
const KINDS: Readonly<Record<ContentsKind, string>> = {
  source: "source",
  test: "test",
  infra: "infrastructure",
  config: "configuration",
  docs: "documentation",
  other: "other",
};

const UNCOUNTED: Readonly<Record<UncountedKind, readonly [noun: string, plural?: string]>> = {
  lockfile: ["lock file"],
  generated: ["generated file"],
  vendored: ["vendored file"],
  minified: ["minified file"],
  data: ["data file"],
  moved: ["file moved without edits", "files moved without edits"],
  deleted: ["deleted file"],
  "without-text": ["file without text", "files without text"],
  mode: ["file mode"],
  skipped: ["file excluded by review.skipPaths", "files excluded by review.skipPaths"],
  folder: ["folder with too many changed files", "folders with too many changed files"],
};

/** "12 files to read, about 300 changed lines: 8 source (TypeScript, SQL) and 4 test. Not counted: 1 lock file." */
function describeSize({ toRead, kinds, uncounted }: ChangeContents): string {
  if (toRead.files === 0 && uncounted.length === 0) return "";
  const size = [
    `${count(toRead.files, "file")} to read`,
    ...(toRead.files === 0 ? [] : [describeLines(toRead.lines)]),
  ].join(", ");
  const left = Object.entries(UNCOUNTED).flatMap(([kind, [noun, plural]]) =>
    uncounted.filter((each) => each.kind === kind).map(({ files }) => count(files, noun, plural)),
  );
  const groups = describeKinds(kinds);
  const notCounted = left.length === 0 ? "" : ` Not counted: ${joinWords(left)}.`;
  return `${size}${groups === "" ? "" : `: ${groups}`}.${notCounted}`;
}

function describeLines(lines: number): string {
  if (lines < MAX_EXACT_LINES) return count(lines, "changed line");
  const unit = 10 ** (String(lines).length - 2);
  return `about ${count(Math.round(lines / unit) * unit, "changed line")}`;
}

/** "8 source (TypeScript, SQL) and 4 test". The number is left out when it is that of all files. */
function describeKinds(kinds: ChangeContents["kinds"]): string {
  if (kinds.every(({ kind }) => kind === "other")) return "";
  const named = Object.entries(KINDS).flatMap(([kind, label]) =>
    kinds
      .filter((each) => each.kind === kind)
      .map(({ files, languages }) => {
        const number = kinds.length === 1 ? "" : `${grouped(files)} `;
        return `${number}${label}${kind === "source" ? nameLanguages(languages) : ""}`;
      }),
  );
  return joinWords(named);
}

/** " (TypeScript, SQL)", most files first; empty when no language is known. */
function nameLanguages(languages: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const language of languages) {
    if (language === "unknown") continue;
    const name = languageName(language);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const names = [...counts].toSorted((a, b) => b[1] - a[1]).map(([name]) => name);
  const more = names.length > MAX_LANGUAGES ? ", …" : "";
  return names.length === 0 ? "" : ` (${names.slice(0, MAX_LANGUAGES).join(", ")}${more})`;
}

/** "Adds `a` and `b`; removes `c`; includes 1 migration; changes 2 dependencies in package.json." */
function describeSubstance({ symbols, migrations, manifests }: ChangeContents): string {
  const parts = [
    ...nameSymbols("adds", symbols?.added),
    ...nameSymbols("removes", symbols?.removed),
    ...nameSymbols("changes the declaration of", symbols?.changed),
    ...(migrations === 0 ? [] : [`includes ${count(migrations, "migration")}`]),
    ...manifests.map(
      ({ path, packages }) =>
        `changes ${count(packages, "dependency", "dependencies")} in ${fileNameOf(path)}`,
    ),
  ];
  const text = parts.join("; ");
  return text === "" ? "" : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

function nameSymbols(verb: string, names: readonly string[] = []): readonly string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, MAX_NAMES).map((name) => `\`${name}\``);
  const rest = names.length - shown.length;
  return [`${verb} ${joinWords(rest === 0 ? shown : [...shown, `${grouped(rest)} more`])}`];
}

/** The other lines already say so. */
const KNOWN_RISKS: ReadonlySet<string> = new Set(["dependencies", "infrastructure"]);

/** "Needs attention: adds raw SQL (`src/db.ts`), removes or empties error handling (`src/a.ts`, `src/b.ts`, …)." */
function describeRisks(riskSignals: readonly RiskSignal[]): string {
  const risks = riskSignals.filter(({ id }) => !KNOWN_RISKS.has(id));
  if (risks.length === 0) return "";
  const named = risks.slice(0, MAX_RISKS).map(({ label, paths }) => {
    const shown = paths.slice(0, MAX_RISK_PATHS).map((path) => codeSpan(cutChars(path, MAX_PATH_CHARS)));
    const places = paths.length > shown.length ? [...shown, "…"] : shown;
    return `${label.slice(0, 1).toLowerCase()}${label.slice(1)} (${places.join(", ")})`;
  });
  const rest = risks.length - named.length;
  return `Needs attention: ${[...named, ...(rest === 0 ? [] : [`${grouped(rest)} more`])].join(", ")}.`;
}
