/** The engine over ruff's WebAssembly build. It gets the text of a file and our selection of rules, and no configuration. */
import type { AnalysedFile, Diagnostic, Engine, FileCheck } from "../engine.ts";
import { RUFF_RULES } from "./rules.ts";

/** Rules that ruff calls previews. With previews on, it gives the names of rules instead of their codes. */
const PREVIEWS: Readonly<Record<string, string>> = {
  "loop-iterator-mutation": "B909",
  "dict-iter-missing-items": "PLE1141",
};

const SYNTAX_ERROR = "invalid-syntax";

/** The newest version, so that no valid syntax is an error. */
const TARGET_VERSION = "py315";

/** Before it, an unparenthesized `except A, b:` is a syntax error. */
const VERSION_BEFORE_EXCEPT = "py313";

/** In Python 3.14 this parses and means two exceptions. Exceptions have capital letters, variables don't. */
const PYTHON_2_EXCEPT = /^[ \t]*except\s+(?:[\w.]+|\([^()\n]{1,200}\))\s*,\s*[a-z_]\w*\s*:/m;
/** Statements and literals that only Python 2 has. */
const PYTHON_2 =
  /^[ \t]*(?:print[ \t]+["'\w%]|print[ \t]*>>|exec[ \t]+["'\w]|raise[ \t]+[\w.]+[ \t]*,|from __builtin__ )|(?<![\w.])0[0-7]{2,}\b|\bur["']|<>/;
/** Placeholders of template languages. */
const TEMPLATE = /\{%|\{\{[^{}\n]*\}\}|<%|\$\{[A-Za-z_]/;
/** Languages around Python in its files: IPython, Snakemake, Cython, Ren'Py, Sage, an interpreter's output, the placeholders of `%` and of build tools. */
const DIALECT =
  /^\s*[%!]|\?\s*$|^\s*(?:rule|checkpoint|configfile|label|cdef|cpdef|cimport)\b|^\s*>>>|\.<\w+>\s*=|%\(\w+\)s|@[A-Z_]+@/;
/** The target of a symbolic link is a path. As code it does nothing. */
const LINK_TARGET = /^[\w./-]+$/;

const UNPARSED: FileCheck = { diagnostics: [], gap: "unparsed" };

type RuffDiagnostic = {
  readonly code: string | null;
  readonly message: string;
  readonly start_location: { readonly row: number };
  readonly end_location: { readonly row: number; readonly column: number };
  readonly annotations: readonly {
    readonly primary: boolean;
    readonly location: { readonly start_location: { readonly row: number } } | null;
  }[];
};

type RuffWorkspace = { check(text: string): unknown };

export async function loadRuff(): Promise<Engine> {
  const ruff = await import("@astral-sh/ruff-wasm-nodejs");
  const { Workspace, PositionEncoding } = ruff;
  const previews = Object.values(PREVIEWS);
  const create = (version: string, select: readonly string[], preview: boolean): RuffWorkspace =>
    new Workspace({ "target-version": version, lint: { select, preview } }, PositionEncoding.Utf16);
  const codes = RUFF_RULES.map(({ id }) => id).filter((id) => id !== SYNTAX_ERROR && !previews.includes(id));
  const workspaces = [create(TARGET_VERSION, codes, false), create(TARGET_VERSION, previews, true)];
  const before = create(VERSION_BEFORE_EXCEPT, [], false);
  const rules = new Map(RUFF_RULES.map((rule) => [rule.id, rule]));

  const isWanted = (found: Diagnostic, lines: readonly string[]): boolean =>
    rules.get(found.rule)?.isWanted?.(found, lines) ?? rules.has(found.rule);

  /** Such a file parses, and then gives wrong results. A line of a docstring isn't an `except`: ruff says where one is. */
  const isPython2 = (text: string, lines: readonly string[]): boolean =>
    PYTHON_2_EXCEPT.test(text) &&
    read(before.check(text)).some(
      ({ rule, line }) => rule === SYNTAX_ERROR && PYTHON_2_EXCEPT.test(lines[line - 1] ?? ""),
    );

  const check = ({ text }: AnalysedFile): FileCheck | null => {
    if (LINK_TARGET.test(text)) return null;
    const lines = text.split("\n");
    const found = workspaces.flatMap((workspace) => read(workspace.check(text)));
    const [error, ...errors] = found.filter(({ rule }) => rule === SYNTAX_ERROR);
    const wanted = found.filter((each) => each.rule !== SYNTAX_ERROR && isWanted(each, lines));
    if (error === undefined) return isPython2(text, lines) ? UNPARSED : { diagnostics: wanted, gap: null };
    // Errors after the first are guesses. Other results are of a file that parses and that Python still rejects.
    const isOther = [error, ...errors].some((each) => isOtherLanguage(each, lines));
    return isOther ? UNPARSED : { diagnostics: [error, ...wanted], gap: "unparsed" };
  };
  return { version: Workspace.version(), check };
}

/**
 * Python 2, a template or another language, by the line of the error. Tabs after spaces, and `async` as a name, were valid before Python 3.
 */
function isOtherLanguage({ line, message }: Diagnostic, lines: readonly string[]): boolean {
  const text = lines[line - 1] ?? "";
  if (message.includes("`async`") || text.startsWith("\t")) return true;
  return PYTHON_2.test(text) || PYTHON_2_EXCEPT.test(text) || TEMPLATE.test(text) || DIALECT.test(text);
}

function read(result: unknown): readonly Diagnostic[] {
  // The package declares the result as `any`; its own type file has this shape.
  return (result as readonly RuffDiagnostic[]).map(
    ({ code, message, start_location, end_location, annotations }) => {
      const related = annotations.flatMap(({ primary, location }) =>
        primary || location === null ? [] : [location.start_location.row],
      );
      const endsBefore = end_location.column === 1 && end_location.row > start_location.row;
      return {
        rule: PREVIEWS[code ?? ""] ?? code ?? "",
        line: start_location.row,
        endLine: endsBefore ? end_location.row - 1 : end_location.row,
        related,
        message,
      };
    },
  );
}
