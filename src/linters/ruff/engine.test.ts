import assert from "node:assert/strict";
import { test } from "node:test";
import { loadRuff } from "./engine.ts";

const engine = await loadRuff();

async function check(text: string): Promise<readonly string[]> {
  const found = await engine.check({ path: "app/main.py", language: "python", text });
  const gap = found?.gap ?? null;
  return [
    ...(found?.diagnostics ?? []).map(({ rule, line, endLine }) => `${rule}:${line}-${endLine}`),
    ...(gap === null ? [] : [gap]),
  ];
}

test("reports every rule of the selection in one file, with its lines", async () => {
  assert.match(engine.version, /^\d+\.\d+\.\d+$/);
  const text = "def show(items):\n    for item in items:\n        items.remove(item)\n    return itms\n";
  assert.deepEqual((await check(text)).toSorted(), ["B909:3-3", "F821:4-4"]);
});

test("a file that doesn't parse has one finding, the first syntax error, and wasn't checked", async () => {
  assert.deepEqual(await check("def show(:\n    return itms\n\ndef other(:\n    pass\n"), [
    "invalid-syntax:1-1",
    "unparsed",
  ]);
  // It parses, but Python still rejects it.
  assert.deepEqual(await check("def show(a, a):\n    return itms\n"), [
    "invalid-syntax:1-1",
    "F821:2-2",
    "unparsed",
  ]);
});

test("Python 2 and templates have no findings, and weren't checked", async () => {
  for (const text of [
    'print "total", totl\n',
    "try:\n    run()\nexcept ValueError, e:\n    show(e)\n",
    "try:\n    run()\nexcept (ValueError, KeyError), e:\n    show(e)\n",
    'raise ValueError, "no"\n',
    "class {{ cookiecutter.name }}:\n    pass\n",
    "{% if asynchronous %}\nimport asyncio\n{% endif %}\n",
    "if x:\n        a = 1\n\tb = 2\n",
    "task.async = 1\n",
  ])
    assert.deepEqual(await check(text), ["unparsed"], text);
});

test("text that only looks like Python 2 or a template switches nothing off", async () => {
  const code = "def show():\n    return itms\n";
  for (const line of [
    'print "total"',
    "except ValueError, e:",
    "raise ValueError, e",
    "0777 <>",
    "{% if %}",
  ]) {
    assert.deepEqual(await check(`"""\n${line}\n"""\n${code}`), ["F821:5-5"], line);
    assert.deepEqual(await check(`# ${line}\n${code}`), ["F821:3-3"], line);
    // Also not the report of a syntax error elsewhere.
    assert.deepEqual(
      await check(`"""\n${line}\n"""\ndef show(:\n`),
      ["invalid-syntax:4-4", "unparsed"],
      line,
    );
  }
});

test("a target of a symbolic link isn't Python, and a text without a line feed is", async () => {
  const of = (text: string) => engine.check({ path: "app/main.py", language: "python", text });
  assert.equal(await of("../shared/main.py"), null);
  assert.deepEqual(await check("print(itms)"), ["F821:1-1"]);
});

test("the newest syntax parses", async () => {
  const text =
    "type Pair[T] = tuple[T, T]\n\ntry:\n    value = 1\nexcept ValueError, KeyError:\n    value = 2\n";
  assert.deepEqual(await check(text), []);
});

test("the earlier of two definitions is a related line", async () => {
  const text = "def show():\n    return 1\n\n\ndef show():\n    return 2\n";
  const found = await engine.check({ path: "app/main.py", language: "python", text });
  assert.deepEqual(
    found?.diagnostics.map(({ rule, line, related }) => [rule, line, related]),
    [["F811", 5, [1]]],
  );
});
