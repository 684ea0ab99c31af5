/** Says in one line of safe Markdown why an edit isn't made and what to change. Pure. */
import { codeSpan, neutraliseInline } from "../publication/render/safe-markdown.ts";
import type { EditRefusal, EditRule } from "./edit.ts";

/** Paths in an answer; a model chose them. */
const MAX_SHOWN_CHARS = 200;

type Wording = (detail: string) => string;

const WORDINGS: Readonly<Record<EditRule, Wording>> = {
  "outside-repository": () => "the path leads out of the repository. Name a path from its root.",
  "git-file": () => "git uses this name for itself. Choose another path.",
  "unsafe-name": (detail) => `${neutraliseInline(detail)}. Choose another name.`,
  link: (detail) =>
    `${detail === "" ? "it" : shown(detail)} is a symbolic link, and Kodiai doesn't write through links. Name the file that it points to.`,
  submodule: (detail) =>
    `${detail === "" ? "it" : shown(detail)} is a submodule. Ask for the change in the submodule's own repository.`,
  "denied-path": (detail) =>
    `${shown(detail)} in \`write.denyPaths\` denies it. Make this edit yourself, or change \`write.denyPaths\` on the base branch.`,
  "protected-path": (detail) =>
    `it is ${neutraliseInline(detail)}. Make this edit yourself, or name the path in \`write.allowPaths\` on the base branch.`,
  "install-script": (detail) =>
    `${neutraliseInline(detail)} would run on every machine that installs the package. Make this edit yourself, or name the file in \`write.allowPaths\` on the base branch.`,
  lockfile: () =>
    "only its package manager can write it. Run it after this change, and commit the lockfile yourself.",
  "path-not-allowed": () =>
    "`write.allowPaths` doesn't list it. Make this edit yourself, or add the path to `write.allowPaths` on the base branch.",
  "case-clash": (detail) =>
    `some file systems can't tell it from ${shown(detail)}. Use that spelling, or another name.`,
  "removes-tests": (detail) =>
    `${detail === "" ? "it would remove tests" : neutraliseInline(detail)}. Ask for it in so many words, such as \`remove the tests of …\` or \`merge the tests of …\`.`,
  "not-text": () => "it isn't UTF-8 text. Edit this file yourself.",
  "hidden-text": (detail) =>
    `${neutraliseInline(detail)} has invisible characters or ones that reverse text. Ask for the change without them.`,
  "too-large": (detail) => `${neutraliseInline(detail)}. Ask for a smaller change.`,
  "too-many-files": (detail) => `${neutraliseInline(detail)}. Ask for a smaller change.`,
  "does-not-parse": (detail) => `${neutraliseInline(detail)}. Ask again, with more detail about the change.`,
  secret: (detail) =>
    `${neutraliseInline(detail)}. Load the value from the environment or a secret manager; if it's real, revoke it.`,
  "nothing-changed": () => "the edits change nothing. Ask for something that the code doesn't do yet.",
  "unexpected-entry": (detail) =>
    `${detail === "" ? "the commit has an entry that no edit asked for" : neutraliseInline(detail)}. Choose another path.`,
};

/** `**denied-path** `.github/x.yml`: …` */
export function describeEditRefusal({ rule, path, detail }: EditRefusal): string {
  return `**${rule}**${path === "" ? "" : ` ${shown(path)}`}: ${WORDINGS[rule](detail)}`;
}

function shown(text: string): string {
  return codeSpan(text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text);
}
