/** An HTTP response whose body is never closed in the function that requested it. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const REQUESTED =
  /^(?:http\.(?:Get|Post|PostForm|Head)|http\.DefaultClient\.(?:Do|Get|Post)|[\w.]*(?:client|Client|httpClient)\.(?:Do|Get|Post|Head))\(/;

/** Names that the file declares as a client, in a variable or a field. */
const CLIENT = /\b(\w{1,40})\s*(?::=|=)\s*&?http\.Client\{|\b(\w{1,40})\s+\*?http\.Client\b/g;

/** A longer function isn't searched. */
const MAX_CHARS = 20_000;

function* check(root: SyntaxNode): Iterable<RuleMatch> {
  if (!/"net\/http"/.test(root.text())) return;
  const clients = new Set([...root.text().matchAll(CLIENT)].map((found) => found[1] ?? found[2]));
  const rule = { any: [{ kind: "short_var_declaration" }, { kind: "assignment_statement" }] };
  for (const node of root.findAll({ rule })) {
    const names = node.field("left")?.namedChildren() ?? [];
    const name = names[0]?.text() ?? "";
    if (names.length !== 2 || !/^\w+$/.test(name) || name === "_") continue;
    const value = node.field("right")?.text() ?? "";
    if (
      !REQUESTED.test(value) &&
      !clients.has(/^(?:\w+\.)?(\w+)\.(?:Do|Get|Post|PostForm|Head)\(/.exec(value)?.[1] ?? "_")
    )
      continue;
    const around = functionAround(node);
    if (around === null) continue;
    const { start, end } = around.range();
    if (end.index - start.index > MAX_CHARS) continue;
    const rest = around.text().slice(node.range().end.index - start.index);
    if (isHandled(rest, escapePattern(name))) continue;
    yield {
      line: linesOf(node).line,
      missingIn: linesOf(around),
      title: `Resource leak: the body of ${nameOr(name, "the response")} is never closed`,
    };
  }
}

/** True when the body is closed, or the response leaves the function. The body is only read, or isn't used at all. */
function isHandled(rest: string, name: string): boolean {
  const others = rest
    .replaceAll(
      new RegExp(`(?<![\\w.])${name}\\.(?:StatusCode|Status|Header|ContentLength|Request|Proto)\\b`, "g"),
      "",
    )
    .replaceAll(
      new RegExp(
        `(?:io|ioutil)\\.ReadAll\\(\\s*${name}\\.Body\\s*\\)|json\\.NewDecoder\\(\\s*${name}\\.Body\\s*\\)|io\\.Copy\\([^\\n,]{1,60},\\s*${name}\\.Body\\s*\\)`,
        "g",
      ),
      "",
    );
  return new RegExp(`(?<![\\w.])${name}\\b`).test(others);
}

export const goBodyNotClosed: TreeRule = {
  kind: "tree",
  id: "go-body-not-closed",
  title: "Resource leak: an HTTP response body is never closed",
  severity: "major",
  category: "reliability",
  why: "An open body keeps its connection, so each request leaks one and the process runs out of connections or file descriptors.",
  fix: "Add `defer resp.Body.Close()` after the error check.",
  languages: ["go"],
  afterRemoval: true,
  trigger: /\.(?:Get|Post|PostForm|Head|Do|Close)\(/,
  check,
};
