/** `async void` methods, which can't be awaited. Event handlers, overrides and methods that catch everything are ignored. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { RuleMatch, TreeRule } from "../rule.ts";

/** Names of methods that a framework calls as event handlers: XAML, Unity, commands. */
const CALLED_BY_FRAMEWORK =
  /^(?:On[A-Z]|Handle[A-Z]|Execute$|Run$|Start$|Awake$|Update$|LateUpdate$|FixedUpdate$|Main$|Dispose$)|_[A-Z]\w{0,100}$|(?:Handler|Callback|Changed|Clicked?|Loaded|Event|EventAsync|Command)$/;

function isModified(method: SyntaxNode, modifier: string): boolean {
  return method.children().some((child) => child.kind() === "modifier" && child.text() === modifier);
}

function isAsyncVoid(method: SyntaxNode): boolean {
  const type =
    method.field("returns") ??
    method.field("type") ??
    method.children().find((child) => child.kind() === "predefined_type");
  return isModified(method, "async") && type?.text() === "void";
}

/** An attribute means that a framework calls the method: a command generator, a test runner. */
function isCalledAsEvent(method: SyntaxNode): boolean {
  if (isModified(method, "override") || isModified(method, "partial")) return true;
  if (method.children().some((child) => /attribute_list|explicit_interface_specifier/.test(child.kind())))
    return true;
  if (CALLED_BY_FRAMEWORK.test(method.field("name")?.text() ?? "")) return true;
  const parameters = method.field("parameters")?.namedChildren() ?? [];
  return parameters.some((parameter) => /\bsender\b|Args\b|Event\b|\bobject\b/.test(parameter.text()));
}

/** A body that is one `try` with a `catch` lets no exception escape. */
function catchesEverything(method: SyntaxNode): boolean {
  return (
    method
      .field("body")
      ?.namedChildren()
      .some((child) => child.kind() === "try_statement") ?? false
  );
}

/** Names passed as delegates (`button.Click += Save`, `new Timer(Tick)`), which must return void. */
function handedOver(root: SyntaxNode): ReadonlySet<string> {
  return new Set([...root.text().matchAll(/\b(\w+) {0,2}[;,)]/g)].map((found) => found[1] ?? ""));
}

export const csharpAsyncVoid: TreeRule = {
  kind: "tree",
  id: "csharp-async-void",
  title: "Async void method: callers can't await it",
  severity: "major",
  category: "reliability",
  why: "Callers cannot await it or catch its exceptions: an exception after the first `await` crashes the process.",
  fix: "Return `Task` and await it in the caller.",
  languages: ["csharp"],
  trigger: /\basync\b.{0,200}\bvoid\b/,
  *check(root): Iterable<RuleMatch> {
    let delegates: ReadonlySet<string> | null = null;
    for (const method of root.findAll({
      rule: { any: [{ kind: "method_declaration" }, { kind: "local_function_statement" }] },
    })) {
      if (!isAsyncVoid(method) || isCalledAsEvent(method) || catchesEverything(method)) continue;
      const name = method.field("name")?.text() ?? "";
      delegates ??= handedOver(root);
      if (delegates.has(name)) continue;
      yield {
        line: (method.field("name") ?? method).range().start.line + 1,
        detail: `Callers of \`${name}\` continue before it finishes.`,
      };
    }
  },
};
