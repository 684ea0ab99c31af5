/**
 * Comments that people and their tools address to review bots, from public pull requests and repositories, with the name replaced. Each has
 * the command that is right for it. Half of them weren't looked at while the grammar was written: a hash of the text decides.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parseMentions } from "./parse-mention.ts";

/** `later` was collected and labelled when the grammar was finished, and nothing was tuned on it. */
const SOURCES = ["threads", "files", "later"] as const;

/** Acceptable outcomes with "|" between them; several commands have "+". */
type LabelledComment = readonly [right: string, text: string];

// The fixture's documented form.
const COMMENTS = JSON.parse(
  readFileSync(new URL("../../../bench/mentions/comments.json", import.meta.url), "utf8"),
) as Readonly<Record<(typeof SOURCES)[number], readonly LabelledComment[]>>;

const MIN_SHARE = 0.97;

function outcomeOf(text: string): string {
  const kinds = parseMentions(text, "kodiai").map((command) => {
    if (command.kind === "unknown") return "hint";
    return command.kind === "review" && command.isFull ? "full" : command.kind;
  });
  return kinds.length === 0 ? "nothing" : kinds.join("+");
}

const isHeldOut = (text: string): boolean => (createHash("sha256").update(text).digest()[0] ?? 0) % 2 === 1;

const FIRST = [...COMMENTS.threads, ...COMMENTS.files];

const SETS: readonly (readonly [name: string, comments: readonly LabelledComment[], least: number])[] = [
  ["tuned", FIRST.filter(([, text]) => !isHeldOut(text)), 150],
  ["held out", FIRST.filter(([, text]) => isHeldOut(text)), 150],
  ["later", COMMENTS.later, 35],
];

for (const [name, own, least] of SETS)
  test(`at least 97 % of real comments do the right thing, ${name}`, () => {
    const misses = own.flatMap(([right, text]) => {
      const outcome = outcomeOf(text);
      return right.split("|").includes(outcome) ? [] : [`${right}, not ${outcome}: ${text.slice(0, 80)}`];
    });
    assert.ok(own.length >= least, `${own.length} comments`);
    const share = 1 - misses.length / own.length;
    assert.ok(share >= MIN_SHARE, `${(share * 100).toFixed(1)} %\n${misses.join("\n")}`);
  });

test("no real comment that asks or says something is taken for an order that writes or settles", () => {
  const orders = new Set([
    "fix",
    "change",
    "dismiss",
    "waive",
    "reopen",
    "learn",
    "forget",
    "pause",
    "resume",
    "resolve",
  ]);
  for (const [right, text] of Object.values(COMMENTS).flat()) {
    const kinds = outcomeOf(text).split("+");
    for (const kind of kinds)
      assert.ok(!orders.has(kind) || right.split("|").includes(kind), `${kind}: ${text}`);
  }
});
