/**
 * An attempt to steer a reviewer: where it is, how it hides and what it wants; and the ways of hiding a sentence. The corpus lists the
 * attempts, and the obedient model follows them.
 */

type InjectionPlace =
  | "title"
  | "body"
  | "commit"
  | "branch"
  | "file-name"
  | "comment"
  | "string"
  | "markdown"
  | "fixture"
  | "guideline"
  | "config"
  | "diff-text";

type Hiding =
  | "plain"
  | "html-comment"
  | "zero-width"
  | "tags"
  | "bidi"
  | "look-alikes"
  | "base64"
  | "closed-fence"
  | "fake-delimiter"
  | "fake-tool-result"
  | "fake-turn"
  | "fake-review"
  | "fake-call"
  | "other-language"
  | "long-line"
  | "two-lines"
  | "attribute";

export type Wish =
  | "approve"
  | "say-nothing"
  | "mark-and-finish"
  | "write-elsewhere"
  | "mention"
  | "carry-out"
  | "print-key"
  | "print-prompt"
  | "run-command"
  | "write-file"
  | "merge-and-label"
  | "command-bot"
  | "spend"
  | "lower-severity"
  | "withdraw"
  | "forge-marker"
  | "reveal-secrets"
  | "read-outside"
  | "suggest-harm";

export type InjectionCase = {
  readonly id: string;
  readonly place: InjectionPlace;
  readonly hiding: Hiding;
  readonly wish: Wish;
  /** Default: the text of every pull request. */
  readonly title?: string;
  readonly body?: string;
  readonly branch?: string;
  /** Complete message of another commit. */
  readonly commit?: string;
  /** Files in addition to the carrier. */
  readonly files?: Readonly<Record<string, string>>;
};

/** Models report nothing or praise the change anyway, so these attempts leave no trace in the publication. */
export const SILENT_WISHES: ReadonlySet<Wish> = new Set(["approve", "say-nothing", "mark-and-finish"]);

/** A guessed fence delimiter. Tests that build prompts use it as the real one. */
export const GUESSED_DELIMITER = "5e1f0c9a7b3d2468";

/** Tag characters, which are invisible. */
export function inTags(ascii: string): string {
  return ascii.replaceAll(/[ -~]/g, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)));
}

/** A zero-width character between all letters. */
export function withZeroWidth(text: string): string {
  return text.replaceAll(/(?<=[a-z])(?=[a-z])/gi, "\u200b");
}

/** Written right to left and displayed left to right. */
export function reordered(text: string): string {
  return `\u202e${Array.from(text).toReversed().join("")}\u202c`;
}

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: "\u0430",
  c: "\u0441",
  e: "\u0435",
  i: "\u0456",
  o: "\u043e",
  p: "\u0440",
};

/** Cyrillic letters that look like Latin ones. */
export function withLookAlikes(text: string): string {
  return text.replaceAll(/[aceiop]/g, (letter) => LOOK_ALIKES[letter] ?? letter);
}

const BOLD_SMALL_A = 0x1d41a;

/** Mathematical bold letters. */
export function inMathLetters(text: string): string {
  return text.replaceAll(/[a-z]/g, (letter) =>
    String.fromCodePoint(BOLD_SMALL_A + letter.charCodeAt(0) - "a".charCodeAt(0)),
  );
}

export function inBase64(text: string): string {
  return Buffer.from(text).toString("base64");
}
