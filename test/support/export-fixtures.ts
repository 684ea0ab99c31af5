/** A change that leaves calls and imports of its exports behind, and the findings about them. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { runKodiai } from "./run-kodiai.ts";
import { type TestRepository, testRepository } from "./test-repository.ts";

export const BEFORE = {
  "src/cart.ts": "export function addItem(id: string): string {\n  return id;\n}\nexport const LIMIT = 3;\n",
  "src/shop.ts": 'import { addItem, LIMIT } from "./cart.ts";\n\naddItem(`${LIMIT}`);\n',
  "pyproject.toml": "",
  "store/__init__.py": "",
  "store/cart.py": "def add(item):\n    return item\n",
  "store/shop.py": "from store.cart import add\n\nadd(1)\n",
  "go.mod": "module example.com/store\n",
  "cart/cart.go": "package cart\n\nfunc Add(id int) int { return id }\n",
  "main.go": 'package main\n\nimport "example.com/store/cart"\n\nfunc main() { println(cart.Add(1)) }\n',
};

const AFTER = {
  "src/cart.ts": "export function addItem(id: string, size: number): string {\n  return id + size;\n}\n",
  "store/cart.py": "def add(item, size):\n    return item * size\n",
  "cart/cart.go": "package cart\n\nfunc Insert(id int) int { return id }\n",
};

export function changed(t: TestContext, also: Readonly<Record<string, string>> = {}): TestRepository {
  const made = testRepository();
  t.after(() => made.remove());
  for (const [path, text] of Object.entries(BEFORE)) made.write(path, text);
  made.commit("root");
  for (const [path, text] of Object.entries({ ...AFTER, ...also })) made.write(path, text);
  made.commit("Carts have sizes");
  return made;
}

type Output = {
  readonly findings: readonly Shown[];
  readonly receipt: { readonly gaps: readonly { readonly check: string; readonly reason: string }[] };
};

type Shown = {
  readonly rule: string;
  readonly path: string;
  readonly startLine: number;
  readonly body: string;
};

export async function findings(
  cwd: string,
  args: readonly string[],
  input?: string,
): Promise<readonly Shown[]> {
  const { stdout, stderr } = await runKodiai(["review", "--format", "json", ...args], {
    cwd,
    ...(input === undefined ? {} : { input }),
  });
  const { findings: all, receipt }: Output = JSON.parse(stdout);
  const missed = receipt.gaps.filter(({ check, reason }) => /exports/.test(check) && reason !== "off");
  assert.deepEqual(missed, [], stderr);
  return all.filter(({ rule }) => rule === "call-not-adapted" || rule === "removed-export-used");
}
