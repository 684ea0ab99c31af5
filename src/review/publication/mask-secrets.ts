/**
 * Keeps secrets out of everything that is told: a finding about a secret shows where it stands, never what it is.
 * Lines that a rule pointed at lose their values; elsewhere what has the shape of a secret is masked.
 */
import type { ChangedFile } from "../change/change.ts";
import { walkHunk } from "../change/walk-hunks.ts";
import type { Anchor, Finding } from "../findings/finding.ts";
import { findKeyLines } from "../../base/secrets/key-bodies.ts";
import { maskSecrets } from "../../base/secrets/find-secrets.ts";
import type { FrameLine } from "./publication.ts";

/** The rules whose findings stand on secrets. */
export const SECRET_RULES: ReadonlySet<string> = new Set(["secret-in-code", "dockerfile-secret"]);

/** What a masked value looks like. */
const MASK = "[hidden]";

/** Everything after the first assignment, colon or opening quote of the line goes: where a value ends is not certain. */
const BEFORE_VALUE = /^[^=:"'`]{0,200}[=:"'`]/;

/** The place of one line, as a key for a set. */
function placeKey(path: string, side: Anchor["side"], line: number): string {
  return `${side}\0${line}\0${path}`;
}

/** Places of all lines that findings of the given rules stand on. */
export function secretPlaces(
  found: readonly { readonly finding: Finding; readonly anchor: Anchor | null }[],
  secretRules: ReadonlySet<string>,
): ReadonlySet<string> {
  const places = new Set<string>();
  for (const { finding, anchor } of found) {
    if (anchor === null || finding.rule === null || !secretRules.has(finding.rule)) continue;
    for (let line = anchor.startLine; line <= anchor.endLine; line++) {
      places.add(placeKey(anchor.path, anchor.side, line));
    }
  }
  return places;
}

/** Places of all lines of private keys: one that is shown alone does not look like a secret. */
export function* keyPlaces(files: readonly ChangedFile[]): Generator<string> {
  for (const { path, hunks } of files) {
    for (const lines of hunks.map((hunk) => [...walkHunk(hunk)])) {
      const spans = findKeyLines(lines.map(({ text }) => text).join("\n"));
      let end = 0;
      let at = 0;
      for (const { text, oldLine, newLine } of spans.length === 0 ? [] : lines) {
        end += text.length + 1;
        const isKey = (spans[at]?.start ?? Number.POSITIVE_INFINITY) < end;
        while ((spans[at]?.start ?? Number.POSITIVE_INFINITY) < end) at++;
        if (isKey && oldLine !== null) yield placeKey(path, "old", oldLine);
        if (isKey && newLine !== null) yield placeKey(path, "new", newLine);
      }
    }
  }
}

/** A token this long with a digit in it may itself be the secret: a user name in a URL, an access key id. */
const LONG_TOKEN = /[\w/+-]{16,}/g;

/** The line's name side stays readable: `const apiKey =[hidden]`. */
function maskLine(text: string): string {
  const kept = BEFORE_VALUE.exec(text)?.[0];
  if (kept === undefined || kept.match(LONG_TOKEN)?.some((token) => /\d/.test(token))) return MASK;
  return `${kept}${MASK}`;
}

/** A frame keeps only its own lines when one of them is secret: keys go on for lines nobody pointed at. */
export function maskFrame(
  frame: readonly FrameLine[],
  path: string,
  side: Anchor["side"],
  places: ReadonlySet<string>,
): readonly FrameLine[] {
  const isSecret = ({ line }: FrameLine): boolean => line !== null && places.has(placeKey(path, side, line));
  const shown = frame.some(isSecret) ? frame.filter((line) => line.isAnchor) : frame;
  const texts = maskShapes(shown.map(({ text }) => text));
  return shown.map(({ kind, line, isAnchor, text }, index) => ({
    kind,
    line,
    text: line !== null && places.has(placeKey(path, side, line)) ? maskLine(text) : (texts[index] ?? ""),
    isAnchor,
  }));
}

/**
 * A finding that stands on a secret line loses its code, suggestion and evidence; in others what has the shape of a
 * secret is masked, in the words of a model too. Comes back as the same object when there was nothing to mask.
 */
export function maskFound<Found extends { readonly finding: Finding; readonly anchor: Anchor | null }>(
  found: Found,
  places: ReadonlySet<string>,
  secretRules: ReadonlySet<string>,
): Found {
  const { finding, anchor } = found;
  const isAboutSecret = finding.rule !== null && secretRules.has(finding.rule);
  const isHidden = isAboutSecret || standsOnSecret(anchor, places);
  const mask = (lines: readonly string[]): readonly string[] =>
    isHidden ? lines.map(maskLine) : maskShapes(lines);
  const quote = mask(finding.quote.split("\n")).join("\n");
  const lines = mask(anchor?.lines ?? []);
  const isSame =
    quote === finding.quote &&
    lines.join("\n") === (anchor?.lines ?? []).join("\n") &&
    (finding.suggestion === null || maskSecrets(finding.suggestion) === finding.suggestion);
  const said = maskProse(finding, anchor);
  if (isSame && !isHidden) return said === finding ? found : { ...found, finding: said };
  return {
    ...found,
    finding: { ...said, quote, suggestion: null, evidence: [] },
    anchor: anchor === null ? null : { ...anchor, lines },
  };
}

/** The prose of rules is ours. A model may write whatever it has read or been told. */
function maskProse(finding: Finding, anchor: Anchor | null): Finding {
  if (finding.source !== "model") return finding;
  const title = maskSecrets(finding.title);
  const body = maskSecrets(finding.body);
  // What has no place in the change is where the model says it is.
  const path = anchor === null ? maskSecrets(finding.path) : finding.path;
  const isSame = title === finding.title && body === finding.body && path === finding.path;
  return isSame ? finding : { ...finding, title, body, path };
}

/** Taken together, because a key spans lines; line breaks stay where they are. */
function maskShapes(lines: readonly string[]): readonly string[] {
  return maskSecrets(lines.join("\n")).split("\n");
}

function standsOnSecret(anchor: Anchor | null, places: ReadonlySet<string>): boolean {
  if (anchor === null) return false;
  for (let line = anchor.startLine; line <= anchor.endLine; line++) {
    if (places.has(placeKey(anchor.path, anchor.side, line))) return true;
  }
  return false;
}
