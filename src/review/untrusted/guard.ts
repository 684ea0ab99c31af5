/**
 * Protects a model from untrusted text: masks secrets, shows or removes hidden characters, and fences everything with an
 * unguessable delimiter. Text that a model quotes is restored, so that it can be found in the change.
 */
export type Guard = {
  /** Text that people wrote: a title, a description, a guideline. Hidden parts are removed. */
  prose(text: string): string;
  /** Code and diffs, line by line as they are: hidden characters become visible escapes. */
  code(text: string): string;
  /** Marks `content` as data, with a label. The content must have been through `prose` or `code`. */
  fence(label: string, content: string): string;
  /** A model's text without fence marks, which must never be published. */
  unfence(text: string): string;
  /** The text as it was before `code`, for a model's quotes. */
  reveal(text: string): string;
  /** Whether `reveal` would put a secret into the text. */
  holdsSecret(text: string): boolean;
  /** The number of secrets masked so far. */
  readonly secretCount: () => number;
};
