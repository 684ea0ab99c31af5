/** The engine over ruff's WebAssembly build. It gets the text of a file and our selection of rules, and no configuration. */
import type { AnalysedFile, Diagnostic, Engine } from "../engine.ts";
import { RUFF_RULES } from "./rules.ts";

/** Rules that ruff calls previews. With previews on, it gives the names of rules instead of their codes. */
const PREVIEWS: Readonly<Record<string, string>> = {
  "loop-iterator-mutation": "B909",
  "dict-iter-missing-items": "PLE1141",
};

const SYNTAX_ERROR = "invalid-syntax";

/** The newest version, so that no valid syntax is an error. */
const TARGET_VERSION = "py314";

/** More findings in one file mean that it isn't what it seems, such as a template or Python 2. */
const MAX_DIAGNOSTICS = 500;

/** In Python 3.14 this parses and means two exceptions. Exceptions have capital letters, variables don't. */
const PYTHON_2_EXCEPT = /^[ \t]*except\s+(?:[\w.]+|\([^()\n]{1,200}\))\s*,\s*[a-z_]\w*\s*:/m;
/** Statements and literals that only Python 2 has. */
const PYTHON_2 =
  /^[ \t]*(?:print[ \t]+["'\w%]|print[ \t]*>>|exec[ \t]+["'\w]|raise[ \t]+[\w.]+[ \t]*,|from __builtin__ )|(?<![\w.])0[0-7]{2,}\b|\bur["']|<>/m;
/** Placeholders of template languages. */
const TEMPLATE = /\{%|\{\{[^{}\n]*\}\}|<%|\$\{[A-Za-z_]/;

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

export async function loadRuff(): Promise<Engine> {
  const ruff = await import("@astral-sh/ruff-wasm-nodejs");
  const { Workspace, PositionEncoding } = ruff;
  const previews = Object.values(PREVIEWS);
  const create = (select: readonly string[], preview: boolean): { check(text: string): unknown } =>
    new Workspace({ "target-version": TARGET_VERSION, lint: { select, preview } }, PositionEncoding.Utf16);
  const codes = RUFF_RULES.map(({ id }) => id).filter((id) => id !== SYNTAX_ERROR && !previews.includes(id));
  const workspaces = [create(codes, false), create(previews, true)];
  const rules = new Map(RUFF_RULES.map((rule) => [rule.id, rule]));

  const check = ({ text }: AnalysedFile): readonly Diagnostic[] => {
    // A text without a line feed is the target of a symbolic link.
    if (!text.includes("\n")) return [];
    const lines = text.split("\n");
    const found = workspaces.flatMap((workspace) => read(workspace.check(text)));
    const error = found.find(({ rule }) => rule === SYNTAX_ERROR);
    // After a syntax error the other results are guesses, and Python 2 gives wrong ones even when it parses.
    if (error !== undefined) return isPython3(text) && !isOldSyntax(error, lines) ? [error] : [];
    if (PYTHON_2_EXCEPT.test(text)) return [];
    const wanted = found.filter(
      (each) => rules.get(each.rule)?.isWanted?.(each, lines) ?? rules.has(each.rule),
    );
    return wanted.length > MAX_DIAGNOSTICS ? [] : wanted;
  };
  return { version: Workspace.version(), check };
}

function isPython3(text: string): boolean {
  return !PYTHON_2.test(text) && !PYTHON_2_EXCEPT.test(text) && !TEMPLATE.test(text);
}

/** Tabs after spaces, and `async` as a name: both were valid before Python 3. */
function isOldSyntax({ line, message }: Diagnostic, lines: readonly string[]): boolean {
  return message.includes("`async`") || (lines[line - 1] ?? "").startsWith("\t");
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
