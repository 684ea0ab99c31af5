/** The text by which earlier findings are searched for a change. An embedding provider may get it, so it has no secrets. */
import { maskSecrets, withoutMasks } from "../base/secrets/mask-secrets.ts";
import type { Analysis, FileAnalysis } from "../review/analysis/analysis.ts";
import { wordsOf } from "../review/analysis/words.ts";
import type { Change, ChangedFile } from "../review/change/change.ts";
import { addedLines } from "../review/change/walk-hunks.ts";
import { defectWords } from "../review/findings/defect-words.ts";

/** One short call of an embedding model. */
const MAX_QUERY_CHARS = 800;

const MAX_TITLE_CHARS = 150;
const MAX_BODY_CHARS = 200;
const MAX_LANGUAGES = 5;
const MAX_SIGNALS = 3;
const MAX_PATHS = 15;
/** Leaves room for identifiers, which resemble findings more than paths do. */
const MAX_PATHS_CHARS = 200;

/** The first lines show what a change is about. These limits also keep hostile changes cheap. */
const MAX_CODE_CHARS = 20_000;
const MAX_LINE_CHARS = 300;

const SEPARATOR = " · ";

/** Words of most programs. */
const KEYWORDS = new Set(
  `abstract any args array assert async await bool boolean break byte case catch char class const constructor continue data def default
  defer del delete describe do double elif else end ensure enum err error except expect export extends extern false final finally float fn for
  foreach from func function get goto if impl implements import in index init instanceof int integer interface internal is item it key let
  list long map match mod module mut namespace new nil none not null number obj object of or override package pass private props protected
  pub public raise range readonly ref require rescue result ret return self set short static str string struct super switch template test then this
  throw throws tmp trait true try type typeof undefined union unless unsigned use using val value var vec virtual void when where while with
  yield`.split(/\s+/),
);

/** At most 800 characters. */
export function buildQuery({
  change,
  analysis,
}: {
  readonly change: Change;
  readonly analysis: Analysis;
}): string {
  const files = riskiest(analysis);
  const facts = [
    plain(change.title).slice(0, MAX_TITLE_CHARS),
    plain(change.body).slice(0, MAX_BODY_CHARS),
    analysis.intent.type === null ? "" : `[${analysis.intent.type}]`,
    queryLanguages(analysis).slice(0, MAX_LANGUAGES).join(" "),
    analysis.riskSignals
      .slice(0, MAX_SIGNALS)
      .map(({ label }) => label)
      .join(", "),
    analysis.authorTier,
    fit(
      files.slice(0, MAX_PATHS).map(({ path }) => path),
      MAX_PATHS_CHARS,
    ),
  ]
    .map((fact) => fact.trim())
    .filter((fact) => fact !== "")
    .join(SEPARATOR);
  const room = MAX_QUERY_CHARS - facts.length - SEPARATOR.length;
  const identifiers = fit(keyIdentifiers(readCode(change, files)), room);
  return identifiers === "" ? facts.slice(0, MAX_QUERY_CHARS) : `${facts}${SEPARATOR}${identifiers}`;
}

/** Of the files that are reviewed, most frequent first; those without a known language are left out. */
export function queryLanguages({ files }: Pick<Analysis, "files">): readonly string[] {
  const counts = new Map<string, number>();
  for (const { language, mark, isSkipped } of files)
    if (mark === null && !isSkipped && language !== "unknown")
      counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([language]) => language);
}

/** Source files first if there are any; other files only without them. */
function riskiest({ files }: Analysis): readonly FileAnalysis[] {
  const read = files.filter(({ mark, isSkipped }) => mark === null && !isSkipped);
  const source = read.filter(({ category }) => category === "source");
  return (source.length > 0 ? source : read).toSorted(
    (a, b) => b.risk - a.risk || (a.path < b.path ? -1 : 1),
  );
}

function readCode(change: Change, files: readonly FileAnalysis[]): string {
  const changed = new Map(change.files.map((file) => [file.path, file]));
  const lines: string[] = [];
  let room = MAX_CODE_CHARS;
  for (const { path } of files) {
    for (const text of linesOf(changed.get(path))) {
      if (room <= 0) return lines.join("\n");
      lines.push(text);
      room -= text.length + 1;
    }
  }
  return lines.join("\n");
}

function* linesOf(file: ChangedFile | undefined): Generator<string> {
  if (file === undefined) return;
  for (const { text } of addedLines(file)) yield text.slice(0, MAX_LINE_CHARS);
}

/** The most telling first: names of several words, called ones, and frequent ones. */
function keyIdentifiers(code: string): readonly string[] {
  const { fillers } = defectWords();
  const scores = new Map<string, number>();
  for (const [, name = "", call] of withoutMasks(maskSecrets(code)).matchAll(
    /([\p{L}_$][\p{L}\p{N}_$]*)(\s?\()?/gu,
  )) {
    const lower = name.toLowerCase();
    if (name.length < 3 || name.length > 40 || KEYWORDS.has(lower) || fillers.has(lower) || isData(name))
      continue;
    const weight = Math.min(3, wordsOf(name).length) + (call === undefined ? 0 : 1);
    scores.set(name, Math.min(scores.get(name) ?? 0, 3 * weight) + weight);
  }
  return [...scores].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([name]) => name);
}

/** Hashes, keys and encoded bytes. */
function isData(name: string): boolean {
  return name.replaceAll(/\D/g, "").length > 3;
}

/** One line without secrets and without what only markup says. Cut first, because descriptions may be long. */
function plain(text: string): string {
  return withoutMasks(maskSecrets(text.slice(0, 4 * MAX_BODY_CHARS)))
    .replaceAll(/<!--.{0,800}?-->|[#*`>|]+/gs, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** As many as fit, in order. */
function fit(words: readonly string[], room: number): string {
  let text = "";
  for (const word of words) {
    const next = text === "" ? word : `${text} ${word}`;
    if (next.length <= room) text = next;
  }
  return text;
}
