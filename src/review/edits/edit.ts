/** Edits of files that a person asked for, as values. A model or a verified suggestion proposes them; nothing here writes. */

/** A file before and after. Null: it doesn't exist on that side. Texts are decoded, with their line endings. */
export type ProposedEdit = {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Whether it may be executed. Left out: as before, and not for a new file. */
  readonly isExecutable?: boolean;
};

/** False for one that leaves the file as it is. */
export function isChanging({ before, after, isExecutable }: ProposedEdit): boolean {
  return before !== after || isExecutable !== undefined;
}

/**
 * Why an edit isn't made. Those in `LEAVING_OUT` leave out the file; any other refuses the whole request.
 * `protected-path`: the file decides what runs, who may do what, or what is secret.
 * `install-script`: the manifest would run something else when it is installed.
 * `lockfile`: only a package manager writes it.
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
  "protected-path",
  "install-script",
  "lockfile",
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

/** A person may have asked for more than policy allows. The rest is done, and the answer lists what wasn't. */
const LEAVING_OUT: ReadonlySet<EditRule> = new Set([
  "denied-path",
  "protected-path",
  "install-script",
  "lockfile",
  "path-not-allowed",
]);

export function leavesOutFile({ rule }: Pick<EditRefusal, "rule">): boolean {
  return LEAVING_OUT.has(rule);
}

export type EditRefusal = {
  readonly rule: EditRule;
  /** "" for the request as a whole. */
  readonly path: string;
  /** The glob that denied it, the line of the secret, the limit; "" for nothing to add. */
  readonly detail: string;
};
