import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { rankInputOf, type RankSample } from "../../../../test/support/rank-sample.ts";
import { integerSquareRoot, LOG2_ONE, log2Fixed } from "./integer-math.ts";
import { rankCandidates } from "./rank-candidates.ts";
import type { Ranker } from "./ranked-file.ts";
import { wordsOfChange } from "./words-of-change.ts";

/** The files that a ranker places, best first. */
function placed(ranker: Ranker, sample: RankSample): readonly string[] {
  const placeOf = new Map(
    rankCandidates(rankInputOf(sample)).map(({ path, signals }) => [path, signals[ranker] ?? 0]),
  );
  return [...placeOf]
    .filter(([, place]) => place > 0)
    .toSorted(([, one], [, other]) => one - other)
    .map(([path]) => path);
}

const NAMES: readonly {
  readonly what: string;
  readonly changed: string;
  readonly order: readonly string[];
}[] = [
  { what: "a test first", changed: "src/cart.ts", order: ["src/cart.test.ts", "src/index.ts"] },
  {
    what: "the implementation of a test in another tree",
    changed: "tests/shop/test_cart.py",
    order: ["app/shop/cart.py", "tests/shop/test_order.py", "tests/zone/test_x.py"],
  },
  { what: "a header", changed: "lib/buffer_pool.c", order: ["include/buffer_pool.h", "lib/zone.c"] },
  { what: "another spelling", changed: "src/CartItem.java", order: ["web/cart-item.vue", "src/Zone.java"] },
  { what: "plural and singular", changed: "app/order.rb", order: ["db/orders.sql"] },
  { what: "a near folder before a far one", changed: "a/b/c/x.go", order: ["a/b/y.go", "a/z.go"] },
  { what: "files of the root", changed: "a.txt", order: ["b.txt"] },
];

test("names: shared words first, rare ones above all, then near folders", () => {
  for (const { what, changed, order } of NAMES) {
    const files = [...order, "far/off/nine.bin", "far/off/ten.bin"];
    assert.deepEqual(placed("names", { files, changed: [changed] }), order, what);
  }
});

test("imports: neighbors first, files with many edges last, and one step further", () => {
  const users = Array.from({ length: 50 }, (_, index) => `u/${index}.go`);
  const order = placed("imports", {
    files: ["a.go", "own.go", "hub.go", "deep.go", "user.go", "apart.go", ...users],
    changed: ["a.go"],
    edges: [
      "a.go own.go",
      "a.go hub.go",
      "user.go a.go",
      "own.go deep.go",
      ...users.map((path) => `${path} hub.go`),
    ],
  });
  assert.deepEqual(order, ["user.go", "own.go", "hub.go", "deep.go"]);
});

test("words: words of more than a quarter of the files say nothing", () => {
  const files = ["a.py", "b.py", "c.py", "d.py", "e.py"];
  const texts = Object.fromEntries(files.map((path) => [path, "every word"]));
  const order = placed("words", {
    files,
    changed: ["x.py"],
    words: { checkout: 1, every: 50 },
    texts: { ...texts, "b.py": "every checkout" },
  });
  assert.deepEqual(order, ["b.py"]);
});

test("words: a word that a file repeats counts more, a longer file less", () => {
  const others = Array.from({ length: 20 }, (_, index) => `z${index}.py`);
  const texts = Object.fromEntries(others.map((path) => [path, "nothing here"]));
  const order = placed("words", {
    files: ["once.py", "twice.py", "long.py", ...others],
    changed: ["x.py"],
    words: { basket: 2 },
    texts: {
      ...texts,
      "once.py": "basket some words",
      "twice.py": "basket basket words",
      "long.py": `basket ${"filler ".repeat(50)}`,
    },
  });
  assert.deepEqual(order, ["twice.py", "once.py", "long.py"]);
});

test("words: one that several files gain or lose counts more", () => {
  const others = Array.from({ length: 20 }, (_, index) => `z${index}.py`);
  const input = rankInputOf({
    files: ["a.py", "b.py", ...others],
    changed: ["x.py"],
    texts: {
      ...Object.fromEntries(others.map((path) => [path, "nothing here"])),
      "a.py": "often",
      "b.py": "theme",
    },
  });
  const words = new Map([
    ["often", { count: 3, files: 1 }],
    ["theme", { count: 2, files: 2 }],
  ]);
  assert.equal(rankCandidates({ ...input, words })[0]?.path, "b.py");
});

test("likeness: files that share the words of a changed file, rare words first", () => {
  const others = Array.from({ length: 20 }, (_, index) => `z${index}.py`);
  const texts = Object.fromEntries(others.map((path) => [path, "import connect"]));
  const order = placed("likeness", {
    files: ["drivers/mysql.py", "tools/dump.py", "notes.txt", ...others],
    changed: ["drivers/postgres.py", "notes.md"],
    texts: {
      ...texts,
      "drivers/postgres.py": "import connect upsert sequence quote vacuum",
      "notes.md": "changelog entry",
      "notes.txt": "changelog entry",
      "drivers/mysql.py": "import connect upsert sequence quote",
      "tools/dump.py": "import quote",
    },
  });
  assert.deepEqual(order, ["drivers/mysql.py", "tools/dump.py"]);
});

test("question: files that it names first, then its names in texts and its words in paths", () => {
  const others = Array.from({ length: 20 }, (_, index) => `z${index}.py`);
  const texts = Object.fromEntries(others.map((path) => [path, "nothing here"]));
  const files = ["db/migrations/0003.py", "shop/cart.py", "app/pay.py", "change/review.py", ...others];
  for (const [question, order] of [
    ["What could this change break? Review the code.", []],
    ["Is the migration safe while the old version runs?", ["db/migrations/0003.py"]],
    ["Does shop/cart.py still call `round_price`?", ["shop/cart.py", "app/pay.py"]],
    ["See cart.py.", ["shop/cart.py"]],
  ] as const) {
    const sample = {
      files,
      changed: ["x.py"],
      question,
      texts: { ...texts, "app/pay.py": "round_price nothing" },
    };
    assert.deepEqual(placed("question", sample), order, question);
  }
});

test("history: the share of common commits counts, and large commits don't", () => {
  const many = Array.from({ length: 40 }, (_, index) => `m/${index}.c`);
  const order = placed("history", {
    files: ["always.c", "often.c", "busy.c", ...many],
    changed: ["x.c"],
    commits: [
      "x.c always.c",
      "x.c always.c busy.c often.c",
      "x.c busy.c",
      ...Array.from({ length: 30 }, (_, index) => `busy.c m/${index}.c`),
      ["x.c", ...many].join(" "),
    ],
  });
  assert.deepEqual(order, ["always.c", "often.c", "busy.c"]);
});

test("the words of a change are on added and removed lines", () => {
  const file = {
    path: "a.js",
    oldPath: "a.js",
    status: "modified",
    oldMode: null,
    newMode: null,
    oldBlob: null,
    newBlob: null,
    addedLines: 1,
    removedLines: 1,
    unreadable: null,
    cutLines: [],
  } as const;
  const lines = [" context = here", "-old_total($price)", "+newTotal(price, été, 0x4f4f4f, a1b2)"];
  const hunks = [{ oldStart: 1, newStart: 1, section: "", lines }];
  const other = {
    ...file,
    path: "b.js",
    hunks: [{ oldStart: 1, newStart: 1, section: "", lines: ["+newTotal"] }],
  };
  const words = wordsOfChange([{ ...file, hunks }, other, { ...other, path: "notes.md" }]);
  assert.deepEqual(Object.fromEntries(words), {
    old_total: { count: 1, files: 1 },
    price: { count: 2, files: 0 },
    newTotal: { count: 3, files: 2 },
    a1b2: { count: 1, files: 1 },
  });
});

test("logarithms and roots are whole and right", () => {
  for (let power = 0; power <= 52; power++) assert.equal(log2Fixed(2 ** power), power * LOG2_ONE);
  const whole = fc.integer({ min: 1, max: 2 ** 52 });
  fc.assert(
    fc.property(whole, (value) => {
      const exact = Math.log2(value) * LOG2_ONE;
      assert.ok(Number.isInteger(log2Fixed(value)) && Math.abs(log2Fixed(value) - exact) <= 2);
      const root = integerSquareRoot(value);
      assert.ok(BigInt(root) ** 2n <= BigInt(value) && BigInt(root + 1) ** 2n > BigInt(value));
    }),
  );
});
