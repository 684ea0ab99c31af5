/** Text from the URL or a message inserted as HTML in the same expression. Sanitized values are ignored. */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import { asCall, callsIn } from "../syntax/calls.ts";
import { bad, good, type RuleMatch, type TreeRule } from "../rule.ts";

/** Text that the author of a link or the sender of a message controls. */
const SOURCE =
  /^(?:(?:window|document|self|top|parent|globalThis)\.)?location(?:\.(?:search|hash|href))?$|^document\.(?:URL|documentURI|referrer|cookie)$|^window\.name$|^(?:event|evt|ev|e|msg|message)\.data$|^(?:req|request)\.(?:query|body|params)(?:\.\w+|\[.*\])?$/;
/** Calls that return the text, in whole or in part. */
const PASSES_ON =
  /^(?:decodeURIComponent|decodeURI|unescape|String|substring|substr|slice|split|replace|trim|toString|get|concat|join|pop|shift|atob)$/;

/** Deep enough for any expression on a line or two. */
const MAX_DEPTH = 12;

/** The part of an expression that is untrusted and ends up in its value, or null. */
function outsideText(node: SyntaxNode | null, depth = 0): SyntaxNode | null {
  if (node === null || depth > MAX_DEPTH) return null;
  if (SOURCE.test(node.text())) return node;
  const first = (nodes: readonly (SyntaxNode | null)[]): SyntaxNode | null => {
    for (const one of nodes) {
      const found = outsideText(one, depth + 1);
      if (found !== null) return found;
    }
    return null;
  };
  switch (node.kind()) {
    case "binary_expression":
      return /^(?:\+|\|\||\?\?)$/.test(node.field("operator")?.text() ?? "")
        ? first(node.namedChildren())
        : null;
    case "ternary_expression":
      return first([node.field("consequence"), node.field("alternative")]);
    case "template_string":
    case "template_substitution":
    case "parenthesized_expression":
    case "as_expression":
    case "non_null_expression":
      return first(node.namedChildren());
    case "subscript_expression":
      return first([node.field("object")]);
    case "new_expression":
      return /^(?:URLSearchParams|URL)$/.test(node.field("constructor")?.text() ?? "")
        ? first(asCall(node)?.args ?? [])
        : null;
    case "member_expression":
      return /^(?:searchParams|hash|search)$/.test(node.field("property")?.text() ?? "")
        ? first([node.field("object")])
        : null;
    case "call_expression": {
      const call = asCall(node);
      if (call === null || !PASSES_ON.test(call.name)) return null;
      const callee = node.field("function");
      return first(callee?.kind() === "member_expression" ? [callee.field("object")] : call.args.slice(0, 1));
    }
    default:
      return null;
  }
}

const HTML_CALL = /^(?:write|writeln|insertAdjacentHTML)$/;

/** All expressions that are inserted as HTML. */
function* htmlValues(root: SyntaxNode, language: string): Iterable<SyntaxNode | null> {
  for (const node of root.findAll({
    rule: { any: [{ kind: "assignment_expression" }, { kind: "augmented_assignment_expression" }] },
  })) {
    if (/\.(?:innerHTML|outerHTML|srcdoc)$/.test(node.field("left")?.text() ?? "")) yield node.field("right");
  }
  for (const { name, receiver, args } of callsIn(root, language, (called) => HTML_CALL.test(called))) {
    if (name === "insertAdjacentHTML") yield args[1] ?? null;
    else if (/(?:^|\.)document\.?$/.test(receiver)) yield args[0] ?? null;
  }
  for (const node of root.findAll({ rule: { kind: "pair" } })) {
    if (node.field("key")?.text() === "__html") yield node.field("value");
  }
}

export const jsInnerhtmlInput: TreeRule = {
  kind: "tree",
  id: "js-innerhtml-input",
  title: "Possible XSS: untrusted input is inserted as HTML",
  severity: "must-fix",
  category: "security",
  why: "A crafted link or message can contain a script, which then runs in the user's session.",
  fix: "Insert it as text (`textContent` or a plain JSX child), or sanitize it first, for example with DOMPurify.",
  languages: ["javascript", "typescript", "tsx"],
  inTests: false,
  trigger: /innerHTML|outerHTML|srcdoc|document\.write|insertAdjacentHTML|__html/,
  *check(root, file): Iterable<RuleMatch> {
    for (const value of htmlValues(root, file.language)) {
      const source = outsideText(value);
      if (source !== null && value !== null) {
        const { line } = (value.parent() ?? value).range().start;
        yield {
          line: line + 1,
          detail: `An attacker can control \`${source.text()}\` through a link or a message.`,
        };
      }
    }
  },
  examples: {
    bad: [
      bad("src/page.js", 1, "title.innerHTML = decodeURIComponent(location.hash.slice(1));\n"),
      bad("src/page.ts", 1, "box.innerHTML = `<b>${new URLSearchParams(location.search).get('q')}</b>`;\n"),
      bad("src/page.js", 1, "document.write('<a href=\"' + document.referrer + '\">back</a>');\n"),
      bad(
        "src/page.js",
        2,
        "window.onmessage = (event) => {\n  box.insertAdjacentHTML('beforeend', event.data);\n};\n",
      ),
      bad(
        "src/Page.tsx",
        1,
        "export const Page = () => <div dangerouslySetInnerHTML={{ __html: window.location.hash }} />;\n",
      ),
    ],
    good: [
      good("src/page.js", "title.textContent = location.hash;\nbox.innerHTML = '<b>fixed</b>';\n"),
      good(
        "src/page.js",
        "box.innerHTML = DOMPurify.sanitize(location.hash);\nbox.innerHTML = escapeHtml(event.data);\n",
      ),
      good("src/page.js", "box.innerHTML = location.hash === '#a' ? '<b>a</b>' : '<b>b</b>';\n"),
      good(
        "src/page.js",
        "// box.innerHTML = location.hash;\nbox.innerHTML = pages[location.hash.length];\nbox.innerHTML = render(items);\n",
      ),
    ],
  },
};
