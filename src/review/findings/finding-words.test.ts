import assert from "node:assert/strict";
import { test } from "node:test";
import { findingWords, meaningOverlap } from "./finding-words.ts";
import { SAME_MEANING } from "./match-prior.ts";

type Text = readonly [title: string, body: string];
type Pair = readonly [code: string, one: Text, other: Text];

function overlapOf([, one, other]: Pair): number {
  const [a, b] = [one, other].map(([title, body]) => findingWords({ title, body }));
  return meaningOverlap(a ?? [], b ?? []);
}

const SAME: readonly Pair[] = [
  [
    "const page = `<h1>${req.query.title}</h1>`;\nres.send(page);",
    ["Reflected XSS in title", "The query parameter is written into the HTML without escaping."],
    ["A crafted link runs script in the visitor's browser", "Escape the title before it becomes markup."],
  ],
  [
    "f = open(path)\nreturn f.read()",
    ["File is never closed", "Use a `with` block, so the descriptor is released on errors too."],
    ["Descriptor leak", "After a few thousand calls the process has too many open files."],
  ],
  [
    "for (let i = 0; i <= names.length; i++) print(names[i]);",
    [
      "Off-by-one in the loop bound",
      "The last index is `names.length - 1`, so the final pass reads past the end.",
    ],
    ["Loop runs one time too many", "Use `<` instead of `<=`; the last access gives undefined."],
  ],
  [
    "counter = counter + 1\nsave(counter)",
    [
      "Race condition on the counter",
      "Two threads can read the same value. Use a lock or an atomic increment.",
    ],
    [
      "Increments get lost under load",
      "When two requests run at the same time, one overwrites the other's update.",
    ],
  ],
  [
    "db.query(`SELECT * FROM t WHERE name = '${name}'`)",
    ["SQL injection", "The name is concatenated into the statement. Use a bind parameter."],
    [
      "Use a prepared statement for name",
      "A quote in the input ends the string, and an attacker can change the query.",
    ],
  ],
  [
    "fetch(url).then((r) => r.json())",
    ["Request has no timeout", "If the server never answers, the caller hangs forever."],
    ["Add an AbortSignal with a deadline", "A stalled service blocks this call indefinitely."],
  ],
  [
    "user = repo.find(id)\nreturn user.name",
    [
      "Possible null dereference",
      "`find` returns None for an unknown id, and `.name` then raises an AttributeError.",
    ],
    ["Missing user isn't handled", "If the record doesn't exist, this crashes. Return a 404 instead."],
  ],
  [
    "try { sync(); } catch (e) { }",
    ["Empty catch block swallows errors", "A failed sync goes unnoticed. Log the exception or rethrow it."],
    ["Failures are silently ignored", "The error is discarded, so problems stay invisible in production."],
  ],
  [
    "posts.each { |p| puts p.author.name }",
    ["N+1 queries", "Each post loads its author with a separate query. Preload the association."],
    ["One database round trip per post", "Eager loading would fetch the authors in a single query."],
  ],
  [
    "total: float = sum(p.price for p in cart)",
    ["Money is stored as a float", "Binary fractions can't represent cents exactly. Use Decimal."],
    ["Totals can be off by a cent", "Rounding errors add up; keep amounts in integer cents."],
  ],
  [
    "save(order);\nreturn res.send('ok');",
    [
      "Missing await on save",
      "The promise isn't awaited, so a rejection is lost and the response comes too early.",
    ],
    ["Response is sent before the order is stored", "Nothing waits for the asynchronous write to finish."],
  ],
  [
    "const KEY = 'sk_live_123';",
    ["Hard-coded API key", "The secret is in the source. Move it to an environment variable and rotate it."],
    ["Credential committed to the repository", "Everyone with access to git history can use the live key."],
  ],
];

const DIFFERENT: readonly Pair[] = [
  [
    "const page = `<h1>${req.query.title}</h1>`;\nres.send(page);",
    ["Reflected XSS in title", "The query parameter is written into the HTML without escaping."],
    ["Page title isn't translated", "The heading is shown in English only. Use the message catalog."],
  ],
  [
    "f = open(path)\nreturn f.read()",
    ["File is never closed", "Use a `with` block, so the descriptor is released on errors too."],
    ["Path traversal", "`path` may contain `../`, so files outside the upload directory can be read."],
  ],
  [
    "for (let i = 0; i <= names.length; i++) print(names[i]);",
    [
      "Off-by-one in the loop bound",
      "The last index is `names.length - 1`, so the final pass reads past the end.",
    ],
    ["Variable name `i` is unclear", "Rename it, or iterate with `for...of` for readability."],
  ],
  [
    "counter = counter + 1\nsave(counter)",
    [
      "Race condition on the counter",
      "Two threads can read the same value. Use a lock or an atomic increment.",
    ],
    ["Error of save is ignored", "If saving fails, nothing is logged and the caller sees success."],
  ],
  [
    "db.query(`SELECT * FROM t WHERE name = '${name}'`)",
    ["SQL injection", "The name is concatenated into the statement. Use a bind parameter."],
    [
      "Query returns all columns without a limit",
      "Large tables are loaded into memory at once. Add pagination.",
    ],
  ],
  [
    "fetch(url).then((r) => r.json())",
    ["Request has no timeout", "If the server never answers, the caller hangs forever."],
    ["Status code isn't checked", "A 500 error page is parsed like a successful response."],
  ],
  [
    "user = repo.find(id)\nreturn user.name",
    [
      "Possible null dereference",
      "`find` returns None for an unknown id, and `.name` then raises an AttributeError.",
    ],
    ["Missing permission check", "Any logged-in user can read the data of another account."],
  ],
  [
    "try { sync(); } catch (e) { }",
    ["Empty catch block swallows errors", "A failed sync goes unnoticed. Log the exception or rethrow it."],
    ["sync blocks the event loop", "The synchronous call stalls all other requests. Use the async variant."],
  ],
  [
    "posts.each { |p| puts p.author.name }",
    ["N+1 queries", "Each post loads its author with a separate query. Preload the association."],
    ["Debug output left in", "Remove the print statement before it reaches production."],
  ],
  [
    "total: float = sum(p.price for p in cart)",
    ["Money is stored as a float", "Binary fractions can't represent cents exactly. Use Decimal."],
    ["Negative prices are accepted", "Validate the input; a negative amount reduces the total."],
  ],
  [
    "save(order);\nreturn res.send('ok');",
    [
      "Missing await on save",
      "The promise isn't awaited, so a rejection is lost and the response comes too early.",
    ],
    ["Order can be created twice", "A repeated request isn't recognized. Use an idempotency key."],
  ],
  [
    "const KEY = 'sk_live_123';",
    ["Hard-coded API key", "The secret is in the source. Move it to an environment variable and rotate it."],
    ["Constant is never used", "Dead code: no caller reads KEY. Remove it."],
  ],
];

for (const pair of SAME)
  test(`same: ${pair[1][0]} / ${pair[2][0]}`, () => {
    const overlap = overlapOf(pair);
    assert.ok(overlap >= SAME_MEANING && overlap <= 1, String(overlap));
  });

for (const pair of DIFFERENT)
  test(`different: ${pair[1][0]} / ${pair[2][0]}`, () => {
    const overlap = overlapOf(pair);
    assert.ok(overlap < SAME_MEANING && overlap >= 0, String(overlap));
  });

test("a finding means the same as itself, in either order, and nothing without words", () => {
  const words = findingWords({ title: "Descriptor leak", body: "The file stays open." });
  assert.ok(meaningOverlap(words, words) > 0.8);
  const other = findingWords({ title: "Missing test", body: "The error path isn't covered." });
  assert.ok(Math.abs(meaningOverlap(words, other) - meaningOverlap(other, words)) < 1e-9);
  assert.equal(meaningOverlap(words, []), 0);
  assert.equal(meaningOverlap([], []), 0);
});

test("a list that an older version stored, with marks for words of the code, is still read", () => {
  const words = findingWords({ title: "Descriptor leak", body: "The file stays open." });
  assert.equal(meaningOverlap(words, ["~leak^", "~open"]), meaningOverlap(words, ["leak^", "open"]));
});

test("several wordings of a finding can be joined", () => {
  const [, one, other] = SAME[1] ?? assert.fail();
  const [a, b] = [one, other].map(([title, body]) => findingWords({ title, body }));
  const joined = [...new Set([...(a ?? []), ...(b ?? [])])];
  assert.ok(meaningOverlap(joined, a ?? []) >= SAME_MEANING);
  assert.ok(meaningOverlap(joined, b ?? []) >= SAME_MEANING);
});

test("the list is bounded, however long the texts and the code are", () => {
  const body = Array.from({ length: 20_000 }, (_, index) => `word${index}`).join(" ");
  assert.ok(body.length > 100_000);
  const words = findingWords({ title: "Race condition", body });
  assert.equal(words.length, 60);
  assert.ok(words.some((word) => word.startsWith("race#")));
  for (const text of [
    "x".repeat(100_000),
    `un${"e".repeat(100_000)}ed`,
    "aB_".repeat(40_000),
    "'s".repeat(60_000),
  ])
    assert.ok(findingWords({ title: text, body: text }).length <= 60);
});
