/** Edits of files that a person asked for, as values. A model or a verified suggestion proposes them; nothing here writes. */

/** A file before and after. Null: it doesn't exist on that side. Texts are decoded, with their line endings. */
export type ProposedEdit = {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
};

/**
 * Why an edit isn't made. Any of them refuses the whole request: half a change is worse than none.
 * `case-clash`: the path differs from an existing one only in case or in how its characters are composed.
 * `hidden-text`: new lines have characters that change how code looks, or that can't be seen.
 * `unexpected-entry`: the path is a folder, is below a file, or a commit has an entry that no edit asked for.
 */
export const EDIT_RULES = [
  "outside-repository",
  "git-file",
  "unsafe-name",
  "link",
  "submodule",
  "denied-path",
  "path-not-allowed",
  "case-clash",
  "removes-tests",
  "not-text",
  "hidden-text",
  "too-large",
  "too-many-files",
  "does-not-parse",
  "secret",
  "nothing-changed",
  "unexpected-entry",
] as const;
export type EditRule = (typeof EDIT_RULES)[number];

export type EditRefusal = {
  readonly rule: EditRule;
  /** "" for the request as a whole. */
  readonly path: string;
  /** The glob that denied it, the line of the secret, the limit; "" for nothing to add. */
  readonly detail: string;
};
