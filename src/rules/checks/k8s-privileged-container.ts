/**
 * Privileged containers. Only `privileged` under a `securityContext` counts. DaemonSets are ignored, because they often
 * manage the node itself.
 */
import type { AddedLine } from "../../review/change/walk-hunks.ts";
import type { FileView, LineRule, RuleMatch } from "../rule.ts";
import { shownLines } from "../lines/shown-lines.ts";

/** A security context has few settings, so its key is close above. */
const MAX_LINES_ABOVE = 12;

/** The key this line belongs to: the nearest line above with less indentation. Null when the hunk doesn't show it. */
function parentKey({ line, text }: AddedLine, file: FileView): string | null {
  const indent = text.search(/\S/);
  const lines = shownLines(file);
  for (let above = line - 1; above >= Math.max(1, line - MAX_LINES_ABOVE); above--) {
    const candidate = lines.get(above);
    if (candidate === undefined) return null;
    if (candidate.trim() === "" || /^\s*#/.test(candidate) || candidate.search(/\S/) >= indent) continue;
    return candidate.trim();
  }
  return null;
}

/** Manifests start with their kind; few are longer than this. */
const MAX_LINES_TO_KIND = 300;

function isInDaemonSet({ line }: AddedLine, file: FileView): boolean {
  const lines = shownLines(file);
  for (let above = line - 1; above >= Math.max(1, line - MAX_LINES_TO_KIND); above--) {
    const text = lines.get(above);
    if (text === undefined || text.startsWith("---")) return false;
    if (text.startsWith("kind:")) return /\bDaemonSet\b/.test(text);
  }
  return false;
}

const TEMPLATE_START = /\{\{-?\s*(?:if|else|with|range)\b/;
const TEMPLATE_END = /\{\{-?\s*end\b/;
const TEMPLATE_ALTERNATIVE = /\{\{-?\s*else\b/;

/** Whether a template writes the line only if someone asks for it. As far as the hunk shows the file. */
function isInCondition({ line }: AddedLine, file: FileView): boolean {
  const lines = shownLines(file);
  let ended = 0;
  for (let above = line - 1; above >= Math.max(1, line - MAX_LINES_TO_KIND); above--) {
    const text = lines.get(above);
    if (text === undefined) return false;
    if (TEMPLATE_END.test(text) && !TEMPLATE_START.test(text)) ended++;
    else if (TEMPLATE_START.test(text) && !TEMPLATE_END.test(text)) {
      if (ended === 0) return true;
      if (!TEMPLATE_ALTERNATIVE.test(text)) ended--;
    }
  }
  return false;
}

function check(line: AddedLine, file: FileView): RuleMatch | null {
  if (!/^\s+privileged:\s*["']?true["']?\s*(?:#.*)?$/.test(line.text)) return null;
  if (!/^(?:-\s+)?securityContext:/.test(parentKey(line, file) ?? "") || isInDaemonSet(line, file))
    return null;
  if (isInCondition(line, file)) return null;
  return { line: line.line };
}

export const k8sPrivilegedContainer: LineRule = {
  kind: "line",
  id: "k8s-privileged-container",
  title: "Container runs in privileged mode",
  severity: "major",
  category: "security",
  why: "A privileged container can access every device, every other container and the node itself, so an attacker who compromises it controls the node.",
  fix: "Remove `privileged: true` and add only the capabilities the container needs.",
  languages: ["yaml"],
  check,
};
