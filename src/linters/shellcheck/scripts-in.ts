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

export type ScriptsIn = {
  readonly scripts: readonly ShellScript[];
  /** False: the file has shell commands in a form that isn't read here. */
  readonly isComplete: boolean;
};

export function scriptsIn({ path, language, text }: AnalysedFile): ScriptsIn {
  const lines = text.split("\n");
  if (language === "dockerfile") return inDockerfile(lines);
  if (WORKFLOW.test(path)) return inWorkflow(lines);
  const shebang = /^#!\s*(?:\S*\/env\s+(?:-\S+\s+)*)?(?:\S*\/)?([^\s/]+)/.exec(lines[0] ?? "")?.[1];
  const shell = SHELLS[shebang ?? (language === "bash" ? "bash" : "")];
  return { scripts: shell === undefined ? [] : [{ shell, lines, firstLine: 1 }], isComplete: true };
}

/** The key of a step, alone or behind a dash. */
const RUN = /^( *)(- +)?(?:run|"run"|'run')[ \t]*:[ \t]+(.*)$/;
/** The key in `{ run: make }`. */
const RUN_IN_BRACES = /[{,][ \t]*(?:run|"run"|'run')[ \t]*:/;

/** A `run:` with the lines that belong to it. */
type Run = { readonly index: number; readonly end: number; readonly depth: number; readonly value: string };

/** Steps that PowerShell, Python or an unknown shell runs are left out. */
function inWorkflow(lines: readonly string[]): ScriptsIn {
  const runs = runsIn(lines);
  // Without scripts and comments, whose words decide nothing.
  const plain = lines.map((line) => line.replace(/(?:^|\s)#.*$/, ""));
  for (const { index, end } of runs) plain.fill("", index + 1, end);
  const jobs = jobsIn(plain);
  let isComplete = !plain.some((line) => RUN_IN_BRACES.test(line));
  const scripts = runs.flatMap((run): readonly ShellScript[] => {
    const shell = shellOfStep(lines, run.index, run.depth);
    const chosen = shell === undefined ? defaultShell(plain, jobs, run.index) : shell;
    if (chosen === null) return [];
    const script = scriptOf(run, lines);
    if (script === null) isComplete = false;
    return script === null ? [] : [{ ...script, shell: chosen }];
  });
  return { scripts, isComplete };
}

function runsIn(lines: readonly string[]): readonly Run[] {
  const runs: Run[] = [];
  for (let index = 0; index < lines.length; index++) {
    const [found, indent = "", dash = "", value = ""] = RUN.exec(lines[index] ?? "") ?? [];
    if (found === undefined) continue;
    const depth = indent.length + dash.length;
    let end = index + 1;
    while (end < lines.length && (isBlank(lines[end]) || indentOf(lines[end] ?? "") > depth)) end++;
    runs.push({ index, end, depth, value: value.trimEnd() });
    index = end - 1;
  }
  return runs;
}

/** Null when its text isn't that of the lines. */
function scriptOf(
  { index, end, value }: Run,
  lines: readonly string[],
): Pick<ShellScript, "lines" | "firstLine"> | null {
  const block = lines.slice(index + 1, end);
  const filled = block.filter((line) => !isBlank(line));
  const cut = Math.min(...filled.map(indentOf));
  const [, style, comment] = /^([|>])[-+\d]{0,2}(\s+#.*)?$/.exec(value) ?? [];
  if (style === "|" || (style !== undefined && filled.length <= 1)) {
    const own = filled.length === 0 ? [] : block.map((line) => hideExpressions(line.slice(cut)));
    return { lines: own, firstLine: index + 2 };
  }
  if (style === ">") {
    if (comment !== undefined || block.some((line) => /#|\\\s*$/.test(line))) return null;
    const last = block.findLastIndex((line) => !isBlank(line));
    // Lines are folded into one, except where they are indented or an empty line is between them.
    const isFolded = (at: number): boolean =>
      at < last && [at, at + 1].every((each) => indentOf(block[each] ?? "") === cut && !isBlank(block[each]));
    const own = block.map((line, at) => `${hideExpressions(line.slice(cut))}${isFolded(at) ? " \\" : ""}`);
    return { lines: own, firstLine: index + 2 };
  }
  const quoted = /^(?:"([^"\\]*)"|'([^']*)')(?:\s+#.*)?$/.exec(value);
  const text = quoted === null ? value.replace(/\s#.*$/, "") : (quoted[1] ?? quoted[2] ?? "");
  // Escapes, anchors, and text that continues on the next line change the text.
  if (filled.length > 0 || (quoted === null && /^["'>|&*!]/.test(value))) return null;
  return { lines: [hideExpressions(text)], firstLine: index + 1 };
}

/** The first line of each job, and of what follows the last one. */
function jobsIn(plain: readonly string[]): readonly number[] {
  const start = plain.findIndex((line) => /^jobs:\s*$/.test(line)) + 1;
  const depth = indentOf(plain.slice(start).find((line) => !isBlank(line)) ?? "");
  const end = plain.findIndex((line, index) => index >= start && !isBlank(line) && indentOf(line) === 0);
  const inside = end === -1 ? plain.length : end;
  const starts = plain.flatMap((line, index) =>
    start > 0 && index >= start && index < inside && !isBlank(line) && indentOf(line) === depth
      ? [index]
      : [],
  );
  return [...starts, inside];
}

/** The shell of steps without their own; null when it isn't one of ours. On Windows it's PowerShell. */
function defaultShell(
  plain: readonly string[],
  jobs: readonly number[],
  index: number,
): ShellScript["shell"] | null {
  const job = jobs.findLastIndex((start) => start <= index);
  const own = job === -1 ? [] : plain.slice(jobs[job], jobs[job + 1]);
  const steps = own.findIndex((line) => /^\s*steps:/.test(line));
  const settings = steps === -1 ? own : own.slice(0, steps);
  const outside = [...plain.slice(0, jobs[0]), ...plain.slice(jobs.at(-1))];
  const named = shellOfDefaults(settings) ?? shellOfDefaults(outside);
  if (named !== undefined) return SHELLS[named] ?? null;
  const runner = settings
    .map((line) => /^\s*runs-on:\s*(\S.*)$/.exec(line)?.[1])
    .find((each) => each !== undefined);
  const isKnown = runner !== undefined && !runner.includes("${{");
  return /windows/i.test(isKnown ? runner : settings.join("\n")) ? null : "bash";
}

/** `shell:` below `run:` of `defaults:`. */
function shellOfDefaults(lines: readonly string[]): string | undefined {
  const at = lines.findIndex(
    (line, index) => /^\s*shell:/.test(line) && /^\s*run:\s*$/.test(lines[index - 1] ?? ""),
  );
  return at === -1 ? undefined : /:\s*["']?([^\s"']+)/.exec(lines[at] ?? "")?.[1];
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === "";
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

/** A here-document as the whole script. */
const HERE_SCRIPT = /^<<-?["']?(\w+)["']?\s*$/;

function inDockerfile(lines: readonly string[]): ScriptsIn {
  const scripts: ShellScript[] = [];
  // A directive that changes the escape character.
  const hasOtherEscape = /^#\s*escape\s*=\s*`/im.test(lines.slice(0, 3).join("\n"));
  let isComplete = true;
  let shell: ShellScript["shell"] | null = "sh";
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    if (/^\s*FROM\s/i.test(line)) shell = "sh";
    if (/^\s*SHELL\s/i.test(line)) shell = /\bbash\b/.test(line) ? "bash" : /\bsh\b/.test(line) ? "sh" : null;
    const [instruction] = /^\s*RUN\s+/i.exec(line) ?? [];
    if (instruction === undefined || shell === null) continue;
    const start = index;
    while (/\\\s*$/.test(lines[index] ?? "") || (index > start && /^\s*(?:#|$)/.test(lines[index] ?? "")))
      if (++index >= lines.length) break;
    const more = lines.slice(start + 1, index + 1).map((each) => (/^\s*(?:#|$)/.test(each) ? "\\" : each));
    const body = [line.slice(instruction.length), ...more]
      .map((each) => each.replace(/\\\s+$/, "\\"))
      .join("\n");
    const [options = ""] = RUN_OPTIONS.exec(body) ?? [];
    const command = body.slice(options.length).split("\n");
    const [first = ""] = command;
    const here = HERE_SCRIPT.exec(first);
    if (here !== null) {
      const end = lines.findIndex((each, at) => at > index && each.trim() === here[1]);
      const own = lines.slice(index + 1, end === -1 ? undefined : end);
      // Its first line can name another interpreter.
      if (own[0]?.startsWith("#!") !== true) scripts.push({ shell, lines: own, firstLine: index + 2 });
      index = end === -1 ? lines.length : end;
      continue;
    }
    // The exec form isn't a shell command.
    if (/^\[|^$/.test(first)) continue;
    if (hasOtherEscape || /<<|^--/.test(first)) isComplete = false;
    else scripts.push({ shell, lines: command, firstLine: start + options.split("\n").length });
  }
  return { scripts, isComplete };
}
