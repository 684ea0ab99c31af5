import assert from "node:assert/strict";
import { test } from "node:test";
import { diffTexts } from "../../../test/support/diff-texts.ts";
import type { ChangedFile } from "./change.ts";
import { compareScope } from "./compare-scope.ts";
import { createPlaceMap } from "./map-places.ts";
import { type LineReading, packReadings, readingsOf, UNREAD } from "./readings.ts";
import { isHunkUnread } from "./scope.ts";

const READ: LineReading = { model: { id: "m", head: "a1" } };
const ALL_READ = { usual: READ, others: [] };

const numbered = (count: number, edits: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: count }, (_, index) => `${edits[index + 1] ?? `line ${index + 1}`}\n`).join("");

const edited = (path: string, before: string, after: string | null): ChangedFile =>
  diffTexts({ path, before, after });

/** "status unread" for each hunk of a file. */
function shown(
  files: readonly ChangedFile[],
  ...earlier: readonly (readonly ChangedFile[])[]
): readonly string[] {
  const scope = compareScope(
    files,
    earlier.map((each) => ({ files: each, readings: ALL_READ })),
  );
  return [...scope].flatMap(([path, hunks]) =>
    hunks.map((hunk) => {
      const unread = hunk.readings.filter((reading) => reading !== null && reading.model === null).length;
      return `${path} ${hunk.status} ${unread}`;
    }),
  );
}

const BASE = numbered(60);

test("without an earlier run every hunk is new", () => {
  assert.deepEqual(shown([edited("a.ts", BASE, numbered(60, { 5: "x", 40: "y" }))]), [
    "a.ts new 2",
    "a.ts new 2",
  ]);
});

test("only the second push's hunk is unread", () => {
  const first = edited("a.ts", BASE, numbered(60, { 5: "x" }));
  const second = edited("a.ts", BASE, numbered(60, { 5: "x", 40: "y" }));
  assert.deepEqual(shown([second], [first]), ["a.ts carried 0", "a.ts new 2"]);
});

test("a moved base changes line numbers and context, not what is read", () => {
  const first = edited("a.ts", BASE, numbered(60, { 5: "x" }));
  const moved = `top\n${BASE}`.replace("line 4\n", "line four\n");
  assert.deepEqual(shown([edited("a.ts", moved, moved.replace("line 5\n", "x\n"))], [first]), [
    "a.ts rebased 0",
  ]);
});

test("one edited line of a new file is unread, and the rest is carried", () => {
  const first = diffTexts({ path: "new.ts", before: null, after: BASE });
  const second = diffTexts({ path: "new.ts", before: null, after: numbered(60, { 30: "edited" }) });
  assert.deepEqual(shown([second], [first]), ["new.ts changed 3"]);
});

test("a line that is taken back makes its neighbors unread", () => {
  const first = edited("a.ts", BASE, numbered(60, { 20: "check();\nuse();\nend();" }));
  const second = edited("a.ts", BASE, numbered(60, { 20: "use();\nend();" }));
  assert.deepEqual(shown([second], [first]), ["a.ts changed 2"]);
  assert.deepEqual(shown([edited("b.ts", BASE, numbered(60, { 1: "x" }))], [first]), ["b.ts new 2"]);
});

test("lines that come back are known from the run before the last", () => {
  const first = edited("a.ts", BASE, numbered(60, { 5: "x" }));
  const second = edited("a.ts", BASE, numbered(60, { 5: "something else" }));
  assert.deepEqual(shown([first], [second], [first]), ["a.ts carried 0"]);
  assert.deepEqual(shown([first], [second]), ["a.ts changed 2"]);
});

test("a renamed new file, and code that moves to another file, were read before", () => {
  const first = diffTexts({ path: "old-name.ts", before: null, after: BASE });
  assert.deepEqual(shown([{ ...first, path: "new-name.ts" }], [first]), ["new-name.ts carried 0"]);
  const block = "one();\ntwo();\nthree();\n";
  const before = edited("a.ts", BASE, numbered(60, { 9: `line 9\n${block.trim()}` }));
  const after = edited("b.ts", BASE, numbered(60, { 50: `line 50\n${block.trim()}` }));
  assert.deepEqual(shown([after, edited("a.ts", BASE, numbered(60, { 30: "z" }))], [before]), [
    "b.ts moved 0",
    "a.ts new 2",
  ]);
});

test("a line that moves within its file is unread, and a longer block was read", () => {
  const first = edited("a.ts", BASE, numbered(60, { 5: "line 5\ncheck();", 20: "line 20\nuse();" }));
  const second = edited("a.ts", BASE, numbered(60, { 20: "line 20\nuse();", 30: "line 30\ncheck();" }));
  assert.deepEqual(shown([second], [first]), ["a.ts carried 0", "a.ts changed 1"]);
  const block = "one();\ntwo();\nthree();";
  const above = edited("a.ts", BASE, numbered(60, { 5: `line 5\n${block}` }));
  const below = edited("a.ts", BASE, numbered(60, { 30: `line 30\n${block}` }));
  assert.deepEqual(shown([below], [above]), ["a.ts moved 0"]);
  const across = edited("a.ts", BASE, numbered(60, { 5: "line 5\none();\ntwo();", 6: "line 6\nthree();" }));
  assert.deepEqual(shown([across], [above]), ["a.ts changed 1"]);
});

test("a block that moves next to other changed lines is unread", () => {
  const block = "one();\ntwo();\nthree();";
  const before = edited("a.ts", BASE, numbered(60, { 9: `line 9\n${block}` }));
  const target = (text: string) => edited("b.ts", BASE, numbered(60, { 50: text }));
  assert.deepEqual(shown([target(`use();\n${block}`)], [before, target("use();")]), ["b.ts changed 3"]);
});

test("a copy of a hunk is unread, even if older runs had the first one too", () => {
  const one = edited("a.ts", BASE, numbered(60, { 40: "line 40\nretry();" }));
  const two = edited("a.ts", BASE, numbered(60, { 10: "line 10\nretry();", 40: "line 40\nretry();" }));
  assert.deepEqual(shown([two], [one], [one]), ["a.ts new 1", "a.ts carried 0"]);
  const block = "one();\ntwo();\nthree();";
  const pasted = (path: string) => edited(path, `${path}\n${BASE}`, `${path}\n${block}\n${BASE}`);
  assert.deepEqual(shown([pasted("b.ts"), pasted("c.ts")], [pasted("a.ts")]), [
    "b.ts rebased 0",
    "c.ts new 3",
  ]);
});

test("a file that the base renames is the same file", () => {
  const first = edited("a.ts", BASE, numbered(60, { 5: "x" }));
  const again = edited("b.ts", BASE, numbered(60, { 5: "x", 40: "y\nz", 55: "w" }));
  assert.deepEqual(shown([again], [first]), ["b.ts carried 0", "b.ts new 3", "b.ts new 2"]);
  const moved = `top\n${BASE}`;
  assert.deepEqual(shown([edited("b.ts", moved, moved.replace("line 5\n", "x\n"))], [first]), [
    "b.ts carried 0",
  ]);
});

test("a renamed file is found although a new file has its path", () => {
  const first = { ...edited("b.ts", BASE, numbered(60, { 5: "x" })), oldPath: "a.ts" };
  const created = diffTexts({ path: "b.ts", before: null, after: "new\n" });
  assert.deepEqual(shown([created, { ...first, path: "c.ts" }], [first]), ["b.ts new 1", "c.ts carried 0"]);
});

test("a line in a hunk that only an older run had isn't gone", () => {
  const older = edited("a.ts", BASE, numbered(60, { 20: "x" }));
  const last = edited("a.ts", BASE, numbered(60, { 17: "y", 20: "x" }));
  const spread = BASE.replace("line 18\n", "line 18\nbase 1\nbase 2\nbase 3\nbase 4\nbase 5\n");
  const now = edited("a.ts", spread, spread.replace("line 17\n", "y\n").replace("line 20\n", "x\n"));
  assert.deepEqual(shown([now], [last], [older]), ["a.ts changed 0", "a.ts rebased 0"]);
});

test("white space counts: an indented line is another line", () => {
  const first = edited("a.py", BASE, numbered(60, { 5: "if x:\n    y()" }));
  const second = edited("a.py", BASE, numbered(60, { 5: "if x:\n  y()" }));
  assert.deepEqual(shown([second], [first]), ["a.py changed 2"]);
});

test("a hunk that a limit left unread stays unread", () => {
  const file = edited("a.ts", BASE, numbered(60, { 5: "x" }));
  const readings = packReadings([{ path: "a.ts", readings: [READ, UNREAD] }]);
  const [hunk] = compareScope([file], [{ files: [file], readings }]).get("a.ts") ?? [];
  assert.ok(hunk !== undefined);
  assert.equal(hunk.status, "carried");
  assert.ok(isHunkUnread(hunk));
});

test("packed readings come back, and a file in another form counts as unread", () => {
  const file = edited("a.ts", BASE, numbered(60, { 5: "x", 40: "y" }));
  const mixed = [READ, READ, UNREAD, READ];
  const packed = packReadings([
    { path: "b.ts", readings: [READ, READ] },
    { path: "a.ts", readings: mixed },
    { path: "c.ts", readings: [READ] },
  ]);
  assert.deepEqual(
    packed.others.map(({ path }) => path),
    ["a.ts"],
  );
  assert.deepEqual(readingsOf(file, packed), mixed);
  const other = edited("a.ts", BASE, numbered(60, { 5: "x" }));
  assert.deepEqual(readingsOf(other, packed), [UNREAD, UNREAD]);
});

const at = (startLine: number, endLine = startLine) => ({
  path: "a.ts",
  side: "new" as const,
  startLine,
  endLine,
});

test("a place moves with its lines, and is changed when one of them is", () => {
  const first = edited("a.ts", BASE, numbered(60, { 20: "x\ny" }));
  const shifted = edited("a.ts", BASE, numbered(60, { 3: "line 3\nmore", 20: "x\ny" }));
  const map = createPlaceMap([shifted], [first]);
  assert.deepEqual(map(at(20, 21)), { kind: "same", ...at(21, 22) });
  const fixed = edited("a.ts", BASE, numbered(60, { 20: "x\nz" }));
  assert.deepEqual(createPlaceMap([fixed], [first])(at(21)), { kind: "changed", ...at(21) });
  assert.deepEqual(createPlaceMap([], [first])(at(21)), { kind: "gone" });
  assert.deepEqual(createPlaceMap([fixed], [first])({ ...at(3), path: "b.ts" }), { kind: "gone" });
});

test("a place in a file that was remembered without its lines may be anywhere in it", () => {
  const first = { ...edited("a.ts", BASE, numbered(60, { 20: "x\ny" })), hunks: [] };
  const now = edited("a.ts", BASE, numbered(60, { 20: "x\nz" }));
  assert.deepEqual(createPlaceMap([now], [first])(at(20)), { kind: "unknown", path: "a.ts" });
  assert.deepEqual(createPlaceMap([], [first])(at(20)), { kind: "gone" });
});

test("a place is found in another file only if its code is there once", () => {
  const code = "const password = readPassword();";
  const first = edited("a.ts", BASE, numbered(60, { 20: code }));
  const other = numbered(60, { 60: "another end" });
  const moved = edited("b.ts", other, numbered(60, { 7: code, 60: "another end" }));
  assert.deepEqual(createPlaceMap([moved], [first])(at(20)), { kind: "same", ...at(7), path: "b.ts" });
  const twice = edited("b.ts", other, numbered(60, { 7: code, 50: code, 60: "another end" }));
  assert.deepEqual(createPlaceMap([twice], [first])(at(20)), { kind: "gone" });
  // The diff doesn't have all of these lines, so they may not be the same.
  assert.deepEqual(createPlaceMap([moved], [first])(at(20, 40)), { kind: "gone" });
});

const USERS = ["export function load(url) {", "  return fetch(url);", "}"];
const LOADER = ["export function load(url) {", "  try {", "    return fetch(url);", "  } catch {}", "}"];
const PEOPLE = ["// People.", ...LOADER, "export const people = [];"];

for (const [name, now, line] of [
  ["short code is recognized by its neighbors", PEOPLE, 5],
  ["short code is recognized with another indentation", PEOPLE.map((text) => `  ${text}`), 5],
  [
    "of equal lines, the one with the same neighbors is it",
    [...PEOPLE, "  try {", "    save(people);", "  } catch {}", "}"],
    5,
  ],
  ["short code that is there twice with its neighbors isn't guessed", [...PEOPLE, ...LOADER], null],
  [
    "short code among other lines isn't the same",
    ["run(() => {", "  } catch {}", "});", ...PEOPLE.slice(6)],
    null,
  ],
] as const) {
  test(`in a new file instead of its own, ${name}`, () => {
    const [users, loader, people] = [USERS, LOADER, now].map((lines) => `${lines.join("\n")}\n`);
    const first = edited("users.js", users ?? "", loader ?? "");
    const files = [edited("users.js", users ?? "", null), edited("people.js", "", people ?? "")];
    const place = createPlaceMap(files, [first])({ ...at(4), path: "users.js" });
    const wanted = { kind: "same", ...at(line ?? 0), path: "people.js" };
    assert.deepEqual(place, line === null ? { kind: "gone" } : wanted);
  });
}

test("code that was there twice isn't moved when one of the two is fixed", () => {
  const code = "const password = readPassword();";
  const first = edited("a.ts", BASE, numbered(60, { 20: code, 40: code }));
  const fixed = edited("a.ts", BASE, numbered(60, { 20: "const password = ask();", 40: code }));
  const map = createPlaceMap([fixed], [first]);
  assert.deepEqual([map(at(20)).kind, map(at(40)).kind], ["changed", "same"]);
});
