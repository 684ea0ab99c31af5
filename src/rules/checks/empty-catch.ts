/** Empty error handlers around real work. Best-effort cleanup, probes and handlers with a comment are ignored. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { isMeantToFail } from "../syntax/best-effort.ts";
import { linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

/** A variable with such a name marks the error as deliberately ignored. */
const UNWANTED = /^\$?(?:_\w*|ignored?\w*|expected\w*|unused\w*|swallow\w*|nothing)$/i;

/** Only these broad types hide unexpected errors; catching a narrower type is a decision. */
const BROAD =
  /^(?:\\?(?:Exception|Throwable|Error|RuntimeException)|java\.lang\.(?:Exception|Throwable)|System\.Exception|SQLException|IOException|UncheckedIOException|ExecutionException|HttpRequestException|DbUpdateException|\\?PDOException|StandardError|std::exception|\.\.\.)$/;

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  const kind = language === "ruby" ? "rescue" : "catch_clause";
  for (const handler of root.findAll({ rule: { kind } })) {
    const parent = handler.parent();
    if (parent === null || !isEmpty(handler, language) || !isBroad(handler, language)) continue;
    if (isMeantToFail(guardedBy(handler, parent, language), handler)) continue;
    yield { line: linesOf(handler).line };
  }
}

function isEmpty(handler: SyntaxNode, language: string): boolean {
  if (language === "ruby") {
    return handler.field("body") === null && !/\bthen\b/.test(handler.text()) && !isCommented(handler);
  }
  const body = handler.field("body") ?? handler.namedChildren().at(-1);
  return body !== undefined && /^\{\s*\}$/.test(body.text());
}

/** In Ruby's grammar, the comment of an empty clause follows the clause. */
function isCommented(handler: SyntaxNode): boolean {
  return handler.text().includes("#") || (handler.next()?.kind().includes("comment") ?? false);
}

function isBroad(handler: SyntaxNode, language: string): boolean {
  const names = handler
    .namedChildren()
    .filter((child) => !/^(?:block|compound_statement|statement_block)$/.test(child.kind()));
  const text = names.map((name) => name.text()).join(" ");
  if (/^(?:javascript|typescript|tsx)$/.test(language))
    return !names.some((name) => UNWANTED.test(name.text()));
  // `rescue => @error` keeps the error.
  if (/^=>\s*[@$]/.test(text)) return false;
  if (text === "" || text.startsWith("=>")) return true;
  const words = text
    .replaceAll(/[()&|]|\bconst\b|\bfinal\b|=>/g, " ")
    .trim()
    .split(/\s+/);
  return BROAD.test(words[0] ?? "") && !words.slice(1).some((word) => UNWANTED.test(word));
}

function guardedBy(handler: SyntaxNode, parent: SyntaxNode, language: string): readonly SyntaxNode[] {
  if (language === "ruby") {
    return parent.namedChildren().filter((child) => !/^(?:rescue|ensure|else)$/.test(child.kind()));
  }
  const block = parent.field("body") ?? parent.namedChildren()[0];
  return block === undefined || block.range().start.index >= handler.range().start.index
    ? []
    : block.namedChildren();
}

export const emptyCatch: TreeRule = {
  kind: "tree",
  id: "empty-catch",
  title: "Empty catch block swallows the error",
  severity: "medium",
  category: "reliability",
  why: "If this code fails, the program continues as if it had succeeded and leaves no trace of the error.",
  fix: "Handle the error, log it, or let it propagate. If it's safe to ignore, explain why in a comment inside the block.",
  confidence: 0.85,
  languages: ["javascript", "typescript", "tsx", "java", "csharp", "php", "cpp", "ruby"],
  trigger: /\bcatch\b|\brescue\b/,
  check: (root, file) => check(root, file.language),
};
