/** Findings about code that the change doesn't touch: on the declaration that causes them, or where they are. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { toolBench } from "../../test/support/tool-bench.ts";
import type { Finding } from "../review/findings/finding.ts";
import { foundIn } from "./notebook.ts";

const BEFORE = {
  "src/cart.ts": `export function addItem(id: string): string {
  return id;
}
export function removeItem(id: string): string {
  const found = id.trim();
  return found;
}
export class Cart {
  get(id: string): string {
    return id;
  }
  size(): number {
    return 0;
  }
}
export function dropAll(): void {}
export function unchanged(): number {
  return removeItem("x").length;
}
// 1
// 2
// 3
// 4
export const LAST = addItem("last");
`,
  "src/shop.ts": `import { addItem, Cart, dropAll, removeItem } from "./cart.ts";

addItem("a");
removeItem("b").length;
addItem(removeItem("c"));
new Cart().get("d");
new Map().get("e");
dropAll();
const other = compute(1);
twice();
twice();
`,
};

const AFTER = {
  "src/cart.ts": BEFORE["src/cart.ts"]
    .replace("addItem(id: string)", "addItem(id: string, size: number)")
    .replace("  const found = id.trim();\n", "  const found = null as unknown as string;\n")
    .replace("get(id: string): string {\n    return id;", 'get(id: string): string {\n    return id + "!";')
    .replace("export function dropAll(): void {}\n", ""),
};

const FINDING = {
  path: "src/shop.ts",
  title: "The call fails",
  body: "It isn't adapted.",
  severity: "major",
  category: "correctness",
};

async function bench(t: TestContext) {
  const made = await toolBench(t, { before: BEFORE, after: AFTER });
  return { ...made, found: (): readonly Finding[] => foundIn(made.context.notebook) };
}

type Case = {
  readonly what: string;
  readonly given: Readonly<Record<string, unknown>>;
  /** "path:line side", then where it was seen; "lines" alone when it isn't moved. */
  readonly place: string;
};

const CASES: readonly Case[] = [
  {
    what: "a call of a function with another signature goes to the signature",
    given: { quote: 'addItem("a");' },
    place: "src/cart.ts:1 new, seen at src/shop.ts:3",
  },
  {
    what: "a use of a function with another body goes to the changed line of the body",
    given: { quote: 'removeItem("b").length;' },
    place: "src/cart.ts:5 new, seen at src/shop.ts:4",
  },
  {
    what: "of two changed functions, the one that the finding names causes it",
    given: { quote: 'addItem(removeItem("c"));', body: "`removeItem` returns null now." },
    place: "src/cart.ts:5 new, seen at src/shop.ts:5",
  },
  {
    what: "with two changed functions and no name, nothing is certain",
    given: { quote: 'addItem(removeItem("c"));' },
    place: "src/shop.ts:5 new, seen at src/shop.ts:5",
  },
  {
    what: "a removed function is a line of the old side",
    given: { quote: "dropAll();" },
    place: "src/cart.ts:16 old, seen at src/shop.ts:8",
  },
  {
    what: "a method that the finding doesn't name may be another class's",
    given: { quote: 'new Map().get("e");' },
    place: "src/shop.ts:7 new, seen at src/shop.ts:7",
  },
  {
    what: "a class with a changed method isn't changed itself",
    given: { quote: 'new Cart().get("d");' },
    place: "src/shop.ts:6 new, seen at src/shop.ts:6",
  },
  {
    what: "code without changed names stays where it is",
    given: { quote: "const other = compute(1);" },
    place: "src/shop.ts:9 new, seen at src/shop.ts:9",
  },
  {
    what: "a cause that the change doesn't have is ignored",
    given: { quote: 'addItem("a");', caused_by: "src/shop.ts" },
    place: "src/cart.ts:1 new, seen at src/shop.ts:3",
  },
  {
    what: "a line of a changed file that the diff doesn't show goes to its cause too",
    given: { path: "src/cart.ts", quote: 'export const LAST = addItem("last");' },
    place: "src/cart.ts:1 new, seen at src/cart.ts:23",
  },
  {
    what: "a line of the context goes to its cause if the finding names it",
    given: {
      path: "src/cart.ts",
      quote: '  return removeItem("x").length;',
      title: "`removeItem` returns null",
    },
    place: "src/cart.ts:5 new, seen at src/cart.ts:17",
  },
];

for (const { what, given, place } of CASES) {
  test(`outside the change: ${what}`, async (t) => {
    const { ask, found } = await bench(t);
    const answer = await ask("record_finding", { ...FINDING, ...given });
    const [finding] = found();
    assert.ok(finding !== undefined);
    const { path, lineHint, sideHint, seenAt = [] } = finding;
    const seen = seenAt.map((each) => `${each.path}:${each.startLine}`).join(", ");
    assert.equal(`${path}:${lineHint} ${sideHint}, seen at ${seen}`, place, answer);
  });
}

test("outside the change: the answer says where the finding is, and that its suggestion is gone", async (t) => {
  const { ask, found } = await bench(t);
  assert.equal(
    await ask("record_finding", { ...FINDING, quote: 'addItem("a");', suggestion: 'addItem("a", 1);' }),
    "Recorded (1): src/cart.ts, line 1, new side, where a changed declaration causes it; seen at line 3 of src/shop.ts. The suggestion is left out, because it isn't for that line.",
  );
  assert.equal(found()[0]?.suggestion, null);
  assert.equal(
    await ask("record_finding", { ...FINDING, title: "Wrong number", quote: "const other = compute(1);" }),
    "Recorded (2): src/shop.ts, line 9. The change doesn't touch this line, so the finding will be listed.",
  );
});

test("outside the change: the same problem at another place is added to the finding", async (t) => {
  const { ask, found } = await bench(t);
  const finding = { ...FINDING, body: "`addItem` needs a size." };
  await ask("record_finding", { ...finding, quote: 'addItem("a");' });
  assert.equal(
    await ask("record_finding", { ...finding, quote: 'addItem(removeItem("c"));' }),
    'Already recorded, as "The call fails". This place was added to it.',
  );
  assert.match(await ask("record_finding", { ...finding, quote: 'addItem("a");' }), /Nothing was added\.$/);
  assert.deepEqual(
    found().map(({ seenAt }) => seenAt?.map(({ startLine }) => startLine)),
    [[3, 5]],
  );
});

test("outside the change: a quote that is there twice needs a line, and the finding is replaced with it", async (t) => {
  const { ask, askWrongly, found } = await bench(t);
  const finding = { ...FINDING, quote: "twice();" };
  assert.equal(
    await askWrongly("record_finding", finding),
    'Recorded (1), but "src/shop.ts" isn\'t changed, so the finding will only be listed, and its quote occurs 2 times there (line 10, 11). To replace it, record it again with the right line number.',
  );
  assert.match(await ask("record_finding", { ...finding, line: 11 }), /^Recorded \(2\), replacing/);
  assert.deepEqual(
    found().map(({ lineHint }) => lineHint),
    [11],
  );
});

test("outside the change: a listed finding is replaced by the same one on a changed line", async (t) => {
  const { ask, found } = await bench(t);
  const finding = { ...FINDING, path: "src/cart.ts" };
  await ask("record_finding", { ...finding, quote: "// 4" });
  const moved = await ask("record_finding", { ...finding, quote: '    return id + "!";' });
  assert.match(moved, /^Recorded \(2\), replacing/);
  assert.deepEqual(
    found().map(({ lineHint }) => lineHint),
    [10],
  );
});

test("outside the change: a finding survives a repository that fails, and one about a whole file", async (t) => {
  const made = await toolBench(t, { before: BEFORE, after: AFTER });
  const { context } = made;
  const { repository } = context;
  assert.ok(repository !== null);
  const broken = {
    ...repository,
    findEntry: () => Promise.reject(new Error("git is gone")),
  };
  const {
    ask,
    askWrongly,
    context: other,
  } = await toolBench(t, {
    before: BEFORE,
    after: AFTER,
    context: { repository: broken },
  });
  await askWrongly("record_finding", { ...FINDING, quote: 'addItem("a");' });
  await ask("record_finding", { ...FINDING, quote: "", title: "No tests at all" });
  assert.deepEqual(
    foundIn(other.notebook).map(({ path, seenAt }) => [path, seenAt]),
    [
      ["src/shop.ts", []],
      ["src/shop.ts", []],
    ],
  );
});
