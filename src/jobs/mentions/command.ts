/** The commands that people give Kodiai in comments, as one union. Each has a file in `commands` and a line in all-commands.ts. */

export type MentionCommand =
  | { readonly kind: "review"; readonly isFull: boolean }
  | { readonly kind: "summary" }
  | { readonly kind: "explain"; readonly finding: number | null; readonly question: string }
  | { readonly kind: "ask"; readonly question: string }
  | { readonly kind: "plan"; readonly instruction: string }
  /** "thread": the finding or the problem of the thread it was written in, or the instruction if there is none. */
  | {
      readonly kind: "fix";
      readonly findings: "thread" | "all" | number | readonly number[];
      readonly instruction: string;
      readonly isHere: boolean;
    }
  /** `apply: …` and `change: …`. */
  | { readonly kind: "change"; readonly instruction: string; readonly isHere: boolean }
  | { readonly kind: "dismiss"; readonly finding: number | null; readonly reason: string }
  | { readonly kind: "waive"; readonly finding: number | null; readonly reason: string }
  /** Takes back what people said about a finding. */
  | { readonly kind: "reopen"; readonly finding: number | null }
  | { readonly kind: "learn"; readonly text: string }
  /** Takes back a learning: `forget l1`. */
  | { readonly kind: "forget"; readonly learning: number }
  | { readonly kind: "pause" }
  | { readonly kind: "resume" }
  /** Without a number: the thread it was written in, or all of the app's threads in the conversation. */
  | { readonly kind: "resolve"; readonly finding: number | null }
  | { readonly kind: "configuration" }
  | { readonly kind: "help" }
  /** Thanks or praise, which gets a reaction. */
  | { readonly kind: "thanks" }
  /** `word` is the command that it may have meant, or what was written; for the answer. */
  | { readonly kind: "unknown"; readonly word: string };

export type CommandKind = MentionCommand["kind"];

export type CommandOf<Kind extends CommandKind> = Extract<MentionCommand, { readonly kind: Kind }>;

/** The people who may give a command: anyone who can comment, people with a merged pull request, or people with write access. */
export type CommandClass = "anyone" | "contributor" | "writer";

/** Longest free text of a command. GitHub allows 65,536 characters in a comment. */
export const MAX_WORDS_CHARS = 8_000;
