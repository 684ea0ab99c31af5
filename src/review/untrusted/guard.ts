/**
 * Stands between text from outside and a model: secrets are masked, hidden characters shown or removed, everything fenced
 * with a delimiter that nobody could know. What a model quotes is turned back, so that it is found in the change again.
 */
export type Guard = {
  /** Text that people wrote: a title, a description, a guideline. Hidden parts are removed. */
  prose(text: string): string;
  /** Code and diffs, line by line as they are: hidden characters become visible escapes. */
  code(text: string): string;
  /** What a fence says: the label, and that the rest is data. `content` has been through `prose` or `code`. */
  fence(label: string, content: string): string;
  /** What a model says, without the marks of fences: nobody outside may ever see them. */
  unfence(text: string): string;
  /** The text as it was before `code`, for what a model quotes. */
  reveal(text: string): string;
  /** Whether `reveal` would put a secret into the text. */
  holdsSecret(text: string): boolean;
  /** How many secrets were masked so far. */
  readonly secretCount: () => number;
};
