/** Writes trees and commits object by object and moves refs, for repositories that are too large for a work tree. */
import { execFileSync } from "node:child_process";

export type TreeEntries = Readonly<Record<string, { readonly mode: string; readonly id: string }>>;

export type TreeWriter = {
  readonly blob: (content: string) => string;
  /** Adds the entries to those of `from`, or replaces them. */
  readonly tree: (entries: TreeEntries, from?: string) => string;
  readonly commit: (tree: string, parent: string) => string;
  readonly point: (ref: string, commit: string) => void;
  readonly remove: (ref: string) => void;
  /** Nests ten equal folders in each folder: 10^`levels` files in only `levels` objects. */
  readonly bomb: (levels: number) => string;
};

export const FILE = "100644";
export const FOLDER = "040000";

export function treeWriter(folder: string): TreeWriter {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  const git = (args: readonly string[], input = ""): string =>
    execFileSync("git", [...identity, ...args], { cwd: folder, input, encoding: "utf8" }).trim();
  const blob = (content: string): string => git(["hash-object", "-w", "--stdin"], content);
  const tree = (entries: TreeEntries, from?: string): string => {
    const added = Object.entries(entries).map(
      ([name, { mode, id }]) => `${mode} ${mode === FOLDER ? "tree" : "blob"} ${id}\t${name}`,
    );
    const kept = (from === undefined ? "" : git(["ls-tree", from]))
      .split("\n")
      .filter((line) => line !== "" && !Object.hasOwn(entries, line.slice(line.indexOf("\t") + 1)));
    return git(["mktree"], [...kept, ...added].map((line) => `${line}\n`).join(""));
  };
  const ten = (entry: TreeEntries[string]): string =>
    tree(Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`${index}`, entry])));
  return {
    blob,
    tree,
    commit: (id, parent) => git(["commit-tree", id, "-p", parent, "-m", "Change"]),
    remove: (ref) => void git(["update-ref", "-d", ref]),
    point: (ref, id) => void git(["update-ref", ref, id]),
    bomb(levels) {
      let id = ten({ mode: FILE, id: blob("x\n") });
      for (let level = 1; level < levels; level++) id = ten({ mode: FOLDER, id });
      return id;
    },
  };
}
