/**
 * The shell code of one added line in a script, a Dockerfile or the YAML of a pipeline, with what is only talked about
 * (comments, quoted text) blanked. It reads lines, not trees, because two of the three have no shell grammar.
 */
import type { ChangedFile } from "../../change/change.ts";
import type { AddedLine } from "../../change/walk-hunks.ts";
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

/** The code of a line, or null when it holds none. Quoted text is replaced by spaces, so commands keep their place. */
export function shellCode({ text }: AddedLine, file: FileView): string | null {
  const code = withoutPrefix(text, file);
  return code === null ? null : blankQuoted(code);
}

/** The same with quoted text kept, for rules that look into quotes. */
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

/** Blanks what stands between quotes; an unclosed quote runs to the end of the line, as does a comment. */
function blankQuoted(code: string): string {
  let quote = "";
  let result = "";
  /** What was added to the result last. */
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

/** Remembered per file: a line rule asks for every line anew. */
const remembered = new WeakMap<ChangedFile, ReadonlySet<number>>();

/** True when the hunk shows that the line is text of a here-document, which is mostly printed and rarely run. */
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
