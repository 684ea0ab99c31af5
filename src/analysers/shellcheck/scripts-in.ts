/** Finds the shell scripts in a file: the file itself, `run:` of a workflow, or `RUN` of a Dockerfile. */
import type { AnalysedFile } from "../engine.ts";

export type ShellScript = {
  readonly shell: "bash" | "sh" | "dash" | "ksh";
  readonly lines: readonly string[];
  /** The line of the file that is the first of the script. */
  readonly firstLine: number;
};

const WORKFLOW = /(?:^|\/)\.github\/workflows\/[^/]+\.ya?ml$/;
/** Its first line says whether it is a shell script. */
const SCRIPT_WITHOUT_EXTENSION =
  /(?:^|\/)(?:s?bin|libexec|scripts?|tools?|ops|ci|hack|hooks|\.?githooks|\.husky|init\.d|cron\.\w+|deploy)\/[a-z][^./]*$/;
const SHELLS: Readonly<Record<string, ShellScript["shell"]>> = {
  ash: "dash",
  bash: "bash",
  dash: "dash",
  ksh: "ksh",
  sh: "sh",
};

export function hasShell({ path, language }: Pick<AnalysedFile, "path" | "language">): boolean {
  // A test framework has its own syntax in .bats files.
  if (language === "bash") return !/\.(?:bats|zsh)$/.test(path);
  if (language === "unknown") return SCRIPT_WITHOUT_EXTENSION.test(path);
  return language === "dockerfile" || WORKFLOW.test(path);
}

export function scriptsIn({ path, language, text }: AnalysedFile): readonly ShellScript[] {
  const lines = text.split("\n");
  if (language === "dockerfile") return inDockerfile(lines);
  if (WORKFLOW.test(path)) return inWorkflow(lines);
  const shebang = /^#!\s*(?:\S*\/env\s+(?:-\S+\s+)*)?(?:\S*\/)?([^\s/]+)/.exec(lines[0] ?? "")?.[1];
  const shell = SHELLS[shebang ?? (language === "bash" ? "bash" : "")];
  return shell === undefined ? [] : [{ shell, lines, firstLine: 1 }];
}

/** Steps that PowerShell, Python or an unknown shell runs are left out. */
function inWorkflow(lines: readonly string[]): readonly ShellScript[] {
  const mayBeWindows = lines.some((line) => /windows/i.test(line));
  const hasOtherDefault = lines.some(
    (line, index) =>
      /^\s*shell:/.test(line) && !/\b(?:ba)?sh\b/.test(line) && /^\s*run:\s*$/.test(lines[index - 1] ?? ""),
  );
  if (hasOtherDefault) return [];
  return lines.flatMap((line, index) => {
    const [found, indent = "", dash = "", rest = ""] = /^( *)(- +)?run:[ \t]+(.*)$/.exec(line) ?? [];
    if (found === undefined) return [];
    const depth = indent.length + dash.length;
    const shell = shellOfStep(lines, index, depth);
    if (shell === null || (shell === undefined && mayBeWindows)) return [];
    const chosen = shell ?? "bash";
    if (/^\|[-+]?\d?[-+]?\s*(?:#.*)?$/.test(rest)) {
      const end = lines.findIndex((each, at) => at > index && each.trim() !== "" && indentOf(each) <= depth);
      const block = lines.slice(index + 1, end === -1 ? undefined : end);
      const cut = Math.min(...block.filter((each) => each.trim() !== "").map(indentOf));
      if (!Number.isFinite(cut)) return [];
      return [
        { shell: chosen, lines: block.map((each) => hideExpressions(each.slice(cut))), firstLine: index + 2 },
      ];
    }
    // Quotes and folded blocks change the text.
    if (/^["'>|&*!]/.test(rest) || rest.includes(" #") || rest === "") return [];
    return [{ shell: chosen, lines: [hideExpressions(rest)], firstLine: index + 1 }];
  });
}

/** The `shell:` of the step; undefined when it has none, null when we don't know it. */
function shellOfStep(
  lines: readonly string[],
  index: number,
  depth: number,
): ShellScript["shell"] | null | undefined {
  const isOther = (line: string): boolean => line.trim() !== "" && indentOf(line) < depth;
  const isStart = (line: string): boolean => /^\s*- /.test(line) && indentOf(line) === depth - 2;
  let start = index;
  while (start > 0 && !isStart(lines[start] ?? "") && !isOther(lines[start] ?? "")) start--;
  let end = index + 1;
  while (end < lines.length && !isOther(lines[end] ?? "")) end++;
  const own = lines
    .slice(start, end)
    .map((line) => /^( *)(- +)?shell:\s*["']?([^\s"']+)/.exec(line))
    .find((found) => found !== null && (found[1] ?? "").length + (found[2] ?? "").length === depth);
  return own === undefined || own === null ? undefined : (SHELLS[own[3] ?? ""] ?? null);
}

/** An expression becomes a variable of the same length, so that columns stay and its value is unknown. */
function hideExpressions(line: string): string {
  return line.replaceAll(/\$\{\{(.*?)\}\}/g, (_, inner: string) => `\${${"x".repeat(inner.length + 2)}}`);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Options of `RUN` itself, with the continued lines between them and the command. */
const RUN_OPTIONS = /^(?:\s|\\(?:\n|$)|--[a-z][\w-]*(?:=(?:[^\s\\]|\\(?!\n))*)?(?=\s|\\\n))*/;

function inDockerfile(lines: readonly string[]): readonly ShellScript[] {
  // Another shell, or a directive that changes the escape character.
  if (lines.some((line) => /^\s*SHELL\s/i.test(line) && !/\b(?:ba)?sh\b/.test(line))) return [];
  if (/^#\s*escape\s*=\s*`/m.test(lines.slice(0, 3).join("\n"))) return [];
  const shell = lines.some((line) => /^\s*SHELL\s.*\bbash\b/i.test(line)) ? "bash" : "sh";
  const scripts: ShellScript[] = [];
  for (let index = 0; index < lines.length; index++) {
    const [instruction] = /^\s*RUN\s+/i.exec(lines[index] ?? "") ?? [];
    if (instruction === undefined) continue;
    const rest = (lines[index] ?? "").slice(instruction.length);
    const start = index;
    while (/\\\s*$/.test(lines[index] ?? "") || (index > start && /^\s*(?:#|$)/.test(lines[index] ?? "")))
      if (++index >= lines.length) break;
    const more = lines.slice(start + 1, index + 1).map((line) => (/^\s*(?:#|$)/.test(line) ? "\\" : line));
    const body = [rest, ...more].map((line) => line.replace(/\\\s+$/, "\\")).join("\n");
    const [options = ""] = RUN_OPTIONS.exec(body) ?? [];
    const command = body.slice(options.length).split("\n");
    // The exec form and here-documents aren't shell commands on these lines.
    if (/^\[|<<|^--|^$/.test(command[0] ?? "")) continue;
    scripts.push({ shell, lines: command, firstLine: start + options.split("\n").length });
  }
  return scripts;
}
