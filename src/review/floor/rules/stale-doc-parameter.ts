/** Documentation of a parameter that the function doesn't have: it was renamed or removed, or the comment was copied. */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import { removedLines } from "../../change/walk-hunks.ts";
import { bad, type FileView, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

type Grammar = {
  /** The kind of comments; "string" for docstrings. */
  readonly comment: string;
  /** Kinds of nodes that a comment can document. */
  readonly functions: readonly string[];
  readonly parameters: string;
  /** The name in a line of documentation. */
  readonly name: RegExp;
};

const SCRIPT: Grammar = {
  comment: "comment",
  functions: [
    "function_declaration",
    "generator_function_declaration",
    "method_definition",
    "export_statement",
    "lexical_declaration",
  ],
  parameters: "formal_parameters",
  name: /@param\s+(?:\{[^@]{0,200}\}\s+)?\[?\s?(?:\.\.\.)?\$?(\w{1,60})/,
};
const TYPED: Grammar = {
  ...SCRIPT,
  functions: [...SCRIPT.functions, "function_signature", "method_signature", "abstract_method_signature"],
};
const C: Grammar = {
  comment: "comment",
  functions: ["function_definition", "declaration"],
  parameters: "parameter_list",
  name: /[@\\]param(?:\s?\[[\w, ]{1,10}\])?\s+(\w{1,60})/,
};

const GRAMMARS: Readonly<Partial<Record<string, Grammar>>> = {
  javascript: SCRIPT,
  typescript: TYPED,
  tsx: TYPED,
  java: {
    comment: "block_comment",
    functions: ["method_declaration", "constructor_declaration"],
    parameters: "formal_parameters",
    name: /@param\s+(\w{1,60})/,
  },
  php: {
    comment: "comment",
    functions: ["function_definition", "method_declaration"],
    parameters: "formal_parameters",
    name: /@param\s[^$@(]{0,200}?\$(\w{1,60})/,
  },
  csharp: {
    comment: "comment",
    functions: ["method_declaration", "constructor_declaration"],
    parameters: "parameter_list",
    name: /<param name="@?(\w{1,60})"/,
  },
  c: C,
  cpp: { ...C, functions: [...C.functions, "field_declaration"] },
  ruby: {
    comment: "comment",
    functions: ["method", "singleton_method"],
    parameters: "method_parameters",
    name: /@param\s+(?:\[[^\]]{0,120}\]\s+)?[*&]{0,2}(\w{1,60})/,
  },
  python: {
    comment: "string",
    functions: ["function_definition"],
    parameters: "parameters",
    name: /^\s*:param\s+(?:[\w.[\], |]{1,60}\s)?\\?\*{0,2}(\w{1,60}):/,
  },
};

const TAG = /[@\\:]param\b|<param name=/;

/** The documentation is elsewhere, or is about another function. */
const ELSEWHERE = /@inheritdoc|<inheritdoc|@overload|@callback|@typedef|@method/i;

/** Articles: a description without a name. */
const NO_NAME = /^(?:an?|the|if|this)$/i;

/** Attributes, decorators and long types may be above the parameters. */
const MAX_LINES_TO_PARAMETERS = 8;

export const staleDocParameter: TreeRule = {
  kind: "tree",
  id: "stale-doc-parameter",
  title: "Documentation names a parameter that the function doesn't have",
  severity: "minor",
  category: "documentation",
  why: "Editors show the documentation to callers, who then look for an argument that doesn't exist.",
  fix: "Rename or remove the entry so that it matches the signature.",
  languages: ["javascript", "typescript", "tsx", "java", "php", "csharp", "c", "cpp", "ruby", "python"],
  inTests: false,
  trigger:
    /[@\\:]param\b|<param name=|\b(?:function|def|public|private|protected|internal|static|async|const)\b|\)\s*[{;]?$|=>/m,
  *check(root, file): Iterable<RuleMatch> {
    const grammar = GRAMMARS[file.language];
    if (grammar === undefined || file.lines?.some((line) => TAG.test(line)) !== true) return;
    const removed = removedWords(file);
    for (const comment of root.findAll({ rule: { kind: grammar.comment } })) {
      const documented = grammar.comment === "string" ? functionOfDocstring(comment) : comment.next();
      if (documented === null || !grammar.functions.includes(documented.kind())) continue;
      const entries = [...entriesOf(comment, grammar)];
      const parameters = entries.length === 0 ? null : parametersOf(documented, grammar);
      if (parameters === null) continue;
      const words = new Set(parameters.text().match(/\w+/g));
      for (const { name, line } of entries)
        if (!words.has(name))
          yield {
            line,
            // The signature is the change's part only if it had the name before.
            ...(removed.has(name) ? { also: allLines(parameters) } : {}),
            title: `The documentation describes ${nameOr(name, "a parameter")}, which isn't a parameter`,
          };
    }
  },
  examples: {
    bad: [
      bad(
        "src/Hooks.php",
        4,
        "<?php\nclass Hooks {\n  /**\n   * @param mixed $args For the hooks\n   * @return void\n   */\n  public function apply(string $name, $arg = null) {}\n}\n",
      ),
      {
        files: [
          {
            path: "src/read.ts",
            before:
              "/**\n * Reads it.\n * @param {string} path where\n * @param limit how much\n */\nexport function read(path: string, limit = 1) {\n  return 1;\n}\n",
            after:
              "/**\n * Reads it.\n * @param {string} path where\n * @param limit how much\n */\nexport function read(path: string) {\n  return 1;\n}\n",
          },
        ],
        line: 6,
      },
      bad(
        "src/Sink.cs",
        2,
        'class Sink {\n  /// <param name="hub">The hub.</param>\n  /// <param name="size">The size.</param>\n  public Sink(IHub context, int size) { }\n}\n',
      ),
      bad(
        "src/size.hpp",
        3,
        "/*!\n@brief The size.\n@param[in] j  the value\n*/\nstatic int size_of(const Value& value);\n",
      ),
      bad(
        "app/send.py",
        4,
        'def send(message, retries):\n    """Sends it.\n\n    :param msg: the message\n    :param int retries: how often\n    """\n',
      ),
      bad(
        "lib/send.rb",
        2,
        "# Sends it.\n# @param [String] msg\n# @param times [Integer]\ndef send_it(message, times)\nend\n",
      ),
      bad(
        "src/Reader.java",
        3,
        "class Reader {\n  /**\n   * @param file the file\n   */\n  void read(Path path) {}\n}\n",
      ),
    ],
    good: [
      good(
        "src/read.ts",
        "/**\n * @param {string} path where\n * @param [limit=1] how much\n * @param options.deep all\n */\nexport function read(path: string, limit = 1, options = {}) {}\n",
      ),
      good("src/props.js", "/**\n * @param props all of them\n */\nfunction show({ name, size }) {}\n"),
      good(
        "src/List.java",
        "class List {\n  /**\n   * @param <T> the type\n   * @param item the item\n   */\n  <T> void add(T item) {}\n}\n",
      ),
      good(
        "src/Call.php",
        "<?php\n/**\n * @param callable(int $code): bool $check\n * @param string ...$names\n */\nfunction call(callable $check, string ...$names) {}\n",
      ),
      good(
        "app/send.py",
        'def send(message, **options):\n    """Sends it.\n\n    :param message: the message\n    :param retries: how often\n    """\n',
      ),
      {
        files: [
          {
            path: "src/read.js",
            before: "/**\n * @param size how much\n */\nfunction read(path) {}\n",
            after: "/**\n * @param size how much\n */\nfunction read(path, limit) {}\n",
          },
        ],
      },
      good(
        "lib/send.rb",
        "# @param message [String]\ndef send_it(message)\nend\n\n# Old: @param size\n\ndef read\nend\n",
      ),
    ],
  },
};

function allLines(node: SyntaxNode): readonly number[] {
  const { line, endLine } = linesOf(node);
  return Array.from({ length: endLine - line + 1 }, (_, index) => line + index);
}

function removedWords({ file }: FileView): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { text } of removedLines(file)) for (const word of text.match(/\w+/g) ?? []) words.add(word);
  return words;
}

/** The function whose body begins with this string; null for any other string. */
function functionOfDocstring(string: SyntaxNode): SyntaxNode | null {
  const statement = string.parent();
  if (statement?.kind() !== "expression_statement" || statement.prev() !== null) return null;
  return statement.parent()?.parent() ?? null;
}

/** The parameters in the documentation that ends with this comment. Line comments above it belong to it. */
function* entriesOf(
  last: SyntaxNode,
  { name: pattern }: Grammar,
): Generator<{ readonly name: string; readonly line: number }> {
  for (let node: SyntaxNode | null = last; node !== null && node.kind() === last.kind();) {
    const text = node.text();
    if (ELSEWHERE.test(text)) return;
    for (const [index, each] of text.split("\n").entries()) {
      const name = pattern.exec(each)?.[1];
      if (name !== undefined && !NO_NAME.test(name)) yield { name, line: linesOf(node).line + index };
    }
    const above: SyntaxNode | null = /^(?:\/\/|#)/.test(text) ? node.prev() : null;
    node = above !== null && above.range().end.line >= node.range().start.line - 1 ? above : null;
  }
}

/** Null when a parameter has no name, or has any name. */
function parametersOf(documented: SyntaxNode, { parameters: kind }: Grammar): SyntaxNode | null {
  const found = documented.field("parameters") ?? documented.find({ rule: { kind } });
  if (found === null || found.kind() !== kind) return null;
  const lines = found.range().start.line - documented.range().start.line;
  // A destructured parameter has no name, and Python's `**options` takes any.
  return lines <= MAX_LINES_TO_PARAMETERS && !/[{[]|\.\.\.\s*\)|\*\*/.test(found.text()) ? found : null;
}
