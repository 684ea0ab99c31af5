/**
 * Measures how often a misquoted finding lands on the right lines: places in real diffs, each quoted in every way of misquotes.ts and
 * recorded as a model would. The caller provides the repositories (see public-changes.ts); use some that weren't used for tuning.
 */
import { createInProcessReader } from "../test/support/in-process-reader.ts";
import { analysisOf, changeOf } from "../test/support/analysis-fixtures.ts";
import type { ChangedFile } from "../src/review/change/change.ts";
import { type DiffLine, walkHunk } from "../src/review/change/walk-hunks.ts";
import { identifyInChange } from "../src/review/findings/judge-findings.ts";
import { createGuard } from "../src/review/untrusted/create-guard.ts";
import { createMemoryNotebook, foundIn } from "../src/tools/notebook.ts";
import { recordFinding } from "../src/tools/record-finding.ts";
import { createShown } from "../src/tools/shown.ts";
import { LIMITS } from "./limits.ts";
import { judge } from "./measure.ts";
import { type Misquote, type Position, WAYS } from "./support/misquotes.ts";
import { type Chance, createChance } from "../test/support/chance.ts";
import { drawChanges, publicRepositories } from "./support/public-changes.ts";

const COMMITS_PER_REPOSITORY = 25;
const POSITIONS_PER_COMMIT = 3;
const MAX_LINES = 8;

type Place = {
  readonly file: ChangedFile;
  readonly position: Position;
  readonly name: string;
  /** A line of the file that the diff doesn't show, with its number; null if there is none. */
  readonly unchanged: { readonly text: string; readonly line: number } | null;
};
type Verdict = "right" | "unplaced" | "wrong";
type Tally = { right: number; unplaced: number; wrong: number; named: number };

export async function anchoring(): Promise<void> {
  const repositories = publicRepositories();
  if (repositories === null) return;
  const chance = createChance(20_261_116);
  const places = repositories.flatMap((repository) => drawPlaces(repository, chance));
  const tallies = new Map<string, Tally>();
  for (const [name, way] of Object.entries(WAYS)) {
    const tally: Tally = { right: 0, unplaced: 0, wrong: 0, named: 0 };
    tallies.set(name, tally);
    for (const place of places) {
      const misquote = way(place.position, chance);
      if (misquote === null) continue;
      const { verdict, isNamed, answer } = await placeOf(misquote, place);
      tally[verdict]++;
      if (isNamed) tally.named++;
      if (verdict === "right") continue;
      const { start, end, side } = place.position;
      for (const kind of [name, verdict])
        show(kind, `${name}, ${place.name} ${start}–${end} ${side}\n${misquote.quote}\n  → ${answer}`);
    }
  }
  report(places, tallies);
  await strays(places, chance);
}

function report(places: readonly Place[], tallies: ReadonlyMap<string, Tally>): void {
  console.log(`  ${places.length} places                                right  unplaced     wrong`);
  let [right, wrong, unplaced, named] = [0, 0, 0, 0];
  for (const [name, tally] of tallies) {
    right += tally.right;
    wrong += tally.wrong;
    unplaced += tally.unplaced;
    named += tally.named;
    const count = tally.right + tally.unplaced + tally.wrong;
    const share = (value: number): string =>
      `${((100 * value) / Math.max(1, count)).toFixed(1)} %`.padStart(9);
    console.log(
      `  ${name.padEnd(40)} ${share(tally.right)} ${share(tally.unplaced)} ${share(tally.wrong)}  of ${count}`,
    );
  }
  const count = right + wrong + unplaced;
  console.log(
    `  ${count} quotes: ${((100 * right) / count).toFixed(2)} % right, ${((100 * unplaced) / count).toFixed(2)} % unplaced, ${((100 * wrong) / count).toFixed(3)} % wrong; the answer contains the right line for ${named} of ${unplaced} unplaced`,
  );
  judge(LIMITS.quotesNotRight, 100 - (100 * right) / count);
  judge(LIMITS.quotesWrong, (100 * wrong) / count);
}

function drawPlaces(repository: string, chance: Chance): readonly Place[] {
  const places: Place[] = [];
  let commits = 0;
  for (const { commit, files, readLines } of drawChanges(repository, chance)) {
    const readable = files.filter(({ hunks }) => hunks.length > 0);
    let drawn = 0;
    for (let count = 0; count < POSITIONS_PER_COMMIT; count++) {
      const file = chance.of(readable);
      const position = file === undefined ? null : drawPosition(file, chance);
      if (file === undefined || position === null) continue;
      places.push({
        file,
        position,
        name: `${commit.slice(0, 9)}:${file.path}`,
        unchanged: file.status === "deleted" ? null : drawUnchanged(file, readLines(file.path), chance),
      });
      drawn++;
    }
    if (drawn > 0 && ++commits >= COMMITS_PER_REPOSITORY) break;
  }
  return places;
}

const numberOn = (line: DiffLine, side: "new" | "old"): number | null =>
  side === "new" ? line.newLine : line.oldLine;

function drawPosition(file: ChangedFile, chance: Chance): Position | null {
  const hunk = chance.of(file.hunks);
  if (hunk === undefined) return null;
  const walked = walkHunk(hunk);
  const side = chance.below(7) === 0 ? "old" : "new";
  const lines = walked.filter((line) => numberOn(line, side) !== null);
  const first = chance.of(lines.filter((line) => line.kind !== "context" && isSubstantial(line.text)));
  if (first === undefined) return null;
  const at = lines.indexOf(first);
  const wanted = chance.below(2) === 0 ? 1 : 2 + chance.below(MAX_LINES - 1);
  const taken = lines.slice(at, at + wanted);
  while (taken.length > 1 && taken.at(-1)?.text.trim() === "") taken.pop();
  const texts = taken.map(({ text }) => text);
  const replaced = walked.slice(0, walked.indexOf(first)).reverse();
  const above = replaced.findIndex(({ kind }) => kind !== "removed");
  return {
    side,
    lines: texts,
    start: numberOn(first, side) ?? 0,
    end: (numberOn(first, side) ?? 0) + taken.length - 1,
    before: lines[at - 1]?.text ?? null,
    after: lines[at + taken.length]?.text ?? null,
    replaced: replaced
      .slice(0, above === -1 ? undefined : above)
      .reverse()
      .map(({ text }) => text),
    hasTwin: countOf(texts, file, side) > 1,
  };
}

/** Whether the line has enough text to comment on. */
function isSubstantial(text: string): boolean {
  return text.length <= 300 && (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 4;
}

function countOf(texts: readonly string[], { hunks }: ChangedFile, side: "new" | "old"): number {
  const wanted = texts.map((text) => text.trim()).join("\n");
  let count = 0;
  for (const hunk of hunks) {
    const lines = walkHunk(hunk)
      .filter((line) => numberOn(line, side) !== null)
      .map(({ text }) => text.trim());
    for (let at = 0; at + texts.length <= lines.length; at++)
      if (lines.slice(at, at + texts.length).join("\n") === wanted) count++;
  }
  return count;
}

async function placeOf({ quote, hint, means }: Misquote, { file, position }: Place) {
  const { anchor, answer } = await record(file, {
    quote,
    line: hint === undefined ? position.start : hint,
    side: position.side,
  });
  const [start, end] = means ?? [position.start, position.end];
  const isRight =
    anchor !== null && anchor.side === position.side && anchor.startLine === start && anchor.endLine === end;
  const verdict: Verdict = anchor === null ? "unplaced" : isRight ? "right" : "wrong";
  const isNamed = verdict === "unplaced" && new RegExp(`line ${start}\\b`).test(answer);
  return { verdict, isNamed, answer };
}

type Quoted = { readonly quote: string; readonly line: number | null; readonly side: "new" | "old" };

async function record(file: ChangedFile, { quote, line, side }: Quoted) {
  const change = changeOf([file]);
  const notebook = createMemoryNotebook();
  const result = await recordFinding.execute(
    {
      path: file.path,
      quote,
      title: "It fails",
      body: "It fails.",
      severity: "major",
      category: "correctness",
      side,
      ...(line === null ? {} : { line }),
    },
    {
      change,
      analysis: analysisOf(change),
      repository: null,
      head: { commit: "0".repeat(40) },
      base: null,
      reader: createInProcessReader(),
      readChecks: null,
      code: null,
      dependencyReader: null,
      evidence: [],
      toCheckAgain: [],
      guard: createGuard("5e1f0c9a7b3d2468"),
      signal: new AbortController().signal,
      notebook,
      pass: { name: "review", paths: new Set([file.path]) },
      hunksToRead: () => [],
      shown: createShown({ shownPaths: [file.path], shownParts: [] }, () => 1),
    },
  );
  const [placed] = identifyInChange(foundIn(notebook), change);
  const data = result.data?.map(({ prefix, text }) => `${prefix}${text}`) ?? [];
  return { anchor: placed?.anchor ?? null, answer: [result.text, ...data].join("\n") };
}

function drawUnchanged(file: ChangedFile, lines: readonly string[], chance: Chance): Place["unchanged"] {
  const shown = new Set(file.hunks.flatMap((hunk) => walkHunk(hunk).map(({ newLine }) => newLine)));
  const hidden = lines
    .map((text, index) => ({ text: text.replace(/\r$/, ""), line: index + 1 }))
    .filter(({ text, line }) => !shown.has(line) && isSubstantial(text) && !isIn([text], file));
  return chance.of(hidden) ?? null;
}

const isIn = (texts: readonly string[], file: ChangedFile): boolean =>
  countOf(texts, file, "new") + countOf(texts, file, "old") > 0;

/** Measures quotes of code that isn't in the file's diff, which must not be placed. */
async function strays(places: readonly Place[], chance: Chance): Promise<void> {
  const [others, unchanged] = [createTally(), createTally()];
  for (const { file, unchanged: line } of places) {
    const other = chance.of(places)?.position;
    if (other !== undefined && !isIn(other.lines, file))
      await countStray(others, file, { quote: all(other), line: other.start, side: other.side });
    if (line !== null) await countStray(unchanged, file, { quote: line.text, line: line.line, side: "new" });
  }
  judge(LIMITS.quotesStray, share(others), `${others.count} from other files`);
  judge(LIMITS.quotesStray, share(unchanged), `${unchanged.count} of unchanged lines`);
}

const createTally = () => ({ count: 0, placed: 0 });
const share = ({ count, placed }: ReturnType<typeof createTally>): number =>
  (100 * placed) / Math.max(1, count);

async function countStray(
  tally: ReturnType<typeof createTally>,
  file: ChangedFile,
  quoted: Quoted,
): Promise<void> {
  const { anchor } = await record(file, quoted);
  tally.count++;
  if (anchor === null) return;
  tally.placed++;
  show(
    "strays",
    `${quoted.quote} (line ${quoted.line})\n  → ${anchor.lines.join("\n")} (line ${anchor.startLine})`,
  );
}

/** Prints bad cases if KODIAI_BENCH_SHOW names their kind: a way of misquoting, a verdict, or "strays". */
function show(kind: string, text: string): void {
  if (process.env["KODIAI_BENCH_SHOW"] === kind) console.log(`## ${kind}: ${text}\n`);
}

const all = ({ lines }: Position): string => lines.join("\n");
