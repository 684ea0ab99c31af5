import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFile } from "../../../test/support/analysis-fixtures.ts";
import { findingOf } from "../../../test/support/findings-fixtures.ts";
import { priorFinding } from "../../../test/support/prior-fixtures.ts";
import type { ChangedFile } from "../change/change.ts";
import { createPlaceMap, type Place } from "../change/map-places.ts";
import type { PriorFinding } from "../context/prior-review.ts";
import type { Anchor, Finding } from "./finding.ts";
import { findingWords } from "./finding-words.ts";
import type { Identified } from "./identify-findings.ts";
import { type LocatedPrior, locatePrior, matchPrior } from "./match-prior.ts";

const LINES = ["+const user = load(id);", "+save(user);", "+send(user.mail);", "+return user;"];

function file(lines: readonly string[], path = "src/a.ts"): ChangedFile {
  return changedFile({ path, lines });
}

/** A finding on these lines, with an identity that no earlier finding has unless one is given. */
function found(
  startLine: number,
  endLine: number,
  given: Partial<Finding> = {},
  more: Partial<Anchor> & { readonly id?: string } = {},
): Identified {
  const finding = findingOf({ title: "Promise isn't awaited", ...given });
  const { id = `new on ${startLine}-${endLine}: ${finding.title}`, ...anchored } = more;
  const anchor: Anchor = {
    path: finding.path,
    side: "new",
    startLine,
    endLine,
    lines: [],
    method: "exact",
    isChanged: true,
    ...anchored,
  };
  return { id, finding, anchor };
}

/** Returns what an earlier review left of a finding. */
function leftOf({ id, finding, anchor }: Identified, more: Partial<PriorFinding> = {}): PriorFinding {
  const { title, category, rule, source, path } = finding;
  return priorFinding({
    identity: id,
    path,
    side: anchor?.side ?? null,
    startLine: anchor?.startLine ?? null,
    endLine: anchor?.endLine ?? null,
    title,
    words: findingWords(finding),
    category,
    rule,
    source,
    ...more,
  });
}

/** Earlier findings, located in a diff that changed from one to the other. */
function locate(
  findings: readonly PriorFinding[],
  now: readonly ChangedFile[] = [file(LINES)],
  before: readonly ChangedFile[] = [file(LINES)],
): readonly LocatedPrior[] {
  return locatePrior({ runs: [], findings }, createPlaceMap(now, before));
}

/** The identity of the earlier finding's place that each finding repeats; null if none. */
function matched(all: readonly Identified[], located: readonly LocatedPrior[]): readonly (string | null)[] {
  const matches = matchPrior(
    all.map((each) => [each]),
    located,
  );
  return all.map((each) => matches.get(each)?.place.identity ?? null);
}

const RULE = { source: "floor", rule: "floating-promise" } as const;

test("the same identity is the same finding, even elsewhere, and before another of its rule at its place", () => {
  const before = leftOf(found(2, 2, RULE, { id: "same" }));
  const elsewhere = found(4, 4, { ...RULE, title: "In other words" }, { id: "same" });
  assert.deepEqual(matched([found(2, 2, RULE), elsewhere], locate([before])), [null, "same"]);
});

test("a rule's finding is recognized where its line has moved, and a rule's finding on another line is new", () => {
  const before = leftOf(found(2, 2, RULE, { id: "before" }));
  const shifted = locate([before], [file(["+// one", "+// two", ...LINES])]);
  assert.deepEqual(matched([found(4, 4, RULE)], shifted), ["before"]);
  assert.deepEqual(matched([found(2, 2, RULE)], shifted), [null]);
});

test("a rule's finding is recognized on an edited line", () => {
  const before = leftOf(found(2, 2, RULE, { id: "before" }));
  const edited = LINES.with(1, "+save(user, { force: true });");
  assert.deepEqual(matched([found(2, 2, RULE)], locate([before], [file(edited)])), ["before"]);
});

const MAIL = {
  title: "Mail goes out before the user is stored",
  body: "`save` returns a promise that no one awaits, so a failed write still sends the welcome mail.",
} as const;

const REPHRASED = {
  title: "Unhandled rejection",
  body: "A failed write is lost: the promise isn't awaited, and the welcome mail goes out anyway.",
  category: "reliability",
} as const;

const QUOTES: readonly (readonly [what: string, startLine: number, endLine: number, isSame: boolean])[] = [
  ["with the same lines", 2, 3, true],
  ["with a line more", 1, 3, true],
  ["with a line less", 3, 3, true],
  ["on other lines", 4, 4, false],
];

for (const [what, startLine, endLine, isSame] of QUOTES) {
  test(`a model's finding in other words and another category, quoted ${what}, is ${isSame ? "recognized" : "new"}`, () => {
    const before = leftOf(found(2, 3, MAIL, { id: "before" }));
    const rephrased = found(startLine, endLine, REPHRASED);
    assert.deepEqual(matched([rephrased], locate([before])), [isSame ? "before" : null]);
  });
}

test("the words of the quoted code don't make two findings the same", () => {
  const code = { lines: ["send(user.mail, welcome, template);"] };
  const before = leftOf(
    found(
      3,
      3,
      { title: "Slow template", body: "Rendering blocks `send` of `welcome`." },
      { id: "before", ...code },
    ),
  );
  const other = found(
    3,
    3,
    { title: "Address unchecked", body: "`user.mail` may be empty when `send` runs with `welcome`." },
    code,
  );
  assert.deepEqual(matched([other], locate([before])), [null]);
});

test("two different findings on one line stay two", () => {
  const before = leftOf(found(3, 3, MAIL, { id: "before" }));
  const other = found(3, 3, {
    title: "Address unchecked",
    body: "An empty one raises an error in the library.",
  });
  assert.deepEqual(matched([other, found(3, 3, REPHRASED)], locate([before])), [null, "before"]);
});

test("findings of two rules on one line stay two, whichever has the identity of the line", () => {
  // Identities are made of the code and the category, so the first of two findings on a line has the plain one.
  const before = leftOf(found(3, 3, RULE, { id: "line" }));
  const other = found(
    3,
    3,
    { source: "floor", rule: "empty-catch", title: "Error swallowed" },
    { id: "line" },
  );
  const again = found(3, 3, RULE, { id: "line-2" });
  assert.deepEqual(matched([other, again], locate([before])), [null, "line"]);
});

test("an earlier finding is repeated by one finding only: the most similar one", () => {
  const before = leftOf(found(2, 3, MAIL, { id: "before" }));
  const similar = found(3, 3, REPHRASED);
  const same = found(2, 3, { ...MAIL, category: "reliability" });
  assert.deepEqual(matched([similar, same], locate([before])), [null, "before"]);
});

test("two findings that overlap two earlier ones get one each", () => {
  const [first, second] = [found(1, 2, RULE, { id: "first" }), found(3, 4, RULE, { id: "second" })];
  const located = locate([leftOf(second), leftOf(first)]);
  const now = [found(1, 2, RULE), found(3, 4, RULE)];
  assert.deepEqual(matched(now, located), ["first", "second"]);
  // Both are on lines of both.
  const wide = [found(1, 4, RULE), found(1, 4, { ...RULE, title: "Again" })];
  assert.deepEqual(new Set(matched(wide, located)), new Set(["first", "second"]));
});

test("each line that an earlier finding named is recognized", () => {
  const other = { identity: "on 3", side: "new", startLine: 3, endLine: 3 } as const;
  const before = leftOf(found(1, 1, RULE, { id: "on 1" }), { others: [other] });
  const now = [file(["+// new", ...LINES])];
  const all = [found(2, 2, RULE), found(4, 4, RULE), found(5, 5, RULE)];
  assert.deepEqual(matched(all, locate([before], now)), ["on 1", "on 3", null]);
});

test("a finding in another file or on the other side is new", () => {
  const before = leftOf(found(2, 2, RULE, { id: "before" }));
  const files = [file(LINES), file(LINES, "src/b.ts")];
  assert.deepEqual(matched([found(2, 2, { ...RULE, path: "src/b.ts" })], locate([before], files)), [null]);
  assert.deepEqual(matched([found(2, 2, RULE, { side: "old" })], locate([before])), [null]);
});

test("a finding is recognized in a file that was renamed since", () => {
  const before = leftOf(found(2, 2, RULE, { id: "before" }));
  const located = locate([before], [file(["+// moved", ...LINES], "src/renamed.ts")]);
  assert.deepEqual(matched([found(3, 3, { ...RULE, path: "src/renamed.ts" })], located), ["before"]);
});

test("a finding whose code is gone isn't repeated by one on the same line number", () => {
  const before = leftOf(found(2, 2, { ...RULE, path: "src/gone.ts" }, { id: "before" }));
  const located = locate([before], [file(LINES)], [file(LINES, "src/gone.ts"), file(LINES)]);
  assert.deepEqual(located[0]?.places[0]?.now, { kind: "gone" });
  assert.deepEqual(matched([found(2, 2, { ...RULE, path: "src/gone.ts" })], located), [null]);
});

test("a finding without a place is recognized in its file by its meaning", () => {
  const whole = (given: Partial<Finding>): Identified => ({ ...found(1, 1, given), anchor: null });
  const untested = {
    source: "floor",
    rule: "untested-source",
    title: "Source changed without its test",
  } as const;
  const before = leftOf({ ...whole(untested), id: "before" });
  const located = locate([before]);
  assert.deepEqual(located[0]?.places, [{ identity: "before", now: null }]);
  assert.deepEqual(matched([whole({ ...untested, title: "No test" })], located), ["before"]);
  assert.deepEqual(matched([whole({ ...untested, path: "src/b.ts" })], located), [null]);
  assert.deepEqual(matched([found(1, 1, untested)], located), [null]);
});

test("two tools that report one problem on a line repeat each other", () => {
  const ours = { source: "floor", rule: "sql-from-strings", title: "SQL is built from a string" } as const;
  const theirs = {
    source: "sarif",
    rule: "semgrep/tainted-sql-string",
    title: "User input in a query",
  } as const;
  const before = leftOf(found(3, 3, ours, { id: "before" }));
  assert.deepEqual(matched([found(3, 3, theirs)], locate([before])), ["before"]);
  const other = { ...theirs, rule: "semgrep/unused", title: "Unused" };
  assert.deepEqual(matched([found(3, 3, other)], locate([before])), [null]);
});

/** The finding of a model and a rule that an earlier review left, in the model's words. */
function leftOfBoth(): PriorFinding {
  const { finding } = found(2, 3, MAIL);
  const sources = [finding, findingOf({ title: "Promise isn't awaited", ...RULE })];
  return leftOf(found(2, 3, MAIL, { id: "before" }), { sources });
}

test("a rule recognizes its finding after a model's words have taken its place", () => {
  const rule = found(2, 2, { ...RULE, title: "Floating promise: `save` is never awaited" });
  assert.deepEqual(matched([rule], locate([leftOfBoth()])), ["before"]);
  const other = found(2, 2, { source: "floor", rule: "empty-catch", title: "Empty catch block" });
  assert.deepEqual(matched([other], locate([leftOfBoth()])), [null]);
});

test("a group belongs to one earlier finding, unless another one is clearly theirs", () => {
  const [model, rule] = [found(2, 3, REPHRASED), found(2, 2, RULE)];
  const places = (located: readonly LocatedPrior[]) => {
    const matches = matchPrior([[model, rule]], located);
    return [model, rule].map((each) => matches.get(each)?.place.identity ?? null);
  };
  const similar = leftOf(found(2, 3, MAIL, { id: "similar" }));
  const ofRule = leftOf(found(2, 2, RULE, { id: "rule" }));
  assert.deepEqual(places(locate([similar])), ["similar", null]);
  assert.deepEqual(places(locate([similar, ofRule])), [null, "rule"]);
  // Both were published before, so both keep their numbers.
  const again = leftOf(found(2, 3, REPHRASED, { id: model.id }));
  assert.deepEqual(places(locate([again, ofRule])), [model.id, "rule"]);
});

test("places stay as they are when nothing maps them", () => {
  const before = leftOf(found(2, 3, RULE, { id: "before" }));
  const same = (place: Place) => ({ kind: "same", ...place }) as const;
  assert.deepEqual(locatePrior({ runs: [], findings: [before] }, same)[0]?.places, [
    { identity: "before", now: { kind: "same", path: "src/a.ts", side: "new", startLine: 2, endLine: 3 } },
  ]);
});

test("without the earlier diff, a finding is recognized by its words anywhere in its file", () => {
  const before = leftOf(found(2, 2, { title: "Promise isn't awaited" }, { id: "before" }));
  const located = locatePrior({ runs: [], findings: [before] }, ({ path }) => ({ kind: "unknown", path }));
  const other = "Mail goes to the wrong user";
  const all = [
    found(4, 4, { title: "The promise is not awaited" }),
    found(2, 2, { title: other, body: other }),
  ];
  assert.deepEqual(matched(all, located), ["before", null]);
  assert.deepEqual(matched([found(2, 2, {}, { path: "src/b.ts" })], located), [null]);
});

test("every place of a rule's finding is recognized, also if its title names the code of the first alone", () => {
  const of = (name: string) => ({
    title: `\`${name}\` is pasted into a query`,
    rule: "sql",
    source: "floor" as const,
  });
  const first = found(1, 1, of("user"), { id: "first" });
  const others = [{ identity: "second", side: "new" as const, startLine: 3, endLine: 3 }];
  const prior = leftOf(first, { others });
  const again = [found(1, 1, of("user"), { id: "first" }), found(3, 3, of("mail"), { id: "second" })];
  assert.deepEqual(matched(again, locate([prior])), ["first", "second"]);
  const renamed = [found(1, 1, of("user")), found(3, 3, of("mail"))];
  assert.deepEqual(matched(renamed, locate([prior])), ["first", "second"]);
  // At the first place, the title tells two problems apart.
  assert.deepEqual(matched([found(1, 1, of("mail"))], locate([prior])), [null]);
});
