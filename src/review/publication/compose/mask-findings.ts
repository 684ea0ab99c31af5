/**
 * Keeps secrets out of everything that is published: a finding about a secret shows where it is, never its value. The
 * surrounding text stays unchanged.
 */
import type { ChangedFile } from "../../change/change.ts";
import { type DiffLine, walkHunk } from "../../change/walk-hunks.ts";
import type { Anchor, Finding } from "../../findings/finding.ts";
import { pointsAtSecret } from "../../findings/secret-rules.ts";
import { findKeyLines } from "../../../base/secrets/key-bodies.ts";
import { findSecrets } from "../../../base/secrets/find-secrets.ts";
import { MASK, maskSecrets, maskSpans } from "../../../base/secrets/mask-secrets.ts";
import type { SecretSpan } from "../../../base/secrets/secret-span.ts";
import { isPassword, looksGenerated } from "../../../base/secrets/secret-values.ts";
import type { FrameLine } from "../publication.ts";

/** Lines that hold a secret, by place, with the known positions of the secret. */
type SecretPlaces = ReadonlyMap<string, readonly SecretSpan[]>;

type Found = { readonly finding: Finding; readonly anchor: Anchor | null };

/** The place of one line, as a key. */
function placeKey(path: string, side: Anchor["side"], line: number): string {
  return `${side}\0${line}\0${path}`;
}

/** The lines of findings of the given rules, and all lines of private keys: a single line of a key doesn't look like a secret. */
export function secretPlaces(files: readonly ChangedFile[], found: readonly Found[]): SecretPlaces {
  const places = new Map<string, SecretSpan[]>();
  for (const { finding, anchor } of found) {
    if (anchor === null || !pointsAtSecret(finding)) continue;
    for (let line = anchor.startLine; line <= anchor.endLine; line++)
      places.set(placeKey(anchor.path, anchor.side, line), []);
  }
  for (const file of files) {
    for (const hunk of file.hunks) addHunk(places, file, walkHunk(hunk));
  }
  return places;
}

/** Surrounding lines can decide whether a text is secret, so the hunk is scanned as one text. */
function addHunk(
  places: Map<string, SecretSpan[]>,
  { path, oldPath }: ChangedFile,
  lines: readonly DiffLine[],
): void {
  const text = lines.map((line) => line.text).join("\n");
  const keyLines = findKeyLines(text);
  if (keyLines.length === 0 && places.size === 0) return;
  // Removed code of a renamed file may be looked up by either path.
  const oldPaths = new Set([path, oldPath ?? path]);
  const keys = lines.map(({ oldLine, newLine }) => [
    ...(oldLine === null ? [] : Array.from(oldPaths, (each) => placeKey(each, "old", oldLine))),
    ...(newLine === null ? [] : [placeKey(path, "new", newLine)]),
  ]);
  const isKnown = keys.some((each) => each.some((key) => places.has(key)));
  for (const [index, span] of spansByLine(keyLines, lines)) {
    for (const key of keys[index] ?? []) places.set(key, [...(places.get(key) ?? []), span]);
  }
  for (const [index, span] of isKnown ? spansByLine(findSecrets(text), lines) : [])
    for (const key of keys[index] ?? []) places.get(key)?.push(span);
}

/** The part of each span on each of its lines, counted from the start of the line. */
function* spansByLine(
  spans: readonly SecretSpan[],
  lines: readonly DiffLine[],
): Generator<readonly [index: number, span: SecretSpan]> {
  let at = 0;
  let lineStart = 0;
  for (const [index, { text }] of spans.length === 0 ? [] : lines.entries()) {
    const lineEnd = lineStart + text.length;
    for (let span = spans[at]; span !== undefined && span.start <= lineEnd; span = spans[at]) {
      const start = Math.max(0, span.start - lineStart);
      const end = Math.min(text.length, span.end - lineStart);
      if (end > start) yield [index, { kind: span.kind, start, end }];
      if (span.end > lineEnd) break;
      at++;
    }
    lineStart = lineEnd + 1;
  }
}

/** The line with only its secrets masked. If their positions aren't known, everything that may be a value is masked. */
function maskLine(text: string, known: readonly SecretSpan[]): string {
  const spans = [...known, ...findSecrets(text)].filter(({ start }) => start < text.length);
  if (spans.length === 0) return KEY_HEADER.test(text) ? text : maskValue(text);
  const rest = maskSpans(text, spans, () => " ");
  return mayHoldMore(rest) ? maskValue(text) : maskSpans(text, spans, () => MASK);
}

/** The key itself begins on the next line. */
const KEY_HEADER = /-----BEGIN [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----(?:\\[nr]|["'`+\s]){0,10}$/;

/** Everything after the line's first assignment, colon or opening quote is hidden: the end of the value isn't known. */
const BEFORE_VALUE = /^[^=:"'`]{0,200}[=:"'`]/;

/** A token this long with a digit in it may itself be the secret: a user name in a URL, an access key id. */
const LONG_TOKEN = /[\w/+-]{16,}/g;

/** The line's name side stays readable: `const apiKey =[masked]`. */
function maskValue(text: string): string {
  const kept = BEFORE_VALUE.exec(text)?.[0];
  if (kept === undefined || kept.match(LONG_TOKEN)?.some((token) => /\d/.test(token))) return MASK;
  return `${kept}${MASK}`;
}

/** A value after the name of a secret. */
const NAMED_VALUE =
  /(?:pass|pwd|secret|token|key|credential|auth)[\w-]{0,40}["'\]]{0,2}[\s=:>]{1,8}["'`]?([^\s"'`,;&]{8,200})/gi;

/** True when the rest of a line looks as if it held another secret. */
function mayHoldMore(rest: string): boolean {
  const values = [...rest.matchAll(NAMED_VALUE)].map(([, value = ""]) => value);
  return values.some(isPassword) || (rest.match(LONG_TOKEN) ?? []).some(looksGenerated);
}

/** A frame keeps only the anchored lines when one of its lines is secret: keys continue on lines that no finding points at. */
export function maskFrame(
  frame: readonly FrameLine[],
  path: string,
  side: Anchor["side"],
  places: SecretPlaces,
): readonly FrameLine[] {
  const spansOf = ({ line }: FrameLine): readonly SecretSpan[] | undefined =>
    line === null ? undefined : places.get(placeKey(path, side, line));
  const hasSecret = frame.some((line) => spansOf(line) !== undefined);
  const shown = hasSecret ? frame.filter((line) => line.isAnchor) : frame;
  const texts = maskShapes(shown.map(({ text }) => text));
  return shown.map((line, index) => {
    const spans = spansOf(line);
    return { ...line, text: spans === undefined ? (texts[index] ?? "") : maskLine(line.text, spans) };
  });
}

/**
 * A finding on a secret line loses its suggestion and evidence, and its code shows everything but the secret. In other findings
 * everything shaped like a secret is masked, including a model's prose. Returns the same object when there was nothing to mask.
 */
export function maskFound<Any extends Found>(found: Any, places: SecretPlaces): Any {
  const { finding, anchor } = found;
  const isAboutSecret = pointsAtSecret(finding);
  const isHidden = isAboutSecret || isOnSecret(anchor, places);
  const lines = anchor === null ? [] : isHidden ? maskAnchor(anchor, places) : maskShapes(anchor.lines);
  const quote = isHidden ? maskQuote(finding.quote, anchor, lines) : maskSecrets(finding.quote);
  const isSame =
    quote === finding.quote &&
    lines.join("\n") === (anchor?.lines ?? []).join("\n") &&
    (finding.suggestion === null || maskSecrets(finding.suggestion) === finding.suggestion);
  const masked = maskProse(finding, anchor);
  if (isSame && !isHidden) return masked === finding ? found : { ...found, finding: masked };
  return {
    ...found,
    finding: { ...masked, quote, suggestion: null, evidence: [] },
    anchor: anchor === null ? null : { ...anchor, lines },
  };
}

function maskAnchor({ path, side, startLine, lines }: Anchor, places: SecretPlaces): readonly string[] {
  const shapes = maskShapes(lines);
  return lines.map((text, index) => {
    const spans = places.get(placeKey(path, side, startLine + index));
    return spans === undefined ? (shapes[index] ?? "") : maskLine(text, spans);
  });
}

/** The quote is the anchored code. Without an anchor, the position of the secret in it isn't known. */
function maskQuote(quote: string, anchor: Anchor | null, lines: readonly string[]): string {
  if (anchor !== null && quote !== "") return lines.join("\n");
  return quote
    .split("\n")
    .map((line) => maskLine(line, []))
    .join("\n");
}

/** Built-in rules have fixed prose. A model and other tools may repeat anything that they have read. */
function maskProse(finding: Finding, anchor: Anchor | null): Finding {
  if (finding.source === "floor") return finding;
  const title = maskSecrets(finding.title);
  const body = maskSecrets(finding.body);
  // Without a place in the change, the path is the model's own text.
  const path = anchor === null ? maskSecrets(finding.path) : finding.path;
  const isSame = title === finding.title && body === finding.body && path === finding.path;
  return isSame ? finding : { ...finding, title, body, path };
}

/** Masks the lines as one text, because a key spans lines; line breaks stay where they are. */
function maskShapes(lines: readonly string[]): readonly string[] {
  return maskSecrets(lines.join("\n")).split("\n");
}

function isOnSecret(anchor: Anchor | null, places: SecretPlaces): boolean {
  if (anchor === null) return false;
  for (let line = anchor.startLine; line <= anchor.endLine; line++) {
    if (places.has(placeKey(anchor.path, anchor.side, line))) return true;
  }
  return false;
}
