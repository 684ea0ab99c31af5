/**
 * A text with a placeholder that its language doesn't fill: `"failed: {error}"` without the `f` of Python, `'${name}'` in quotes
 * instead of backticks, `'#{name}'` in single quotes. The name in it is a variable of the function.
 */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { nearestAncestor } from "../syntax/ancestors.ts";
import { asCall } from "../syntax/calls.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

type Texts = {
  readonly kind: string;
  /** A placeholder; the first group is the variable's name. */
  readonly placeholder: RegExp;
  /** How such a text starts, with its quote. */
  readonly start: RegExp;
  readonly remedy: string;
};

const SCRIPT: Texts = {
  kind: "string",
  placeholder: /\$\{([A-Za-z_$][\w$]{0,60})(?:[.?[][^{}'"]{0,60})?\}/,
  start: /^["']/,
  remedy: "It needs backticks.",
};

const TEXTS: Readonly<Record<string, Texts>> = {
  javascript: SCRIPT,
  typescript: SCRIPT,
  tsx: SCRIPT,
  python: {
    kind: "string",
    placeholder: /(?<!\{)\{([A-Za-z_]\w{0,60})(?:[.[][^{}'"]{0,60}|![rsa])?\}(?!\})/,
    start: /^["']/,
    remedy: "It needs the prefix `f`.",
  },
  ruby: {
    kind: "string",
    placeholder: /(?<!\\)#\{([a-z_]\w{0,60})(?:[.[&][^{}'"]{0,60})?\}/,
    start: /^'/,
    remedy: "It needs double quotes.",
  },
  csharp: {
    kind: "string_literal",
    placeholder: /(?<!\{)\{([a-z_]\w{0,60})(?:[.[][^{}'"]{0,60})?\}(?!\})/,
    start: /^"/,
    remedy: "It needs the prefix `$`.",
  },
  rust: {
    kind: "string_literal",
    placeholder: /(?<!\{)\{([a-z_]\w{0,60})(?::\??)?\}(?!\})/,
    start: /^"/,
    remedy: "It needs `format!`.",
  },
};

/** Calls and statements that show or report a text as it is. */
const REPORTS: Readonly<Record<string, RegExp>> = {
  python:
    /^(?:print|[A-Z]\w*(?:Error|Exception|Warning)|warn|fail|abort|exit|flash|debug|info|warning|error|exception|critical)$/,
  csharp: /^(?:[A-Z]\w*Exception|WriteLine)$/,
  rust: /^(?:expect|to_string|into|to_owned)$/,
};

/** These fill the placeholders themselves. */
const FILLS =
  /\bformat\w*\(|\.replace\w*\(|%|[tT]emplate|loguru|\binterpolat|\bgettext|\btranslat|structlog|pattern|[rR]egex/;

/** A longer text is a template or documentation. */
const MAX_CHARS = 400;

const MAX_SCOPE_CHARS = 20_000;

function reporterOf(text: SyntaxNode, language: string): SyntaxNode | null {
  const wanted = REPORTS[language];
  let around = text.parent();
  while (
    around !== null &&
    /^(?:concatenated_string|parenthesized_expression|argument|argument_list|arguments|binary_operator|field_expression)$/.test(
      around.kind(),
    )
  )
    around = around.parent();
  const call = around === null ? null : asCall(around);
  if (wanted === undefined || call === null || !wanted.test(call.name)) return null;
  return call.node;
}

/** True when the function declares the name: a parameter, an assignment, a loop or caught error. */
function declares(scope: string, name: string): boolean {
  const own = escapePattern(name);
  return new RegExp(
    `(?:^|[(,|]\\s*|\\bas\\s+|\\bfor\\s+|\\b(?:const|let|var|mut)\\s+|=>\\s*|[{,]\\s*|^[ \\t]*|[\\w>\\]?]\\s+)${own}\\s*(?:[:,)|=]|\\bin\\b|\\bof\\b|=>|\\})`,
    "m",
  ).test(scope);
}

function withoutText(scope: string, text: string): string {
  return scope.replace(text, '""');
}

export const lostInterpolation: TreeRule = {
  kind: "tree",
  id: "lost-interpolation",
  title: "Lost interpolation: the text shows the placeholder, not the value",
  severity: "medium",
  category: "correctness",
  why: "The language fills no placeholder in this kind of text, so readers see the name in braces, and the value is lost.",
  fix: "Use the kind of text that fills placeholders, or format it explicitly.",
  confidence: 0.9,
  languages: ["javascript", "typescript", "tsx", "python", "ruby", "csharp", "rust"],
  trigger: /["'][^"'\n]*[{]\w[^"'\n]*["']/,
  *check(root, { language }): Iterable<RuleMatch> {
    const texts = TEXTS[language];
    if (texts === undefined) return;
    for (const node of root.findAll({ rule: { kind: texts.kind, regex: "\\{[A-Za-z_$]" } })) {
      const { start, end } = node.range();
      if (end.index - start.index > MAX_CHARS) continue;
      const text = node.text();
      const name = texts.placeholder.exec(text)?.[1];
      if (name === undefined || !texts.start.test(text)) continue;
      const scope = functionAround(node);
      if (scope === null || scope.range().end.index - scope.range().start.index > MAX_SCOPE_CHARS) continue;
      if (REPORTS[language] !== undefined && reporterOf(node, language) === null) continue;
      const statement = nearestAncestor(node, (one) =>
        /statement|declaration|^assignment|_item$|^call$/.test(one.kind()),
      );
      if (FILLS.test(withoutText(statement?.text().slice(0, 2_000) ?? "", text))) continue;
      if (!declares(withoutText(scope.text(), text), name)) continue;
      yield {
        line: start.line + 1,
        title: `Lost interpolation: the text shows ${nameOr(name, "a placeholder")} itself, not its value`,
        detail: texts.remedy,
      };
    }
  },
};
