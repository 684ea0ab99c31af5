/**
 * A doc comment that names a parameter which the function doesn't have: renamed, removed or copied from another function.
 * The whole signature counts, with type parameters and destructured names, so only names that appear nowhere in it are reported.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { removedLines } from "../../review/change/walk-hunks.ts";
import { parametersOf } from "../flow/parameters.ts";
import { bad, good, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const JAVASCRIPT = [
  "function_declaration",
  "generator_function_declaration",
  "method_definition",
  "arrow_function",
  "function_expression",
];
const TYPESCRIPT = [...JAVASCRIPT, "function_signature", "method_signature", "abstract_method_signature"];

type Language = {
  readonly functions: ReadonlySet<string>;
  /** The node kind of comments; of docstrings in Python. */
  readonly comment: string;
  /** Group 1: the documented name, possibly with marks around it. */
  readonly tag: RegExp;
};

const JAVADOC_TAG = /^[\s/*!]*[@\\]param(?:\[[a-z, ]{0,20}\])?[ \t]+([\w$.<>]+)/;

/** `@param {type} name`, `@param {type} [name=default]`, `@param name`. Types have at most two levels of braces. */
const JSDOC_TAG =
  /^[\s/*]*@param[ \t]+(?:\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}[ \t]*)?(\[?[a-z_$][\w$.]*)/;

const LANGUAGES: Readonly<Record<string, Language>> = {
  javascript: { functions: new Set(JAVASCRIPT), comment: "comment", tag: JSDOC_TAG },
  typescript: { functions: new Set(TYPESCRIPT), comment: "comment", tag: JSDOC_TAG },
  tsx: { functions: new Set(TYPESCRIPT), comment: "comment", tag: JSDOC_TAG },
  java: {
    functions: new Set(["method_declaration", "constructor_declaration"]),
    comment: "block_comment",
    tag: JAVADOC_TAG,
  },
  php: {
    functions: new Set(["function_definition", "method_declaration"]),
    comment: "comment",
    tag: /^[\s/*]*@param\b[^$]{0,200}[ \t]&?(?:\.{3})?(\$\w+)/,
  },
  c: { functions: new Set(["function_definition", "declaration"]), comment: "comment", tag: JAVADOC_TAG },
  cpp: {
    functions: new Set(["function_definition", "declaration", "field_declaration"]),
    comment: "comment",
    tag: JAVADOC_TAG,
  },
  csharp: {
    functions: new Set([
      "method_declaration",
      "constructor_declaration",
      "delegate_declaration",
      "local_function_statement",
    ]),
    comment: "comment",
    tag: /<param name="(\w+)"/,
  },
  ruby: {
    functions: new Set(["method", "singleton_method"]),
    comment: "comment",
    tag: /^\s*#[ \t]*@param[ \t]+(?:\[[^\]]{0,200}\][ \t]+)?([\w*&]+)/,
  },
  python: {
    functions: new Set(["function_definition"]),
    comment: "string",
    tag: /^\s*:param[ \t]+(?:[^:]{0,80}[ \t])?(\**\w+):/,
  },
};

/** The comment documents something other than the function below it, or several of them. */
const OTHER_SUBJECT =
  /@(?:typedef|callback|overload|event|name|method|function|func|fn|var|def|define|macro|struct|class|namespace|internal|inheritDoc|!\w+)\b|\{@inheritDoc|<inheritdoc|[@\\]copydoc/i;

/** The function reads arguments that it doesn't list. */
const UNLISTED = /\barguments\b|\bfunc_get_args\b|\*\*\w+|\.\.\.\)/;

type Documented = { readonly name: string; readonly line: number };

function nameOf(marked: string): string {
  return marked.replaceAll(/^[[*&$.<]+|[\]>.]+$/g, "").split(".")[0] ?? "";
}

/** The documented names of comment text that starts on a 0-based line. */
function namesIn(text: string, firstLine: number, tag: RegExp): readonly Documented[] {
  const found: Documented[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const name = nameOf(tag.exec(line)?.[1] ?? "");
    if (/^[A-Za-z_$][\w$]*$/.test(name)) found.push({ name, line: firstLine + index + 1 });
  }
  return found;
}

const GOOGLE_SECTION = /^(\s*)(?:Args|Arguments|Parameters):\s*$/;
const GOOGLE_NAME = /^(\s+)(\*{0,2}\w+)(?: ?\([^)]{0,80}\))?:(?:\s|$)/;

/** Names of a Google style `Args:` section: the lines with the section's first indent. */
function googleNames(text: string, firstLine: number): readonly Documented[] {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => GOOGLE_SECTION.test(line));
  if (start < 0) return [];
  const indent = GOOGLE_NAME.exec(lines[start + 1] ?? "")?.[1];
  const outer = GOOGLE_SECTION.exec(lines[start] ?? "")?.[1] ?? "";
  if (indent === undefined || indent.length <= outer.length) return [];
  const found: Documented[] = [];
  for (const [index, line] of lines.entries()) {
    if (index <= start) continue;
    if (line.trim() === "" || !line.startsWith(indent)) break;
    const [, own, name = ""] = GOOGLE_NAME.exec(line) ?? [];
    if (own === indent) found.push({ name: nameOf(name), line: firstLine + index + 1 });
  }
  return found;
}

/** The function that a declaration declares directly, through `export`, `const name =`, a template or an assignment. */
function declaredFunction(node: SyntaxNode, functions: ReadonlySet<string>): SyntaxNode | null {
  let current: SyntaxNode | null = node;
  for (let step = 0; step < 6 && current !== null; step++) {
    if (functions.has(current.kind())) return current;
    if (
      /^(?:call_expression|class|object|new_expression|class_declaration|class_specifier)$/.test(
        current.kind(),
      )
    )
      return null;
    const inner: SyntaxNode | null =
      current.field("declaration") ?? current.field("value") ?? current.field("right");
    current =
      inner ??
      current
        .namedChildren()
        .find(
          (child) => !/decorator|modifier|comment|template_parameter_list|^identifier$/.test(child.kind()),
        ) ??
      null;
  }
  return null;
}

type Doc = { readonly text: string; readonly firstLine: number; readonly fn: SyntaxNode };

/** Comments of one block, which may be one comment per line, and the function right below it. */
function* docComments(root: SyntaxNode, { comment, functions, tag }: Language): Generator<Doc> {
  const comments = root.findAll({ rule: { kind: comment } });
  let block: SyntaxNode[] = [];
  for (const [index, node] of comments.entries()) {
    block.push(node);
    const next = comments[index + 1];
    const end = endLine(node);
    if (next !== undefined && next.range().start.line === end + 1) continue;
    const text = block.map((one) => one.text().replace(/\n$/, "")).join("\n");
    const firstLine = block[0]?.range().start.line ?? 0;
    block = [];
    const isDoc = text.split("\n").some((line) => tag.test(line));
    const below = isDoc ? nextDeclaration(node) : null;
    if (below === null || below.range().start.line > end + 1 || OTHER_SUBJECT.test(text)) continue;
    const fn = declaredFunction(below, functions);
    if (fn !== null) yield { text, firstLine, fn };
  }
}

/** The last line of a comment: some grammars count the line break to it. */
function endLine(node: SyntaxNode): number {
  const { end, start } = node.range();
  return end.column === 0 && end.line > start.line ? end.line - 1 : end.line;
}

function nextDeclaration(comment: SyntaxNode): SyntaxNode | null {
  let next = comment.next();
  while (next !== null && /^(?:decorator|attribute_item)$/.test(next.kind())) next = next.next();
  return next;
}

function* docstrings(root: SyntaxNode): Generator<Doc> {
  for (const fn of root.findAll({ rule: { kind: "function_definition" } })) {
    const string = fn.field("body")?.namedChildren()[0]?.namedChildren()[0];
    if (string?.kind() !== "string") continue;
    yield { text: string.text(), firstLine: string.range().start.line, fn };
  }
}

/** The text of a function before its body. */
function signatureOf(fn: SyntaxNode): string {
  const body = fn.field("body");
  const text = fn.text();
  return body === null ? text : text.slice(0, body.range().start.index - fn.range().start.index);
}

type Mismatch = RuleMatch & { readonly name: string };

const JAVASCRIPT_FAMILY = /^(?:javascript|typescript|tsx)$/;

function* mismatches({ text, firstLine, fn }: Doc, language: string, tag: RegExp): Generator<Mismatch> {
  const signature = signatureOf(fn);
  const open = signature.indexOf("(");
  if (open < 0 || UNLISTED.test(fn.text())) return;
  const list = signature.slice(open + 1);
  // A destructured parameter has no name, so the comment chooses one. A rest parameter may stand for several, and a
  // function without parameters may be a wrapper.
  if (JAVASCRIPT_FAMILY.test(language) && /[{[]|\.{3}|^\s*\)/.test(list)) return;
  const names = new Set((signature.match(/[\w$]+/g) ?? []).map(nameOf));
  const documented = [
    ...namesIn(text, firstLine, tag),
    ...(language === "python" ? googleNames(text, firstLine) : []),
  ];
  const unknown = documented.filter(({ name }) => !names.has(name));
  if (unknown.length === 0) return;
  const known = new Set(documented.map(({ name }) => name));
  const missing = parametersOf(fn)
    .map(({ pattern }) => nameOf(pattern.text()))
    .filter((name) => !known.has(name) && !/^(?:self|cls)$/.test(name));
  const start = fn.range().start.line + 1;
  const also = signature
    .trimEnd()
    .split("\n")
    .map((_, index) => start + index);
  for (const { name, line } of unknown) {
    const documents = `Outdated doc comment: it documents ${nameOr(name, "a name")}`;
    const [only] = missing;
    const isRenamed = unknown.length === 1 && missing.length === 1 && only !== undefined;
    const title = isRenamed
      ? `${documents}, but the parameter is ${nameOr(only, "another one")}`
      : `${documents}, which isn't a parameter`;
    yield { name, line, also, title };
  }
}

const DOCUMENTS = /[@\\:]param\b|<param |\bArgs:/;

export const docParameterMismatch: TreeRule = {
  kind: "tree",
  id: "doc-parameter-mismatch",
  title: "Outdated doc comment: it names a parameter that the function doesn't have",
  severity: "minor",
  category: "documentation",
  why: "Callers and editors read the comment instead of the code, so they pass the wrong thing or miss a parameter.",
  fix: "Update the comment to the names in the signature.",
  confidence: 0.9,
  languages: ["javascript", "typescript", "tsx", "java", "php", "c", "cpp", "csharp", "ruby", "python"],
  inTests: false,
  trigger: new RegExp(`${DOCUMENTS.source}|\\w *\\(`),
  needs: DOCUMENTS,
  *check(root, file): Iterable<RuleMatch> {
    const language = LANGUAGES[file.language];
    if (language === undefined) return;
    const removed = new Set(removedLines(file.file).flatMap(({ text }) => text.match(/[\w$]+/g) ?? []));
    const docs = file.language === "python" ? docstrings(root) : docComments(root, language);
    for (const doc of docs) {
      for (const { name, also, ...match } of mismatches(doc, file.language, language.tag))
        // Only a change that took the parameter out of the signature makes an old comment wrong.
        yield removed.has(name) && also !== undefined ? { ...match, also } : match;
    }
  },
  examples: {
    bad: [
      bad(
        "src/a.ts",
        3,
        "/**\n * Loads a user.\n * @param userId the user\n */\nexport function load(id: string): User {\n  return find(id);\n}\n",
      ),
      {
        line: 4,
        files: [
          {
            path: "src/b.js",
            before:
              "/**\n * @param {number} [count=1] how many\n */\nconst take = (count) => list.slice(0, count);\n",
            after:
              "/**\n * @param {number} [count=1] how many\n */\nconst take = (size) => list.slice(0, size);\n",
          },
        ],
      },
      bad("src/A.java", 3, "class A {\n  /**\n   * @param count how many\n   */\n  void f(int size) {}\n}\n"),
      bad(
        "src/a.php",
        3,
        "<?php\n/**\n * @param string|null $name the name\n */\nfunction f(?string $title) {}\n",
      ),
      bad(
        "src/a.h",
        3,
        "/**\n * Reads.\n * @param[in] buf where to\n */\nint read_all(char *buffer, int size);\n",
      ),
      bad(
        "src/A.cs",
        4,
        'class A {\n  /// <summary>Runs.</summary>\n  /// <param name="id">the id</param>\n  /// <param name="token">stops it</param>\n  void Run(int id) { }\n}\n',
      ),
      bad("lib/a.rb", 2, "# Runs.\n# @param [String] name the name\ndef run(title)\nend\n"),
      bad("a.py", 5, 'def run(path):\n    """Run it.\n\n    Args:\n        filename: The file.\n    """\n'),
      bad("b.py", 4, 'def run(path):\n    """Run it.\n\n    :param str filename: The file.\n    """\n'),
    ],
    good: [
      good(
        "src/a.ts",
        "/**\n * @param id the user\n */\nexport function load(id: string): User {\n  return find(id);\n}\n",
      ),
      good(
        "src/b.ts",
        "/**\n * @param options what to do\n */\nexport function load({ a, b }: Options): User {\n  return find(a, b);\n}\n",
      ),
      good(
        "src/c.js",
        "/**\n * @param {{ a: number, b: { c: string } }} options all\n * @param options.a one\n * @param {...string} rest more\n */\nfunction f(options, ...rest) {}\n",
      ),
      {
        files: [
          {
            path: "src/d.js",
            before: "/**\n * @param count how many\n */\nfunction take(size) {\n  return size;\n}\n",
            after: "/**\n * @param count how many\n */\nasync function take(size) {\n  return size;\n}\n",
          },
        ],
      },
      good(
        "src/A.java",
        "class A {\n  /**\n   * @param <T> the type\n   * @param size how many\n   */\n  <T> void f(int size, T item) {}\n}\n",
      ),
      good(
        "src/a.php",
        "<?php\n/**\n * @param  \\Closure($this): void  $callback\n */\nfunction f($callback) {}\n",
      ),
      good(
        "a.py",
        'def run(path, **options):\n    """Run it.\n\n    Args:\n        filename: The file.\n    """\n',
      ),
      good("lib/a.rb", "# @overload run(name)\n#   @param [String] name the name\ndef run(*args)\nend\n"),
    ],
  },
};
