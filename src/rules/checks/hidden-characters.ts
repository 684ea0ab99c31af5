/**
 * Reports characters that are invisible, look like others, or change the display order of code. Findings name code
 * points only: the raw characters never appear in a title or a detail.
 */
import { count } from "../../base/count.ts";
import { isProgramming } from "../../languages/language-of.ts";
import { isTranslationFile } from "../../base/path-kinds.ts";
import type { FileView, LineRule, RuleMatch } from "../rule.ts";

/** A longer list of code points is of no use to the reader. */
const MAX_NAMED_CODE_POINTS = 5;

const NOT_ASCII = /[^\0-\x7f]/;
const BIDI = /[\u202a-\u202e\u2066-\u2069]/gu;
const BIDI_RANGE = /[\u202a-\u202e\u2066-\u2069]-[\u202a-\u202e\u2066-\u2069]/gu;
const BIDI_OPEN = /[\u202a\u202b\u202d\u202e\u2066-\u2068]/gu;
const BIDI_CLOSE = /[\u202c\u2069]/gu;
const RIGHT_TO_LEFT_LETTER = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;
const RIGHT_TO_LEFT_LOCALE = /(?:^|[/._-])(?:ar|he|iw|fa|ur|yi|ckb|ps|ku|sd|ug|dv)(?:[/._-])/i;
const TAGS = /[\u{e0000}-\u{e007f}]/gu;
/** The flags of England, Scotland and Wales, the only emoji made of tag characters. */
const FLAGS =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/gu;
/** A single variation selector follows a visible character; several in a row encode data. */
const SELECTOR_RUN = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{3,}/gu;
/** Invisible characters next to identifier characters. Joiners between other scripts or emoji are legitimate. */
const ZERO_WIDTH = /(?<=[\w$])[\u200b-\u200d\u2060-\u2064\ufeff\u180e]+(?=[\w$])|\u3164|\uffa0/gu;
/** An invisible character at the start or end of a string. */
const ZERO_WIDTH_AT_QUOTE =
  /(?<=["'`])[\u200b\u2060-\u2064\ufeff\u180e]+(?=[\w$])|(?<=[\w$])[\u200b\u2060-\u2064\ufeff\u180e]+(?=["'`])/gu;

const COMMENT_LINE = /^\s*(?:\/\/|\/\*|\*|#|<!--|--|;|%|"""|''')/;
const QUOTED = /"[^"]*"|'[^']*'|`[^`]*`|\/\*.*?\*\/|(?:\/\/|#).*$/g;
const WORD = /[\p{L}\p{N}_$]+/gu;
const LATIN = /[A-Za-z]/;
/** Cyrillic and Greek homoglyphs of Latin letters. */
const LOOK_ALIKES =
  "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u04bb\u051b\u051d\u0410\u0412\u0415\u0405\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0406\u0408\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf";
const MIXED_ONLY = new RegExp(`^[\\w$${LOOK_ALIKES}]+$`, "u");
const ANY_LOOK_ALIKE = new RegExp(`[${LOOK_ALIKES}]`, "gu");
const FOREIGN_WORD = /[\p{Script=Cyrillic}\p{Script=Greek}]{3}/u;

export const hiddenCharacters: LineRule = {
  kind: "line",
  id: "hidden-characters",
  title: "Invisible characters in the line",
  severity: "must-fix",
  proof: "hidden",
  category: "security",
  why: "Reviewers don't see what the compiler, the shell or a model reads. Attackers use this to smuggle code past a review.",
  fix: "Remove the characters. If the program needs them, write them as escape sequences.",
  languages: "any",
  inTests: true,
  everywhere: true,
  check(line, file) {
    if (!NOT_ASCII.test(line.text)) return null;
    return reordering(line, file) ?? carrying(line, file) ?? zeroWidth(line, file) ?? lookAlike(line, file);
  },
};

type Line = { readonly line: number; readonly text: string };

function reordering({ line, text }: Line, file: FileView): RuleMatch | null {
  const found = text.match(BIDI);
  if (found === null) return null;
  if (!isCode(file) && isTypography(text, file.path)) return null;
  return {
    line,
    title: "Bidirectional control characters change how the line is displayed",
    detail: `The line contains ${namesOf(found)}.`,
    severity: isCode(file) && file.category !== "test" && !isRange(text) ? "critical" : "medium",
    // Closed ones are how a program writes text of both directions.
    ...(isBalanced(text) ? { proof: null } : {}),
  };
}

/** True when the characters only bound ranges of a regular expression, in code that removes them. */
function isRange(text: string): boolean {
  const [ranged, rest] = [text.match(BIDI_RANGE)?.length ?? 0, text.replaceAll(BIDI_RANGE, "")];
  return ranged > 0 && rest.match(BIDI) === null;
}

/** Tag characters and runs of variation selectors, which can encode whole texts invisibly. */
function carrying({ line, text }: Line, file: FileView): RuleMatch | null {
  const tags = text.replace(FLAGS, "").match(TAGS) ?? [];
  const found = Array.from(`${tags.join("")}${(text.match(SELECTOR_RUN) ?? []).join("")}`);
  if (found.length === 0) return null;
  return {
    line,
    title: "Hidden text in invisible characters",
    detail: `The line contains ${count(found.length, "invisible character")}: ${namesOf(found)}.`,
    severity: isCode(file) ? "critical" : "must-fix",
  };
}

function zeroWidth({ line, text }: Line, file: FileView): RuleMatch | null {
  const visible = line === 1 && text.startsWith("\ufeff") ? text.slice(1) : text;
  const found = [
    ...(visible.match(ZERO_WIDTH) ?? []),
    ...(isCode(file) ? (visible.match(ZERO_WIDTH_AT_QUOTE) ?? []) : []),
  ];
  if (found.length === 0) return null;
  const detail = `The line contains ${namesOf(found.join(""))} inside a word or string.`;
  if (!isCode(file) || COMMENT_LINE.test(text)) return { line, detail, severity: "minor" };
  // A zero-width character in a text can be meant.
  return { line, detail, proof: null, severity: file.category === "test" ? "medium" : "must-fix" };
}

function lookAlike({ line, text }: Line, file: FileView): RuleMatch | null {
  if (!isCode(file) || COMMENT_LINE.test(text) || FOREIGN_WORD.test(text)) return null;
  for (const [word] of text.replace(QUOTED, " ").matchAll(WORD)) {
    const found = word.match(ANY_LOOK_ALIKE);
    if (found === null || !LATIN.test(word) || !MIXED_ONLY.test(word)) continue;
    return {
      line,
      title: "Look-alikes of Latin letters in an identifier",
      detail: `An identifier on this line mixes ${namesOf(found)} with Latin letters.`,
    };
  }
  return null;
}

function isCode(file: FileView): boolean {
  return file.category !== "docs" && !isTranslationFile(file.path) && isExecuted(file.language);
}

/** Data formats that tools act on count as code; prose and plain tables don't. */
function isExecuted(language: string): boolean {
  return isProgramming(language) || language === "yaml" || language === "toml" || language === "ini";
}

/** Bidi marks are typography in translations, and in right-to-left prose when every opening mark is closed. */
function isTypography(text: string, path: string): boolean {
  if (isTranslationFile(path)) return RIGHT_TO_LEFT_LETTER.test(text) || RIGHT_TO_LEFT_LOCALE.test(path);
  return RIGHT_TO_LEFT_LETTER.test(text) && isBalanced(text);
}

function isBalanced(text: string): boolean {
  return (text.match(BIDI_OPEN)?.length ?? 0) === (text.match(BIDI_CLOSE)?.length ?? 0);
}

function namesOf(characters: Iterable<string>): string {
  const names = new Set<string>();
  for (const character of characters) {
    names.add(`U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`);
  }
  const shown = [...names].slice(0, MAX_NAMED_CODE_POINTS).join(", ");
  return names.size > MAX_NAMED_CODE_POINTS ? `${shown} and others` : shown;
}
