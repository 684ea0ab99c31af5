/** Counts the dependencies that a change to a manifest adds, removes or alters, by lines that name a package and a version. */
import type { ChangedFile } from "../../change/change.ts";
import { walkHunk } from "../../change/walk-hunks.ts";

/** Manifest name → a line with one dependency; the group `name` is the package. */
const LINES: readonly (readonly [file: RegExp, line: RegExp])[] = [
  [
    /^package\.json$/,
    // Not the version of the package itself, and not the engines that it runs on.
    /^\s{1,8}"(?!version"|node"|npm"|yarn"|pnpm"|bun"|vscode")(?<name>@?[\w.-]{1,100}(?:\/[\w.-]{1,100})?)": "(?:[\^~]?\d{1,9}\.\d{1,9}\.\d|[\^~]\d|[<>]=? ?\d|workspace:|npm:|file:|link:|catalog:|git\+|github:|\*"|latest")/,
  ],
  [/^go\.mod$/, /^\s{0,8}(?:require )?(?<name>[\w-]{1,60}\.[\w./~-]{1,200}) v\d/],
  [
    /^[\w.-]{0,60}requirements[\w.-]{0,60}\.txt$/,
    /^(?<name>[A-Za-z][\w.-]{0,100})(?:\[[\w,-]{1,100}\])?\s{0,4}[=<>~!]=/,
  ],
  [
    /^cargo\.toml$/,
    /^(?!version|edition|rust-version|resolver)(?<name>[\w-]{1,100}) = (?:"[\^~=]?\d|\{.{0,200}\bversion = )/,
  ],
  [/^gemfile$/, /^\s{0,8}gem ["'](?<name>[\w-]{1,100})["']/],
];

/** 0 for files that aren't a known manifest. */
export function countDependencies({ path, hunks }: ChangedFile): number {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const pattern = LINES.find(([file]) => file.test(name))?.[1];
  if (pattern === undefined) return 0;
  const sides = { added: new Map<string, string>(), removed: new Map<string, string>() };
  for (const { kind, text } of hunks.flatMap((hunk) => [...walkHunk(hunk)])) {
    const found = pattern.exec(text)?.groups?.["name"];
    // A comma after the last entry of a list changes no dependency.
    if (found !== undefined && kind !== "context") sides[kind].set(found, text.replace(/,$/, ""));
  }
  const names = new Set([...sides.added.keys(), ...sides.removed.keys()]);
  return [...names].filter((each) => sides.added.get(each) !== sides.removed.get(each)).length;
}
