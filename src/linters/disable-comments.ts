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

/** Of one file, and rules of one comment. A comment that isn't read hides nothing, and a file with more takes too long. */
const MAX_COMMENTS = 1_000;
const MAX_NAMES = 100;

/**
 * Tools allow more than blanks and tabs between `#` and their word, so every character counts that isn't printable
 * ASCII. A `#` is, so each character is read once.
 */
const RUFF_COMMENT = /#[^\x21-\x7e\r\n]*(noqa|ruff|flake8|isort)/gi;
const SHELLCHECK_COMMENT = /#[^\x21-\x7e\n]*shellcheck/g;

const COMMENTS: Readonly<Record<AnalyserName, Comments>> = {
  oxlint: {
    hide: (text) => text.replaceAll(/\b(eslint|oxlint)-(?=disable|enable)/g, "$1."),
    read: readEslint,
    // `@typescript-eslint/no-this-alias` and `typescript/no-this-alias` are the same rule.
    isNamed: (rule, named) => lastPart(rule) === lastPart(named),
  },
  ruff: {
    hide: (text) => text.replaceAll(RUFF_COMMENT, (found, word: string) => found.replace(word, dotted(word))),
    read: readNoqa,
    isNamed: (rule, named) => rule.startsWith(named),
  },
  shellcheck: {
    hide: (text) => text.replaceAll(SHELLCHECK_COMMENT, (found) => found.replace("shellcheck", "shell.heck")),
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
  const all = read(lines.map((line) => (line.length > MAX_LINE_CHARS ? "" : line))).slice(0, MAX_COMMENTS);
  const byRule = new Map<string, readonly Disabled[]>();
  const commentsOn = (rule: string): readonly Disabled[] => {
    const id = rule.toLowerCase();
    const known = byRule.get(id);
    if (known !== undefined) return known;
    const found = all.filter(({ rules }) => rules === null || rules.some((named) => isNamed(id, named)));
    byRule.set(id, found);
    return found;
  };
  return ({ rule, line, endLine }) => {
    const found = commentsOn(rule).find(({ from, to }) =>
      [line, endLine].some((each) => from <= each && each <= to),
    );
    return found === undefined ? null : (found.reason ?? WITHOUT_REASON);
  };
}

/** The same word with a dot in place of its third letter. */
function dotted(word: string): string {
  return `${word.slice(0, 2)}.${word.slice(3)}`;
}

function lastPart(rule: string): string {
  return rule.slice(rule.lastIndexOf("/") + 1);
}

/** Starts a comment, or continues one over several lines. */
const ESLINT =
  /(?:\/\/|\/\*|^[ \t]*\*?)[ \t*]{0,8}(?:eslint|oxlint)-(disable|enable)(-next-line|-line)?(?=\s|\*|$)(.*)$/;

function readEslint(lines: readonly string[]): readonly Disabled[] {
  const all: Disabled[] = [];
  /** Ranges without an end, by the rule; "" for every rule. */
  const open = new Map<string, Disabled>();
  const end = (rule: string, to: number): void => {
    const range = open.get(rule);
    if (range !== undefined) all.push({ ...range, to });
    open.delete(rule);
  };
  lines.forEach((text, index) => {
    const [found, verb, where, rest = ""] = ESLINT.exec(text) ?? [];
    if (found === undefined) return;
    const line = index + 1;
    const { rules, reason } = splitReason(rest.replace(/\*\/.*$/, ""), "--");
    if (where !== undefined) {
      const at = where === "-line" ? line : line + 1;
      all.push({ from: at, to: at, rules, reason });
    } else if (verb === "enable") for (const rule of rules ?? [...open.keys()]) end(rule, line);
    else
      for (const rule of rules ?? [""]) {
        const range = { from: line, to: lines.length, rules: rule === "" ? null : [rule], reason };
        if (!open.has(rule)) open.set(rule, range);
      }
  });
  return [...all, ...open.values()];
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
    .slice(0, MAX_NAMES)
    .map((name) => name.toLowerCase());
  return names.length === 0 ? null : names;
}

const NOQA = /#[^#]{0,40}?(\b(?:ruff|flake8)\s?:\s?)?\bnoqa\b(?:\s?:\s?((?:[a-z]+\d+[\s,]*)+))?(.*)$/i;
const RUFF_RANGE = /#\s?ruff\s?:\s?(disable|enable|ignore|file-ignore)\[([^\]]*)\](.*)$/i;

const RUFF_ENABLE = /#\s?ruff\s?:\s?enable\[/i;

function readNoqa(lines: readonly string[]): readonly Disabled[] {
  const all: Disabled[] = [];
  const ends = endsOfRanges(lines);
  lines.forEach((text, index) => {
    const line = index + 1;
    const range = RUFF_RANGE.exec(text);
    if (range !== null) {
      const [, verb = "", named = "", rest = ""] = range;
      if (/^enable$/i.test(verb)) return;
      const whole = /^file/i.test(verb);
      const to = /^ignore$/i.test(verb) ? line : (ends[index] ?? line);
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

/** For each line, the last line of a range that begins there. */
function endsOfRanges(lines: readonly string[]): readonly number[] {
  let end = lines.length;
  return lines
    .toReversed()
    .map((text, index) => {
      const own = end;
      if (RUFF_ENABLE.test(text)) end = lines.length - index;
      return own;
    })
    .toReversed();
}

/** Null when only punctuation is left. */
function trimReason(text: string): string | null {
  const reason = text.replace(/^[\s:#–—-]+/, "").trim();
  return reason === "" ? null : reason;
}

const SHELLCHECK = /^[ \t]*#[ \t]*shellcheck[ \t][^#]*?\bdisable=([\w,-]+)(.*)$/;

/** A comment before the first command covers the file, any other one the next command with its block. */
function readShellcheck(lines: readonly string[]): readonly Disabled[] {
  const all: Disabled[] = [];
  // Those that wait for the next command.
  let pending: Pick<Disabled, "rules" | "reason">[] = [];
  let isFirst = true;
  lines.forEach((text, index) => {
    const [found, named = "", rest = ""] = SHELLCHECK.exec(text) ?? [];
    if (found !== undefined) {
      const reason = trimReason(/#(.*)$/.exec(rest)?.[1] ?? "");
      if (isFirst) all.push({ from: 1, to: lines.length, rules: namesIn(named), reason });
      else pending.push({ rules: namesIn(named), reason });
    }
    if (isCommentOrBlank(text)) return;
    isFirst = false;
    if (pending.length === 0) return;
    const place = { from: index + 1, to: endOfCommand(lines, index) };
    all.push(...pending.map((each) => ({ ...each, ...place })));
    pending = [];
  });
  return all;
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
