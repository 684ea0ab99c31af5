/**
 * The shell code of one added line in a script, a Dockerfile or the YAML of a pipeline, with comments and quoted text
 * blanked. It reads lines, not trees, because two of the three have no shell grammar.
 */
import type { ChangedFile } from "../../review/change/change.ts";
import type { AddedLine } from "../../review/change/walk-hunks.ts";
import type { FileView } from "../rule.ts";
import { visibleLines } from "./visible-lines.ts";

export const SHELL_LANGUAGES: readonly string[] = ["bash", "dockerfile", "yaml"];

/** Keys of pipelines whose value is shell; a line of a block scalar has no key. */
const YAML_PREFIX =
  /^\s*(?:-\s+)?(?:(?:run|script|command|cmd|shell|bash|sh|before_script|after_script|install|entrypoint)\s*:\s+(?:-\s+)?)?/;
const YAML_OTHER_KEY = /^\s*(?:-\s+)?[\w.-]+\s*:(?:\s|$)/;
const DOCKER_RUN = /^\s*(?:RUN|CMD|ENTRYPOINT|HEALTHCHECK)\s+(?:--\S+\s+)*/i;
const DOCKER_OTHER =
  /^\s*(?:FROM|COPY|ADD|ENV|ARG|LABEL|EXPOSE|VOLUME|USER|WORKDIR|ONBUILD|STOPSIGNAL|SHELL|MAINTAINER)\s/;

/** The code of a line, or null when it has none. Spaces replace quoted text, so commands keep their position. */
export function shellCode({ text }: AddedLine, file: FileView): string | null {
  const code = withoutPrefix(text, file);
  return code === null ? null : blankQuoted(code);
}

/** The same with quoted text, for rules that check inside quotes. */
export function shellCodeQuoted({ text }: AddedLine, file: FileView): string | null {
  return withoutPrefix(text, file);
}

function withoutPrefix(text: string, file: FileView): string | null {
  if (/^\s*#/.test(text)) return null;
  if (file.language === "bash") return text;
  if (file.language === "dockerfile") return DOCKER_OTHER.test(text) ? null : text.replace(DOCKER_RUN, "");
  if (file.language !== "yaml" || file.category !== "infra") return null;
  const code = text.replace(YAML_PREFIX, "");
  return YAML_OTHER_KEY.test(code) ? null : code;
}

/** Blanks quoted text. An unclosed quote extends to the end of the line, like a comment. */
function blankQuoted(code: string): string {
  let quote = "";
  let result = "";
  /** The last text added to the result. */
  let last = "";
  for (let at = 0; at < code.length; at++) {
    const char = code[at] ?? "";
    if (quote !== "") {
      if (char === quote) quote = "";
      last = " ";
    } else if (char === "\\") {
      last = `${char}${code[at + 1] ?? ""}`;
      at += 1;
    } else if (char === "#" && /^[\s;]?$/.test(last)) {
      return result;
    } else if (char === '"' || char === "'") {
      quote = char;
      last = " ";
    } else last = char;
    result += last;
  }
  return result;
}

const HEREDOC_START = /<<-?\s*(["']?)([A-Za-z_]\w{0,40})\1/;

/** Cached per file, because a line rule runs once per line. */
const remembered = new WeakMap<ChangedFile, ReadonlySet<number>>();

/** True when the hunk shows that the line is in a here-document, which is usually printed and rarely run. */
export function isInHeredoc({ line }: AddedLine, { file }: FileView): boolean {
  const known = remembered.get(file) ?? heredocLines(file);
  remembered.set(file, known);
  return known.has(line);
}

function heredocLines(file: ChangedFile): ReadonlySet<number> {
  const found = new Set<number>();
  let terminator: string | null = null;
  let lastHunk = -1;
  for (const { line, text, hunk } of visibleLines(file)) {
    if (hunk !== lastHunk) terminator = null;
    lastHunk = hunk;
    if (terminator !== null) {
      found.add(line);
      if (text.trim() === terminator) terminator = null;
    } else if (!/^\s*(?:#|RUN\b)/.test(text)) {
      terminator = HEREDOC_START.exec(text)?.[2] ?? null;
    }
  }
  return found;
}
