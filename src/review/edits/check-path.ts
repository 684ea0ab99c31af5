/** Decides whether a path may be written: what no configuration allows, then what the repository's own does. Pure. */
import { isLockfile } from "../analysis/marks.ts";
import type { EditRefusal, EditRule } from "./edit.ts";
import { foldName } from "./fold-path.ts";
import type { HeadTree } from "./head-tree.ts";
import type { PathRules } from "./path-rules.ts";

/** Git itself accepts 4,096; most systems fail earlier. */
const MAX_PATH_BYTES = 1_024;

/** No common file system stores longer names. */
const MAX_NAME_BYTES = 255;

export type PathPolicy = { readonly rules: PathRules; readonly tree: HeadTree };

export function checkPath(path: string, { rules, tree }: PathPolicy): EditRefusal | null {
  const found = checkForm(path) ?? checkTree(path, tree);
  if (found !== null) return { path, ...found };
  const glob = rules.denyingGlob(path);
  if (glob !== null) return { path, rule: "denied-path", detail: glob };
  if (isLockfile(path)) return { path, rule: "lockfile", detail: "" };
  const what = rules.protection(path);
  if (what !== null) return { path, rule: "protected-path", detail: what };
  return rules.isAllowed(path) ? null : { path, rule: "path-not-allowed", detail: "" };
}

type Found = { readonly rule: EditRule; readonly detail: string };

/** `.git` and what Windows calls it: `git~1` is its short name, others follow if that one is taken. */
const GIT_FOLDER = /^(?:\.git|git~\d{1,6})$/;

/** `.gitmodules` and its short names. */
const GIT_MODULES = /^(?:\.gitmodules|(?:gitmod|gi7eba)~\d{1,6})$/;

/** A short name of Windows, which can stand for a longer one that is denied. */
const SHORT_NAME = /^[^.~]{1,6}~\d{1,6}(?:\.[^.]{0,3})?$/;

/** Control characters, invisible ones, those that turn text around, and bytes that aren't UTF-8. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]/u;

/** Problems that the characters of a path alone show. */
export function checkForm(path: string): Found | null {
  // A backslash separates names on Windows.
  const names = path.split(/[\\/]/);
  if (path === "" || /^[\\/]/.test(path) || /^[A-Za-z]:/.test(path) || names.includes(".."))
    return { rule: "outside-repository", detail: "" };
  const folded = names.map(foldName);
  if (folded.some((name) => GIT_FOLDER.test(name) || GIT_MODULES.test(name)))
    return { rule: "git-file", detail: "" };
  const problem = problemOf(path, names, folded);
  return problem === null ? null : { rule: "unsafe-name", detail: problem };
}

function problemOf(path: string, names: readonly string[], folded: readonly string[]): string | null {
  if (HIDDEN.test(path)) return "it has a control or invisible character";
  if (path.includes("\\")) return "it has a backslash";
  if (names.some((name) => name === "" || name === "."))
    return "it has an empty name or a dot between slashes";
  if (names.some((name) => /[. ]$/.test(name) || name.startsWith(" ")))
    return "a name starts with a space, or ends with a space or dot";
  if (path.includes(":")) return "it has a colon";
  if (folded.some((name) => SHORT_NAME.test(name))) return "it looks like a short name of Windows";
  if (
    Buffer.byteLength(path) > MAX_PATH_BYTES ||
    names.some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES)
  )
    return "it's too long";
  return null;
}

/** Problems with an entry at the path, or at a folder above it. */
function checkTree(path: string, tree: HeadTree): Found | null {
  const names = path.split("/");
  for (let length = 1; length <= names.length; length++) {
    const part = names.slice(0, length).join("/");
    const isWhole = length === names.length;
    const kind = tree.kindOf(part);
    const at = isWhole ? "" : part;
    if (kind === "symlink") return { rule: "link", detail: at };
    if (kind === "submodule") return { rule: "submodule", detail: at };
    if (kind === "folder" && isWhole) return { rule: "unexpected-entry", detail: "a folder has this path" };
    if (kind === "file" && !isWhole) return { rule: "unexpected-entry", detail: `${part} is a file` };
    const other = kind === null ? tree.spellingsOf(part)[0] : undefined;
    if (other !== undefined) return { rule: "case-clash", detail: other };
  }
  return null;
}
