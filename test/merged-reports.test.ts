/** Merging reports of one defect, on the reports of `bench/repeats`: properties that hold whatever is taken for the same. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readRepeatedCases } from "../bench/support/repeated-reports.ts";
import { groupSame } from "../src/review/findings/group-same.ts";
import {
  type Identified,
  identifyFindings,
  isSame,
  type Placed,
} from "../src/review/findings/identify-findings.ts";
import { createChance } from "./support/chance.ts";

const CASES = readRepeatedCases("tuning");
const ORDERS = 5;

const identify = (reports: readonly Placed[]): readonly Identified[] => identifyFindings(reports, new Map());

/** Each group's id and the titles in it. */
const groupsOf = (reports: readonly Identified[]) =>
  groupSame(identify(reports)).map((group) => [group[0].id, ...group.map(({ finding }) => finding.title)]);

const reportsOf = (at: number): readonly Identified[] =>
  identify((CASES[at]?.reports ?? []).map(({ report }) => report));

test("whether two reports are the same doesn't depend on which comes first", () => {
  for (const at of CASES.keys())
    for (const a of reportsOf(at))
      for (const b of reportsOf(at))
        assert.equal(isSame(a, b), isSame(b, a), `${a.finding.title}, ${b.finding.title}`);
});

test("any order of reports gives the same findings, every report is in one, and merging them again changes nothing", () => {
  const chance = createChance(36);
  let merged = 0;
  for (const at of CASES.keys()) {
    const reports = reportsOf(at);
    const groups = groupsOf(reports);
    for (let order = 0; order < ORDERS; order++) {
      const waiting = [...reports];
      const shuffled = reports.flatMap(() => waiting.splice(chance.below(waiting.length), 1));
      assert.deepEqual(groupsOf(shuffled), groups);
    }
    const titles = groups.flatMap(([, ...members]) => members);
    assert.deepEqual(titles.toSorted(), reports.map(({ finding }) => finding.title).toSorted());
    const shown = groupSame(identify(reports)).map(([first]) => first);
    assert.deepEqual(
      groupSame(shown).map((group) => group.length),
      shown.map(() => 1),
    );
    merged += reports.length - groups.length;
  }
  assert.ok(merged > CASES.length, `only ${merged} are merged`);
});
