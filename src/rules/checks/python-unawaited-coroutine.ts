/** A coroutine function of the same file called as a statement without `await`. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { nearestAncestor } from "../syntax/ancestors.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Decorators can turn a coroutine into a task that is started, or an ordinary function. */
function isDecorated(definition: SyntaxNode): boolean {
  return definition.parent()?.kind() === "decorated_definition";
}

function isAsync(definition: SyntaxNode): boolean {
  return definition.children()[0]?.text() === "async";
}

/** The class whose body contains a definition directly; null for a function of the module. */
function classAround(node: SyntaxNode): SyntaxNode | null {
  const around = nearestAncestor(node, (up) => /^(?:class_definition|function_definition)$/.test(up.kind()));
  return around?.kind() === "class_definition" ? around : null;
}

/** Where the class of a method call starts. */
function ownClass(node: SyntaxNode): number | undefined {
  return nearestAncestor(node, (up) => up.kind() === "class_definition")?.range().start.index;
}

export const pythonUnawaitedCoroutine: TreeRule = {
  kind: "tree",
  id: "python-unawaited-coroutine",
  title: "Unawaited coroutine: it is created but never runs",
  severity: "must-fix",
  category: "correctness",
  why: "Calling an `async def` function only creates a coroutine. Its body runs when the coroutine is awaited.",
  fix: "Add `await`, or start it with `asyncio.create_task` and keep the task.",
  languages: ["python"],
  inTests: true,
  trigger: /\w\(|\basync\b/,
  *check(root): Iterable<RuleMatch> {
    if (!/\basync\s+def\b/.test(root.text())) return;
    const definitions = root.findAll({ rule: { kind: "function_definition" } });
    const byName = new Map<string, SyntaxNode[]>();
    for (const definition of definitions) {
      const name = definition.field("name")?.text() ?? "";
      byName.set(name, [...(byName.get(name) ?? []), definition]);
    }
    if (!definitions.some(isAsync)) return;
    for (const statement of root.findAll({ rule: { kind: "expression_statement" } })) {
      const [call] = statement.namedChildren();
      if (call?.kind() !== "call") continue;
      const called = /^(self\.)?([A-Za-z_]\w{0,80})$/.exec(call.field("function")?.text() ?? "");
      const name = called?.[2] ?? "";
      // Every definition of the name must be a coroutine, and of the right kind: a method for `self.`.
      const known = byName.get(name) ?? [];
      if (known.length === 0 || !known.every((one) => isAsync(one) && !isDecorated(one))) continue;
      const isMethod = called?.[1] !== undefined;
      if (!known.every((one) => (classAround(one) !== null) === isMethod)) continue;
      if (isMethod && !known.some((one) => classAround(one)?.range().start.index === ownClass(call)))
        continue;
      if (new RegExp(`(?<![\\w.])${name}\\s*=[^=]|import\\s[^\\n]{0,200}\\b${name}\\b`).test(root.text()))
        continue;
      yield {
        line: linesOf(statement).line,
        title: `Unawaited coroutine: ${nameOr(name, "it")} is called without \`await\`, so it never runs`,
      };
    }
  },
  examples: {
    bad: [
      bad(
        "a.py",
        5,
        "async def notify(user):\n    await send(user)\n\nasync def approve(user):\n    notify(user)\n    return user\n",
      ),
      bad(
        "b.py",
        6,
        "class Bot:\n    async def save(self):\n        await self.db.flush()\n\n    async def stop(self):\n        self.save()\n",
      ),
    ],
    good: [
      good(
        "a.py",
        "async def notify(user):\n    await send(user)\n\nasync def approve(user):\n    await notify(user)\n    asyncio.create_task(notify(user))\n",
      ),
      good(
        "b.py",
        "class A:\n    async def save(self):\n        pass\n\nclass B:\n    def save(self):\n        pass\n\n    def stop(self):\n        self.save()\n",
      ),
      good(
        "c.py",
        "@task\nasync def notify(user):\n    await send(user)\n\ndef approve(user):\n    notify(user)\n",
      ),
      good(
        "d.py",
        "from bot import notify\n\nclass A:\n    async def notify(self):\n        pass\n\ndef f():\n    notify()\n",
      ),
    ],
  },
};
