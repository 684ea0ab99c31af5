/**
 * Judges the scope of second reviews on real histories: ranges of first-parent commits are pull requests, later commits are pushes. The
 * base stays, or moves as after a merge. Lines repeat in real code, so a line is known by its place: git's own diff between the two heads
 * maps it to the earlier head. With another base, a line is known by its text in the same file.
 *
 *     node bench/histories.ts [--histories N] [--seed N] [--show N] GIT_DIRECTORY…
 */
import { execFileSync } from "node:child_process";
import { basename, dirname } from "node:path";
import { parseArgs } from "node:util";
import { openRepository } from "../src/repository/git/open-repository.ts";
import type { Repository } from "../src/repository/repository.ts";
import type { ChangedFile, Hunk } from "../src/review/change/change.ts";
import { isHunkUnread, type Scope } from "../src/review/change/scope.ts";
import { walkHunk } from "../src/review/change/walk-hunks.ts";
import { decideScope } from "../src/review/context/decide-scope.ts";
import { createChance } from "../test/support/chance.ts";
import { LIMITS } from "./limits.ts";
import { judge } from "./measure.ts";
import { publicRepositories } from "./support/public-changes.ts";

const NEWEST_COMMITS = 2_000;
/** A larger change is a release or a move. */
const MAX_FILES = 300;
const DEFAULTS = { histories: 40, seed: 20_261_116, show: 0 };

type Tally = { histories: number; hunks: number; unread: number; missed: number; reread: number };

/** Files of an earlier diff that may be the earlier form of a file. */
type Earlier = (file: ChangedFile) => readonly ChangedFile[];

type IsKnown = (file: ChangedFile) => (line: LineSpot) => boolean;
type LineSpot = { readonly text: string; readonly line: number; readonly kind: "added" | "removed" };

/** The bench: figures only. */
export async function histories(): Promise<void> {
  const repositories = publicRepositories();
  if (repositories !== null) await judgeAll(repositories, DEFAULTS);
}

async function judgeAll(repositories: readonly string[], options: typeof DEFAULTS): Promise<void> {
  const tallies = { "same base": newTally(), "moved base": newTally() };
  let left = options.show;
  for (const folder of repositories) {
    const chance = createChance(options.seed);
    const log = ["rev-list", "--first-parent", `--max-count=${NEWEST_COMMITS}`, "HEAD"];
    const commits = execFileSync("git", ["--git-dir", folder, ...log], { encoding: "utf8" })
      .trim()
      .split("\n");
    const repository = await openRepository(folder, { PATH: process.env["PATH"] ?? "" });
    for (let drawn = 0; drawn < options.histories && commits.length > 20; drawn++) {
      const newest = chance.below(commits.length - 12);
      const pushed = newest + 1 + chance.below(3);
      const base = pushed + 2 + chance.below(6);
      const kind = drawn % 3 === 2 ? "moved base" : "same base";
      const at = (index: number): string => commits[index] ?? "";
      try {
        const before = await read(repository, at(base), at(pushed));
        const after = await read(repository, at(kind === "same base" ? base : base - 1), at(newest));
        if (Math.max(before.length, after.length) > MAX_FILES) continue;
        const between = kind === "same base" ? await read(repository, at(pushed), at(newest)) : null;
        const scope = scopeOf(after, before);
        const isKnown = between === null ? knownByText(before) : knownByPlace(before, between);
        for (const text of judgeHunks(
          { after, scope, earlier: pairing(before, between), isKnown },
          tallies[kind],
        ))
          if (left-- > 0)
            console.log(
              `\n${basename(dirname(folder))} ${at(base)} ${at(pushed)} ${at(newest)} ${kind}\n${text}`,
            );
      } catch (error) {
        // A copy of a repository may lack its largest files.
        console.error(`  ${basename(dirname(folder))}: ${String(error).split("\n")[0]}`);
      }
    }
    repository.close();
  }
  for (const [kind, { histories: count, hunks, unread, missed, reread }] of Object.entries(tallies)) {
    console.log(`  ${kind}: ${count} histories, ${hunks} hunks, ${unread} unread`);
    judge(LIMITS.missedHunks, missed, kind);
    judge(LIMITS.rereadHunks, reread, kind);
  }
}

function newTally(): Tally {
  return { histories: 0, hunks: 0, unread: 0, missed: 0, reread: 0 };
}

async function read(
  repository: Repository,
  mergeBase: string,
  head: string,
): Promise<readonly ChangedFile[]> {
  const texts = { title: "", body: "", description: "" };
  return (await repository.readChange({ kind: "pull-request", ...texts, mergeBase, head })).files;
}

function scopeOf(files: readonly ChangedFile[], before: readonly ChangedFile[]): Scope {
  const readings = { usual: { rules: "read", model: null }, others: [] };
  const runs = [{ base: "", head: "", config: "", readings, files: before }];
  return decideScope({ files, prior: { runs, findings: [] }, isFull: false, config: "" });
}

function pairing(before: readonly ChangedFile[], between: readonly ChangedFile[] | null): Earlier {
  return ({ path, oldPath }) => {
    const renamed = between?.find((file) => file.path === path)?.oldPath;
    return before.filter(
      (file) => file.path === path || file.path === renamed || (oldPath !== null && file.oldPath === oldPath),
    );
  };
}

function knownByText(before: readonly ChangedFile[]): IsKnown {
  const earlier = pairing(before, null);
  return (file) => {
    const spots = earlier(file).flatMap(({ hunks }) => hunks.flatMap(changedSpots));
    const texts = new Set(spots.map(({ kind, text }) => `${kind} ${text}`));
    return ({ kind, text }) => texts.has(`${kind} ${text}`);
  };
}

/** `between` is the diff from the earlier head to this one. */
function knownByPlace(before: readonly ChangedFile[], between: readonly ChangedFile[]): IsKnown {
  const added = new Map(before.map((file) => [file.path, spotsOf(file, "added")]));
  const removed = new Map(before.map((file) => [file.oldPath ?? file.path, spotsOf(file, "removed")]));
  return (file) => {
    const delta = between.find(({ path }) => path === file.path);
    return ({ line, kind }) => {
      if (kind === "removed") return removed.get(file.oldPath ?? file.path)?.has(line) ?? false;
      const was = delta === undefined ? line : lineBefore(line, delta.hunks);
      return was !== null && (added.get(delta?.oldPath ?? file.path)?.has(was) ?? false);
    };
  };
}

function spotsOf({ hunks }: ChangedFile, kind: LineSpot["kind"]): ReadonlySet<number> {
  return new Set(
    hunks.flatMap((hunk) => changedSpots(hunk).flatMap((spot) => (spot.kind === kind ? [spot.line] : []))),
  );
}

function changedSpots(hunk: Hunk): readonly LineSpot[] {
  return walkHunk(hunk).flatMap(({ kind, text, oldLine, newLine }) => {
    const line = kind === "added" ? newLine : oldLine;
    return kind === "context" || line === null ? [] : [{ kind, text, line }];
  });
}

/** The line of the old side that a line of the new side was; null if it's new. */
function lineBefore(line: number, hunks: readonly Hunk[]): number | null {
  let shift = 0;
  for (const hunk of hunks) {
    if (line < hunk.newStart) break;
    const lines = walkHunk(hunk);
    const removed = lines.findLast(({ kind }) => kind === "removed");
    for (const each of lines) {
      // If only the newline at the end of the file differs, the texts are the same.
      const isSame = each === lines.at(-1) && each.kind === "added" && each.text === removed?.text;
      if (each.newLine === line) return isSame ? removed.oldLine : each.oldLine;
      if (each.kind === "added") shift--;
      if (each.kind === "removed") shift++;
    }
  }
  return line + shift;
}

type Judged = {
  readonly after: readonly ChangedFile[];
  readonly scope: Scope;
  readonly earlier: Earlier;
  readonly isKnown: IsKnown;
};

/** Counts, and describes the hunks that are wrong. */
function* judgeHunks({ after, scope, earlier, isKnown }: Judged, tally: Tally): Generator<string> {
  tally.histories++;
  for (const file of after) {
    const knows = isKnown(file);
    const before = new Set(earlier(file).flatMap(({ hunks }) => hunks.map((hunk) => hunk.lines.join("\n"))));
    for (const [index, hunk] of file.hunks.entries()) {
      const judged = scope.byPath.get(file.path)?.[index];
      const isUnread = judged === undefined || isHunkUnread(judged);
      const isAllKnown = changedSpots(hunk).every(knows);
      const isMissed = !isUnread && !isAllKnown;
      const isReread = isUnread && isAllKnown && before.has(hunk.lines.join("\n"));
      tally.hunks++;
      if (isUnread) tally.unread++;
      if (isMissed) tally.missed++;
      if (isReread) tally.reread++;
      if (isMissed || isReread)
        yield `${isMissed ? "missed" : "reread"} ${judged?.status} ${file.path}:${hunk.newStart}\n${hunk.lines.join("\n")}`;
    }
  }
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      histories: { type: "string", default: String(DEFAULTS.histories) },
      seed: { type: "string", default: String(DEFAULTS.seed) },
      show: { type: "string", default: String(DEFAULTS.show) },
    },
  });
  const { histories: count, seed, show } = values;
  await judgeAll(positionals, { histories: Number(count), seed: Number(seed), show: Number(show) });
}
