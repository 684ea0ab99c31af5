/**
 * Describes a change in a sentence or two, from the diff alone: kinds of files, exported symbols, migrations and
 * dependencies. A review without a model shows it. It leaves out what the diff doesn't prove.
 */
import { fileNameOf } from "../../../base/file-name.ts";
import { count, grouped } from "../../../base/count.ts";
import type { Analysis, FileAnalysis, FileMark } from "../../analysis/analysis.ts";
import type { DependencyReport } from "../../../ecosystems/dependency-report.ts";
import type { ChangedFile } from "../../change/change.ts";
import { joinWords } from "../words.ts";
import { compareSymbols } from "./compare-symbols.ts";

/** Languages and names listed each; more are counted. */
const MAX_LANGUAGES = 3;
const MAX_NAMES = 4;

/** Tools number migrations or date them. */
const MIGRATION =
  /(?:^|\/)(?:migrations?|migrate|versions)\/(?:[^/]{1,100}\/)?[^/]{0,40}\d[^/]{0,100}\.(?:sql|py|rb|[cm]?[jt]s|php|go|cs|java|kt|exs)$/i;

/** Empty for a change without files. */
export function describeChange(
  files: readonly ChangedFile[],
  { byPath }: Pick<Analysis, "byPath">,
  dependencies: DependencyReport | null = null,
): string {
  const known = files.flatMap((file) => {
    const facts = byPath.get(file.path);
    return facts === undefined ? [] : [{ file, facts }];
  });
  if (known.length === 0) return "";
  const written = known.filter(({ facts }) => facts.mark === null);
  const migrations = written.filter(
    ({ file, facts }) => facts.category !== "test" && MIGRATION.test(file.path),
  );
  const parts = [
    joinWords(describeKinds(known.map(({ facts }) => facts))),
    ...describeSymbols(written),
    ...(migrations.length === 0 ? [] : [count(migrations.length, "migration")]),
    ...written.flatMap(({ file }) => describeDependencies(file, dependencies)),
  ];
  return `${parts.join("; ")}.`;
}

/** Files that are in no other category and hold no code: images, fixtures, tables. */
const OTHER_LANGUAGES: ReadonlySet<string> = new Set([
  "csv",
  "ini",
  "json",
  "text",
  "toml",
  "unknown",
  "xml",
  "yaml",
]);

const KINDS: readonly (readonly [FileAnalysis["category"] | FileMark | "other", noun: string])[] = [
  ["source", "source file"],
  ["test", "test file"],
  ["infra", "infrastructure file"],
  ["config", "configuration file"],
  ["docs", "documentation file"],
  ["lockfile", "lock file"],
  ["generated", "generated file"],
  ["vendored", "vendored file"],
  ["minified", "minified file"],
  ["other", "other file"],
];

function kindOf({ category, mark, language }: FileAnalysis): (typeof KINDS)[number][0] {
  return mark ?? (category === "source" && OTHER_LANGUAGES.has(language) ? "other" : category);
}

/** "3 source files (TypeScript, SQL)", "1 test file". */
function describeKinds(facts: readonly FileAnalysis[]): readonly string[] {
  return KINDS.flatMap(([kind, noun]) => {
    const ofKind = facts.filter((file) => kindOf(file) === kind);
    if (ofKind.length === 0) return [];
    const languages = kind === "source" ? nameLanguages(ofKind) : "";
    return [`${count(ofKind.length, noun)}${languages}`];
  });
}

const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  javascript: "JavaScript",
  typescript: "TypeScript",
  tsx: "TypeScript",
  sql: "SQL",
  html: "HTML",
  css: "CSS",
  scss: "SCSS",
  cpp: "C++",
  csharp: "C#",
  fsharp: "F#",
  php: "PHP",
  graphql: "GraphQL",
  hcl: "HCL",
  powershell: "PowerShell",
  bash: "shell",
  "objective-c": "Objective-C",
};

/** " (TypeScript, SQL)", most files first; empty when no language is known. */
function nameLanguages(facts: readonly FileAnalysis[]): string {
  const counts = new Map<string, number>();
  for (const { language } of facts) {
    if (language === "unknown") continue;
    const name = LANGUAGE_NAMES[language] ?? `${language.slice(0, 1).toUpperCase()}${language.slice(1)}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const names = [...counts].toSorted((a, b) => b[1] - a[1]).map(([name]) => name);
  const more = names.length > MAX_LANGUAGES ? ", …" : "";
  return names.length === 0 ? "" : ` (${names.slice(0, MAX_LANGUAGES).join(", ")}${more})`;
}

type Known = { readonly file: ChangedFile; readonly facts: FileAnalysis };

/** A symbol may have moved to or from a file that wasn't read, so then nothing is said about symbols. */
function describeSymbols(written: readonly Known[]): readonly string[] {
  const sources = written.filter(({ facts }) => kindOf(facts) === "source");
  if (sources.some(({ file }) => file.unreadable !== null || file.cutLines.length > 0)) return [];
  const { added, removed, changed } = compareSymbols(sources);
  return [
    ...nameSymbols("adds", added),
    ...nameSymbols("removes", removed),
    ...nameSymbols("changes the declaration of", changed),
  ];
}

function nameSymbols(verb: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, MAX_NAMES).map((name) => `\`${name}\``);
  const rest = names.length - shown.length;
  return [`${verb} ${joinWords(rest === 0 ? shown : [...shown, `${grouped(rest)} more`])}`];
}

function describeDependencies({ path }: ChangedFile, report: DependencyReport | null): readonly string[] {
  const own =
    report?.packages.filter(({ change }) => change.places.some((place) => place.path === path)) ?? [];
  const name = fileNameOf(path);
  return own.length === 0 ? [] : [`${name} changes ${count(own.length, "dependency", "dependencies")}`];
}
