/** A second review reads what is new and only that, whatever the push was: random histories in real git, judged by membership. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openRepository } from "../../src/repository/git/open-repository.ts";
import type { ChangedFile, Hunk } from "../../src/review/change/change.ts";
import { createPlaceMap, type Place } from "../../src/review/change/map-places.ts";
import { walkHunk } from "../../src/review/change/walk-hunks.ts";
import { decideScope } from "../../src/review/context/decide-scope.ts";
import { createChance } from "../support/chance.ts";
import {
  drawHistory,
  type Files,
  MAX_REVIEWS,
  OPERATIONS,
  type Reviewed,
  writeCommits,
} from "../support/histories.ts";
import { type JudgedDiff, judgeScope, type Verdict } from "../support/scope-oracle.ts";
import { testRepository } from "../support/test-repository.ts";

/** Set KODIAI_SEED to another number to draw other histories. */
const SEED = Number(process.env["KODIAI_SEED"] ?? 20_261_116);
const HISTORIES = Number(process.env["KODIAI_HISTORIES"] ?? 400);

/** Histories that share commits, each in its own folder: git reads one large diff much faster than many small ones. */
const HISTORIES_PER_COMMIT = 40;

type Diff = JudgedDiff & { readonly review: Reviewed; readonly base: string; readonly head: string };

const made = testRepository({ bare: true });
after(() => made.remove());

/** The reviews of each history, oldest first. */
async function readHistories(): Promise<readonly (readonly Diff[])[]> {
  const chance = createChance(SEED);
  const histories = Array.from({ length: HISTORIES }, (_, index) =>
    drawHistory(chance, `h${index}`, OPERATIONS[index % OPERATIONS.length] ?? "commit"),
  );
  // The first reviews of some histories together, then their second reviews, and so on.
  const rounds = Array.from({ length: Math.ceil(HISTORIES / HISTORIES_PER_COMMIT) }, (_, part) =>
    histories.slice(part * HISTORIES_PER_COMMIT, (part + 1) * HISTORIES_PER_COMMIT),
  ).flatMap((some) =>
    Array.from({ length: MAX_REVIEWS }, (_, index) => some.flatMap((history) => history[index] ?? [])),
  );
  const ids = writeCommits(
    made.path,
    rounds.flatMap((round) => [
      round.flatMap(({ base }) => [...base.values()]),
      round.flatMap(({ head }) => [...head.values()]),
    ]),
  );
  const repository = await openRepository(made.path, { PATH: process.env["PATH"] ?? "" });
  const read = new Map<Reviewed, Diff>();
  for (const [index, round] of rounds.entries()) {
    const [mergeBase = "", head = ""] = ids.slice(2 * index);
    const { files } = await repository.readChange({
      kind: "pull-request",
      title: "",
      body: "",
      description: "",
      mergeBase,
      head,
    });
    const byFolder = Map.groupBy(files, ({ path }) => path.slice(0, path.indexOf("/")));
    for (const review of round)
      read.set(review, {
        files: byFolder.get(review.name) ?? [],
        fileOf: (path) => keyOf(path, review),
        baseLines: (file) => review.base.get(file ?? 0)?.lines ?? [],
        headLines: (file) => review.head.get(file ?? 0)?.lines ?? [],
        review,
        base: mergeBase,
        head,
      });
  }
  repository.close();
  return histories.map((history) => history.flatMap((review) => read.get(review) ?? []));
}

function keyOf(path: string, { base, head }: Reviewed): number | undefined {
  const find = (files: Files) => [...files].find(([, file]) => file.path === path)?.[0];
  return find(head) ?? find(base);
}

const reading = readHistories();

/** The record of a run at this head that has read everything. */
function runOf({ base, head, files }: Diff) {
  const usual = { model: { id: "a:x", head } };
  return { base, head, config: "c", readings: { usual, others: [] }, files };
}

const SHOWN_PER_VERDICT = 3;

test("no changed hunk is missed, and no unchanged one is read again", async (t) => {
  const histories = await reading;
  const counts: Record<Verdict, number> = {
    missed: 0,
    reread: 0,
    "moved and unread": 0,
    "moved and read": 0,
    right: 0,
  };
  const operations = new Map<string, number>();
  let comparisons = 0;
  for (const [number, history] of histories.entries()) {
    for (let index = 1; index < history.length; index++) {
      const [current, ...earlier] = history.slice(0, index + 1).toReversed();
      assert.ok(current !== undefined);
      const scope = decideScope({
        files: current.files,
        prior: { runs: earlier.map(runOf), findings: [] },
        isFull: false,
        config: "c",
      });
      comparisons++;
      for (const name of current.review.operations) operations.set(name, (operations.get(name) ?? 0) + 1);
      for (const { verdict, path, hunk } of judgeScope(current, earlier, scope)) {
        counts[verdict]++;
        if ((verdict === "missed" || verdict === "reread") && counts[verdict] <= SHOWN_PER_VERDICT)
          t.diagnostic(
            `${verdict}: history ${number}, review ${index + 1} (${current.review.operations.join(", ")}), ` +
              `${path}\n${hunk.join("\n")}`,
          );
      }
    }
  }
  t.diagnostic(`seed ${SEED}: ${histories.length} histories, ${comparisons} second reviews`);
  t.diagnostic([...operations].map(([name, count]) => `${count} ${name}`).join(", "));
  t.diagnostic(
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(", "),
  );
  assert.ok(histories.length >= 300);
  assert.deepEqual([counts.missed, counts.reread], [0, 0]);
  assert.ok(counts.right > 0);
});

const PLACES_PER_REVIEW = 20;

test("a place maps to exactly its lines, and is never the same when one is gone", async (t) => {
  const chance = createChance(SEED);
  const counts = { same: 0, changed: 0, gone: 0, unknown: 0 };
  for (const history of await reading) {
    for (const [index, current] of history.slice(1).entries()) {
      const before = history[index];
      if (before === undefined || before.files.every(({ hunks }) => hunks.length === 0)) continue;
      const map = createPlaceMap(current.files, before.files);
      const now = { new: spotsOn("new", current.files), old: spotsOn("old", current.files) };
      for (let left = PLACES_PER_REVIEW; left > 0; left--) {
        const side = chance.of(["new", "old"] as const) ?? "new";
        const file: ChangedFile | undefined = chance.of(before.files.filter(({ hunks }) => hunks.length > 0));
        const lines = numberedLines(side, chance.of(file?.hunks ?? []));
        const start = chance.below(lines.length);
        const chosen = lines.slice(start, start + 1 + chance.below(4));
        const [first, last] = [chosen[0], chosen.at(-1)];
        if (file === undefined || first === undefined || last === undefined) continue;
        const place: Place = { path: file.path, side, startLine: first.line, endLine: last.line };
        const mapped = map(place);
        counts[mapped.kind]++;
        const spots = chosen.map(({ text }) => now[side].get(text));
        const [spot] = spots;
        const isTogether = spots.every(
          (each, offset) => each?.path === spot?.path && each?.line === (spot?.line ?? 0) + offset,
        );
        const expected =
          spot === undefined || !isTogether
            ? null
            : { path: spot.path, side, startLine: spot.line, endLine: spot.line + chosen.length - 1 };
        const what: string = `seed ${SEED}, ${current.review.name} ${current.review.operations.join(", ")} ${JSON.stringify(place)}`;
        if (mapped.kind === "same") assert.deepEqual(mapped, { kind: "same", ...expected }, what);
        // Unchanged lines are looked for only in the same file, changed lines everywhere.
        const isSameFile =
          file.oldPath === spot?.oldPath && (file.oldPath !== null || file.path === spot.path);
        if (expected !== null && (isSameFile || spots.every((each) => each?.isChanged)))
          assert.equal(mapped.kind, "same", what);
      }
    }
  }
  t.diagnostic(
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(", "),
  );
  assert.ok(counts.same > 1_000 && counts.changed > 100 && counts.gone > 100);
});

type Side = "new" | "old";
type Spot = Pick<ChangedFile, "path" | "oldPath"> & { readonly line: number; readonly isChanged: boolean };

/** Where each line of a diff is, by its text. */
function spotsOn(side: Side, files: readonly ChangedFile[]): ReadonlyMap<string, Spot> {
  return new Map(
    files.flatMap(({ path, oldPath, hunks }) =>
      hunks
        .flatMap((hunk) => numberedLines(side, hunk))
        .map(({ text, ...spot }) => [text, { path, oldPath, ...spot }]),
    ),
  );
}

function numberedLines(side: Side, hunk: Hunk | undefined) {
  return (hunk === undefined ? [] : walkHunk(hunk)).flatMap(({ text, kind, newLine, oldLine }) => {
    const line = side === "new" ? newLine : oldLine;
    return line === null ? [] : [{ text, line, isChanged: kind !== "context" }];
  });
}
