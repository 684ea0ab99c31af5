import assert from "node:assert/strict";
import { test } from "node:test";
import { loadRuff } from "./engine.ts";

const engine = await loadRuff();

async function check(text: string): Promise<readonly string[]> {
  const found = await engine.check({ path: "app/main.py", language: "python", text });
  return found.map(({ rule, line, endLine }) => `${rule}:${line}-${endLine}`);
}

test("reports every rule of the selection in one file, with its lines", async () => {
  assert.match(engine.version, /^\d+\.\d+\.\d+$/);
  const text = "def show(items):\n    for item in items:\n        items.remove(item)\n    return itms\n";
  assert.deepEqual((await check(text)).toSorted(), ["B909:3-3", "F821:4-4"]);
});

test("a file that doesn't parse has one finding, the first syntax error", async () => {
  assert.deepEqual(await check("def show(:\n    return itms\n\ndef other(:\n    pass\n"), [
    "invalid-syntax:1-1",
  ]);
});

test("Python 2, templates and targets of links have no findings", async () => {
  for (const text of [
    'print "total", totl\n',
    "try:\n    run()\nexcept ValueError, e:\n    show(e)\n",
    "try:\n    run()\nexcept (ValueError, KeyError), e:\n    show(e)\n",
    'raise ValueError, "no"\n',
    "class {{ cookiecutter.name }}:\n    pass\n",
    "{% if asynchronous %}\nimport asyncio\n{% endif %}\n",
    "if x:\n        a = 1\n\tb = 2\n",
    "task.async = 1\n",
    "../shared/main.py",
  ])
    assert.deepEqual(await check(text), [], text);
});

test("the newest syntax parses", async () => {
  const text =
    "type Pair[T] = tuple[T, T]\n\ntry:\n    value = 1\nexcept ValueError, KeyError:\n    value = 2\n";
  assert.deepEqual(await check(text), []);
});

test("a file that is full of findings has none", async () => {
  assert.deepEqual(await check("print(itms)\n".repeat(501)), []);
  assert.equal((await check("print(itms)\n".repeat(500))).length, 500);
});

test("the earlier of two definitions is a related line", async () => {
  const text = "def show():\n    return 1\n\n\ndef show():\n    return 2\n";
  const found = await engine.check({ path: "app/main.py", language: "python", text });
  assert.deepEqual(
    found.map(({ rule, line, related }) => [rule, line, related]),
    [["F811", 5, [1]]],
  );
});
