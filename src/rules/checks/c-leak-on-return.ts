/** A file or memory that an early return leaves open or allocated, though the function frees it further down. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { statementListsIn } from "../syntax/statement-lists.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** A statement that opens a resource, and the function that closes it. */
const OPENED =
  /^(?:[\w\s]{0,40}\*\s*)?(\w+)\s*=\s*(?:\([^()]{1,40}\)\s*)?(?:(fopen|popen|fdopen|opendir|malloc|calloc|strdup|strndup|socket)\s*\(|(new)\s+[\w:<>, ]{1,60}[[({;])/;
const CLOSES: Readonly<Record<string, string>> = {
  fopen: "fclose",
  fdopen: "fclose",
  popen: "pclose",
  opendir: "closedir",
  malloc: "free",
  calloc: "free",
  strdup: "free",
  strndup: "free",
  socket: "close",
  new: "delete",
};

/** Functions of the standard library that use a resource and keep nothing of it. */
const USES =
  "(?:fprintf|fputs|fgets|fread|fwrite|fgetc|getc|fputc|fscanf|feof|ferror|fflush|fseek|ftell|rewind|readdir|memset|memcpy|memmove|strcpy|strncpy|snprintf|sprintf|strlen|strcmp|printf|sizeof|getline|bind|listen|connect|send|recv|setsockopt)";

/** A longer function isn't searched. */
const MAX_CHARS = 20_000;

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  for (const statements of statementListsIn(root, language)) {
    for (const [index, statement] of statements.entries()) {
      if (!/^(?:declaration|expression_statement)$/.test(statement.kind())) continue;
      const [, name = "", called, made] = OPENED.exec(statement.text().slice(0, 200)) ?? [];
      const opener = called ?? made ?? "";
      const closer = CLOSES[opener];
      if (closer === undefined) continue;
      const around = functionAround(statement);
      if (around === null) continue;
      const { start, end } = around.range();
      if (end.index - start.index > MAX_CHARS) continue;
      // A name that the function doesn't declare outlives it.
      if (!new RegExp(`\\*\\s*${name}\\b|\\bint\\s+${name}\\b`).test(around.text())) continue;
      const rest = around.text().slice(statement.range().end.index - start.index);
      const own = escapePattern(name);
      const isBuffer = BUFFER.test(statement.text().slice(0, 80));
      if (!/^f?open|opendir$/.test(opener) && (isBuffer ? isStored(rest, own) : isKept(rest, name))) continue;
      const close =
        opener === "new"
          ? new RegExp(`\\bdelete\\s*(?:\\[\\s*\\]\\s*)?${own}\\s*;`)
          : new RegExp(`\\b${closer}\\(\\s*${own}\\s*\\)`);
      const early = earlyReturn(statements.slice(index + 1), own, close);
      if (early !== null)
        yield {
          line: linesOf(early).line,
          also: [linesOf(statement).line],
          title: `Resource leak: this return leaks ${nameOr(name, "a resource")}`,
          detail: `Line ${linesOf(statement).line} opens it with \`${opener}\`, and this path never calls \`${closer}\`.`,
        };
      else if (opener === "fopen" && !close.test(rest) && !isPassedOn(rest, own))
        yield {
          line: linesOf(statement).line,
          title: `Resource leak: ${nameOr(name, "a file")} is opened and never closed`,
        };
    }
  }
}

/** Memory of numbers and characters: functions that get it rarely keep it. */
const BUFFER =
  /^(?:const\s+)?(?:(?:unsigned|signed)\s+)?(?:char|int|short|long|float|double|bool|u?int\d+_t|std::(?:byte|u?int\d+_t)|size_t|BYTE)\s*\*/;

/** True when the pointer is assigned or returned, or a guard takes it. */
function isStored(rest: string, own: string): boolean {
  return new RegExp(
    `[^=!<>]=\\s*(?:\\([^()]{1,40}\\)\\s*)?&?${own}\\b(?!\\s*[[+])|\\breturn\\s+${own}\\b|_ptr<[^;]{1,80}\\b${own}\\b|\\b(?:defer|cleanup|guard|push|add|append|register|set|take)\\w*\\s*\\([^;]{0,80}\\b${own}\\b`,
    "i",
  ).test(rest);
}

/** True when the pointer is stored or passed to code that may keep it. */
function isKept(rest: string, name: string): boolean {
  return isPassedOn(
    rest.replaceAll(
      new RegExp(
        `\\b(?:free|close|pclose)\\(\\s*${name}\\s*\\)|\\bdelete\\s*(?:\\[\\s*\\]\\s*)?${name}\\b`,
        "g",
      ),
      "",
    ),
    escapePattern(name),
  );
}

function isPassedOn(rest: string, own: string): boolean {
  const others = rest
    .replaceAll(new RegExp(`\\b${USES}\\((?:[^();]|\\([^();]*\\)){0,200}\\)`, "g"), "")
    .replaceAll(
      new RegExp(
        `!\\s*${own}\\b|\\b${own}\\s*(?:[!=]=\\s*(?:NULL|nullptr|0)|\\[|->)|\\bif\\s*\\(\\s*${own}\\s*\\)|\\*\\s*${own}\\b`,
        "g",
      ),
      "",
    );
  return new RegExp(`(?<![\\w.>])${own}\\b`).test(others);
}

/** A return in an `if` that neither closes nor mentions the resource, with the close further down in the same block. */
function earlyReturn(rest: readonly SyntaxNode[], own: string, close: RegExp): SyntaxNode | null {
  const until = rest.findIndex((one) => one.kind() === "expression_statement" && close.test(one.text()));
  if (until === -1) return null;
  for (const statement of rest.slice(0, until)) {
    const text = statement.text();
    if (/\bgoto\b|^\s*#/m.test(text) || new RegExp(`(?<![\\w.>])${own}\\s*=[^=]`).test(text)) return null;
    const found = statement
      .findAll({ rule: { kind: "return_statement" } })
      .find((one) => leaks(one, statement, own));
    if (found !== undefined) return found;
  }
  return null;
}

/** True when nothing on the way to the return closes or tests the resource. */
function leaks(node: SyntaxNode, until: SyntaxNode, own: string): boolean {
  const mentions = new RegExp(`(?<![\\w.>])${own}\\b`);
  if (mentions.test(node.text())) return false;
  for (let around = node.parent(); around !== null; around = around.parent()) {
    if (/^(?:lambda_expression|preproc_\w+)$/.test(around.kind())) return false;
    if (around.kind() === "if_statement") {
      if (isNullTest(around.field("condition")?.text() ?? "", own)) return false;
      const branch = around.field("consequence");
      const isThere = branch !== null && branch.range().end.index >= node.range().end.index;
      if ((isThere ? branch : around.field("alternative"))?.text().match(mentions) !== null) return false;
    }
    if (around.range().start.index === until.range().start.index)
      return around.kind() === "if_statement" || until.kind() !== "if_statement";
  }
  return false;
}

function isNullTest(condition: string, own: string): boolean {
  return new RegExp(
    `!\\s*${own}\\b|\\b${own}\\s*(?:[!=]=|<)|(?:NULL|nullptr)\\s*==\\s*${own}\\b|=\\s*(?:f|p)?open`,
  ).test(condition);
}

export const cLeakOnReturn: TreeRule = {
  kind: "tree",
  id: "c-leak-on-return",
  title: "Resource leak: an early return leaks a file or memory",
  severity: "major",
  category: "reliability",
  why: "Each call that takes this path loses a file descriptor or a block of memory until the process ends.",
  fix: "Close or free it before the return, or jump to one cleanup at the end.",
  languages: ["c", "cpp"],
  inTests: false,
  trigger: /\breturn\b|\bnew\b|\b(?:fopen|popen|opendir|malloc|calloc|strdup|socket)\s*\(/,
  check: (root, { language }) => check(root, language),
  examples: {
    bad: [
      bad(
        "src/read.c",
        5,
        'int read_it(const char *path, char *line) {\n  FILE *f = fopen(path, "r");\n  if (!f) return -1;\n  if (fgets(line, 80, f) == NULL)\n    return -2;\n  fclose(f);\n  return 0;\n}\n',
      ),
      bad(
        "src/sum.c",
        4,
        "int sum(int n) {\n  int *all = malloc(n * sizeof(int));\n  if (all == NULL) return -1;\n  if (n > 100) return -2;\n  all[0] = n;\n  free(all);\n  return 0;\n}\n",
      ),
      bad(
        "src/show.c",
        2,
        'void show(const char *path) {\n  FILE *f = fopen(path, "r");\n  char line[80];\n  while (fgets(line, sizeof(line), f)) puts(line);\n}\n',
      ),
      bad(
        "src/decode.cpp",
        4,
        "bool decode(const char *data, size_t size, Out *out) {\n  unsigned char* scratch = new unsigned char[size * 2];\n  const size_t used = inflate(data, size, scratch);\n  if (used == 0) return false;\n  out->assign(scratch, scratch + used);\n  delete[] scratch;\n  return true;\n}\n",
      ),
    ],
    good: [
      good(
        "src/owned.cpp",
        "bool decode(size_t size, Out *out) {\n  char* scratch = new char[size];\n  std::unique_ptr<char[]> owner(scratch);\n  if (size == 0) return false;\n  Node* node = new Node();\n  out->keep(node);\n  if (size == 1) return false;\n  delete node;\n  return true;\n}\n",
      ),
      good(
        "src/read.c",
        'int read_it(const char *path, char *line) {\n  FILE *f = fopen(path, "r");\n  if (f == NULL) return -1;\n  if (fgets(line, 80, f) == NULL) {\n    fclose(f);\n    return -2;\n  }\n  fclose(f);\n  return 0;\n}\n',
      ),
      good(
        "src/keep.c",
        "struct list *make(int n) {\n  struct item *one = malloc(sizeof(*one));\n  list_add(&all, one);\n  if (n > 1) return NULL;\n  free(one);\n  return &all;\n}\n",
      ),
      good(
        "src/open.c",
        'FILE *open_it(const char *path) {\n  FILE *f = fopen(path, "r");\n  return f;\n}\nvoid use_it(struct state *s) {\n  FILE *f = fopen(s->path, "r");\n  s->file = f;\n}\n',
      ),
    ],
  },
};
