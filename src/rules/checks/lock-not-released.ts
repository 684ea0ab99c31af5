/** A lock that is held when the function returns: it's never released, or an early return skips the release. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { leaves, statementListsIn } from "../syntax/statement-lists.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** A statement that takes a lock, with the lock as its first group. */
const TAKEN: Readonly<Record<string, RegExp>> = {
  go: /^([\w.]{1,60})\.R?Lock\(\)$/,
  c: /^(?:pthread_mutex_lock|pthread_rwlock_(?:rd|wr)lock|pthread_spin_lock|mtx_lock)\(\s*([\w.>&[\]-]{1,60})\s*\);$/,
  cpp: /^(?:pthread_mutex_lock\(\s*([\w.>&[\]-]{1,60})\s*\)|([\w.>-]{1,60}?)(?:\.|->)lock\(\));$/,
  java: /^([\w.]{1,60})\.lock\(\);$/,
  csharp: /^Monitor\.Enter\(\s*([\w.]{1,60})\s*\);$/,
};

const RELEASE: Readonly<Record<string, string>> = {
  go: "Unlock",
  c: "unlock",
  cpp: "nlock",
  java: "unlock",
  csharp: "Exit",
};

/** A longer function isn't searched. */
const MAX_CHARS = 30_000;

/** Such functions take a lock for their caller. */
const TAKES = /lock|acquire|enter|begin|start|take|hold/i;

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  for (const statements of statementListsIn(root, language)) {
    for (const [index, statement] of statements.entries()) {
      if (statement.kind() !== "expression_statement") continue;
      const found = TAKEN[language]?.exec(statement.text().slice(0, 160));
      const lock = found?.[1] ?? found?.[2];
      if (lock === undefined) continue;
      const around = functionAround(statement);
      if (around === null || isCallersLock(around)) continue;
      const text = around.text().replaceAll(/\s+/g, "");
      const release = RELEASE[language] ?? "";
      // Any mention of the lock in a deferred call, a guard object or a callback can release it.
      if (!text.includes(release)) {
        if (isOnlyTaken(text, lock))
          yield {
            ...linesOf(statement),
            missingIn: linesOf(around),
            title: `Lock not released: ${nameOr(lock, "it")} is locked and never unlocked`,
          };
        continue;
      }
      const early = earlyReturn(statements.slice(index + 1), lock, release, language);
      if (early !== null)
        yield {
          ...linesOf(early),
          also: [linesOf(statement).line],
          missingIn: linesOf(early.parent() ?? early),
          title: `Lock not released: this return leaves ${nameOr(lock, "the lock")} locked`,
          detail: `Line ${linesOf(statement).line} locks it.`,
        };
    }
  }
}

function isCallersLock(around: SyntaxNode): boolean {
  const { start, end } = around.range();
  if (end.index - start.index > MAX_CHARS) return true;
  const name = around.field("name")?.text() ?? around.field("declarator")?.text() ?? "";
  return name === "" || TAKES.test(name);
}

function isOnlyTaken(text: string, lock: string): boolean {
  return text.split(lock.replaceAll(/\s+/g, "")).length === 2;
}

/** A return in an `if` between the lock and its release in the same block. */
function earlyReturn(
  rest: readonly SyntaxNode[],
  lock: string,
  release: string,
  language: string,
): SyntaxNode | null {
  const until = rest.findIndex((one) => isRelease(one, lock, release));
  if (until === -1) return null;
  for (const statement of rest.slice(0, until)) {
    // A deferred release, a `try` or a loop can release the lock in ways that aren't followed.
    if (
      !/^(?:if_statement|expression_statement|short_var_declaration|assignment_statement|declaration|local_variable_declaration|local_declaration_statement)$/.test(
        statement.kind(),
      )
    )
      return null;
    if (statement.kind() !== "if_statement") continue;
    const text = statement.text();
    if (text.includes(release) || /\bgoto\b/.test(text)) return null;
    const found = returnIn(statement, language);
    if (found !== null) return found;
  }
  return null;
}

function isRelease(statement: SyntaxNode, lock: string, release: string): boolean {
  const text = statement.text();
  return statement.kind() === "expression_statement" && text.includes(release) && text.includes(lock);
}

/** The last statement of a branch when it's a return. */
function returnIn(statement: SyntaxNode, language: string): SyntaxNode | null {
  const body = statement.field("consequence");
  if (body === null) return null;
  const list = language === "go" ? (body.namedChildren()[0] ?? body) : body;
  const last = /^(?:block|compound_statement|statement_list)$/.test(list.kind())
    ? list.namedChildren().at(-1)
    : list;
  return last !== undefined && leaves(last, language) && /^return_statement$/.test(last.kind()) ? last : null;
}

export const lockNotReleased: TreeRule = {
  kind: "tree",
  id: "lock-not-released",
  title: "Lock not released: it is still held when the function returns",
  severity: "must-fix",
  category: "correctness",
  why: "The next caller that needs the lock waits forever.",
  fix: "Release the lock on every path: `defer mu.Unlock()`, a guard object, or `finally`.",
  languages: ["go", "c", "cpp", "java", "csharp"],
  inTests: false,
  afterRemoval: true,
  trigger: /[lL]ock\s*\(|Monitor\.Enter|\breturn\b/,
  check: (root, { language }) => check(root, language),
  examples: {
    bad: [
      bad(
        "src/set.go",
        4,
        "package a\n\nfunc (s *Store) set(key string) {\n\ts.mu.Lock()\n\ts.items[key] = 1\n}\n",
      ),
      bad(
        "src/get.go",
        6,
        'package a\n\nfunc (s *Store) get(key string) int {\n\ts.mu.Lock()\n\tif key == "" {\n\t\treturn 0\n\t}\n\tn := s.items[key]\n\ts.mu.Unlock()\n\treturn n\n}\n',
      ),
      bad(
        "src/get.c",
        4,
        "int get(struct store *s, int key) {\n  pthread_mutex_lock(&s->mutex);\n  if (key < 0)\n    return -1;\n  int n = s->items[key];\n  pthread_mutex_unlock(&s->mutex);\n  return n;\n}\n",
      ),
      bad(
        "src/Get.java",
        4,
        "class Store {\n  int get(int key) {\n    mutex.lock();\n    if (key < 0) return -1;\n    int n = items[key];\n    mutex.unlock();\n    return n;\n  }\n}\n",
      ),
    ],
    good: [
      good(
        "src/set.go",
        'package a\n\nfunc (s *Store) set(key string) {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\tif key == "" {\n\t\treturn\n\t}\n\ts.items[key] = 1\n}\n',
      ),
      good(
        "src/get.go",
        'package a\n\nfunc (s *Store) get(key string) int {\n\ts.mu.Lock()\n\tif key == "" {\n\t\ts.mu.Unlock()\n\t\treturn 0\n\t}\n\ts.mu.Unlock()\n\treturn 1\n}\n',
      ),
      good("src/lock.go", "package a\n\nfunc (s *Store) Lock() {\n\ts.mu.Lock()\n}\n"),
      good(
        "src/Get.java",
        "class Store {\n  int get(int key) {\n    mutex.lock();\n    try {\n      if (key < 0) return -1;\n      return items[key];\n    } finally {\n      mutex.unlock();\n    }\n  }\n}\n",
      ),
      good(
        "src/get.cpp",
        "int get(Store &s) {\n  std::unique_lock<std::mutex> held(s.mutex);\n  auto shared = weak.lock();\n  return s.n;\n}\n",
      ),
    ],
  },
};
