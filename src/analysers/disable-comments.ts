/**
 * Comments that switch a linter's checks off. A tool never sees them: they are part of the change, and a change must not
 * decide alone what is reported about it. We read them ourselves, and judging decides what each may hide.
 */
import type { AnalyserName } from "./analyser.ts";
import type { Diagnostic } from "./engine.ts";

/** The lines and rules that one comment switches off. */
type Disabled = {
  /** 1-based and inclusive. */
  readonly from: number;
  readonly to: number;
  /** Lower case; null: every rule. */
  readonly rules: readonly string[] | null;
  readonly reason: string | null;
};

type Comments = {
  /** The text of the same length without a comment that the tool obeys. */
  readonly hide: (text: string) => string;
  readonly read: (lines: readonly string[]) => readonly Disabled[];
  readonly isNamed: (rule: string, named: string) => boolean;
};

const WITHOUT_REASON = "a disable comment without a reason";

/** Longer lines are data. No comment is read from them. */
const MAX_LINE_CHARS = 2_000;

const COMMENTS: Readonly<Record<AnalyserName, Comments>> = {
  oxlint: {
    hide: (text) => text.replaceAll(/\b(eslint|oxlint)-(?=disable|enable)/g, "$1."),
    read: readEslint,
    // `@typescript-eslint/no-this-alias` and `typescript/no-this-alias` are the same rule.
    isNamed: (rule, named) => lastPart(rule) === lastPart(named),
  },
  ruff: {
    hide: (text) =>
      text.replaceAll(/\bnoqa\b/gi, "no.a").replaceAll(/(#\s{0,8})(ruff|flake8|isort):/gi, "$1$2."),
    read: readNoqa,
    isNamed: (rule, named) => rule.startsWith(named),
  },
  shellcheck: {
    hide: (text) => text.replaceAll(/#[ \t]{0,8}shellcheck[ \t][^\n]*/g, hideDirective),
    read: readShellcheck,
    isNamed: (rule, named) => named === "all" || rule === (named.startsWith("sc") ? named : `sc${named}`),
  },
  // It has no comments of this kind.
  actionlint: { hide: (text) => text, read: () => [], isNamed: () => false },
};

/** The text for the tool, with every line and column at its place. */
export function hideDisableComments(tool: AnalyserName, text: string): string {
  return COMMENTS[tool].hide(text);
}

/** A function that gives the reason of the comment that covers a diagnostic; null when none does. */
export function disabledIn(
  tool: AnalyserName,
  lines: readonly string[],
): (found: Pick<Diagnostic, "rule" | "line" | "endLine">) => string | null {
  const { read, isNamed } = COMMENTS[tool];
  const all = read(lines.map((line) => (line.length > MAX_LINE_CHARS ? "" : line)));
  return ({ rule, line, endLine }) => {
    const id = rule.toLowerCase();
    const covers = ({ from, to, rules }: Disabled): boolean =>
      [line, endLine].some((each) => from <= each && each <= to) &&
      (rules === null || rules.some((named) => isNamed(id, named)));
    const found = all.find(covers);
    return found === undefined ? null : (found.reason ?? WITHOUT_REASON);
  };
}

function lastPart(rule: string): string {
  return rule.slice(rule.lastIndexOf("/") + 1);
}

/** Starts a comment, or continues one over several lines. */
const ESLINT =
  /(?:\/\/|\/\*|^[ \t]*\*?)[ \t*]{0,8}(?:eslint|oxlint)-(disable|enable)(-next-line|-line)?(?=\s|\*|$)(.*)$/;

function readEslint(lines: readonly string[]): readonly Disabled[] {
  const all: Disabled[] = [];
  let open: Disabled[] = [];
  lines.forEach((text, index) => {
    const [found, verb, where, rest = ""] = ESLINT.exec(text) ?? [];
    if (found === undefined) return;
    const line = index + 1;
    const { rules, reason } = splitReason(rest.replace(/\*\/.*$/, ""), "--");
    if (verb === "enable") {
      const isEnded = (each: Disabled): boolean =>
        rules === null || each.rules?.every((rule) => rules.includes(rule)) === true;
      all.push(...open.filter(isEnded).map((each) => ({ ...each, to: line })));
      open = open.filter((each) => !isEnded(each));
    } else if (where === undefined) open.push({ from: line, to: lines.length, rules, reason });
    else {
      const at = where === "-line" ? line : line + 1;
      all.push({ from: at, to: at, rules, reason });
    }
  });
  return [...all, ...open];
}

/** `rule, rule SEPARATOR reason`. */
function splitReason(text: string, separator: string): Pick<Disabled, "rules" | "reason"> {
  const at = text.indexOf(separator);
  const names = at === -1 ? text : text.slice(0, at);
  const reason = at === -1 ? "" : text.slice(at + separator.length).trim();
  return { rules: namesIn(names), reason: reason === "" ? null : reason };
}

/** Null when there is none. */
function namesIn(text: string): readonly string[] | null {
  const names = text
    .split(/[\s,]+/)
    .filter((name) => name !== "")
    .map((name) => name.toLowerCase());
  return names.length === 0 ? null : names;
}

const NOQA = /#[^#]{0,40}?(\b(?:ruff|flake8)\s?:\s?)?\bnoqa\b(?:\s?:\s?((?:[a-z]+\d+[\s,]*)+))?(.*)$/i;
const RUFF_RANGE = /#\s?ruff\s?:\s?(disable|enable|ignore|file-ignore)\[([^\]]*)\](.*)$/i;

function readNoqa(lines: readonly string[]): readonly Disabled[] {
  const all: Disabled[] = [];
  lines.forEach((text, index) => {
    const line = index + 1;
    const range = RUFF_RANGE.exec(text);
    if (range !== null) {
      const [, verb = "", named = "", rest = ""] = range;
      if (/^enable$/i.test(verb)) return;
      const whole = /^file/i.test(verb);
      const to = /^ignore$/i.test(verb) ? line : endOfRange(lines, index);
      all.push({
        from: whole ? 1 : line,
        to: whole ? lines.length : to,
        rules: namesIn(named) ?? [],
        reason: trimReason(rest),
      });
      return;
    }
    const noqa = NOQA.exec(text);
    if (noqa === null) return;
    const [, whole, named = "", rest = ""] = noqa;
    all.push({
      from: whole === undefined ? line : 1,
      to: whole === undefined ? line : lines.length,
      rules: namesIn(named),
      reason: trimReason(rest),
    });
  });
  return all;
}

function endOfRange(lines: readonly string[], start: number): number {
  const end = lines.findIndex((text, index) => index > start && /#\s?ruff\s?:\s?enable\[/i.test(text));
  return end === -1 ? lines.length : end + 1;
}

/** Null when only punctuation is left. */
function trimReason(text: string): string | null {
  const reason = text.replace(/^[\s:#–—-]+/, "").trim();
  return reason === "" ? null : reason;
}

const SHELLCHECK = /^[ \t]*#[ \t]*shellcheck[ \t][^#]*?\bdisable=([\w,-]+)(.*)$/;

/** A comment before the first command covers the file, any other one the next command with its block. */
function readShellcheck(lines: readonly string[]): readonly Disabled[] {
  return lines.flatMap((text, index) => {
    const [found, named = "", rest = ""] = SHELLCHECK.exec(text) ?? [];
    if (found === undefined) return [];
    const isFirst = lines.slice(0, index).every(isCommentOrBlank);
    const next = lines.findIndex((each, at) => at > index && !isCommentOrBlank(each));
    if (!isFirst && next === -1) return [];
    const [from, to] = isFirst ? [1, lines.length] : [next + 1, endOfCommand(lines, next)];
    const reason = /#(.*)$/.exec(rest)?.[1] ?? "";
    return [{ from, to, rules: namesIn(named), reason: trimReason(reason) }];
  });
}

function isCommentOrBlank(line: string): boolean {
  return /^[ \t]*(?:#|$)/.test(line);
}

/** The last line that continues the command, or that is indented more than it. */
function endOfCommand(lines: readonly string[], start: number): number {
  const depth = indentOf(lines[start] ?? "");
  let end = start;
  while (end + 1 < lines.length) {
    const isContinued = lines[end]?.endsWith("\\") === true;
    const next = lines[end + 1] ?? "";
    if (!isContinued && (next.trim() === "" || indentOf(next) <= depth)) break;
    end++;
  }
  return end + 1;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Keeps the shell's name, which reads no file and says how to parse the script. */
function hideDirective(comment: string): string {
  const shell = /\bshell=\w+/.exec(comment)?.[0];
  return (shell === undefined ? "#" : `# shellcheck ${shell}`).padEnd(comment.length);
}
