/**
 * A relative link or image in Markdown whose file isn't in the repository, and a link to a heading that a new file doesn't have.
 * Site generators resolve links in their own ways, so only targets with the ending of a source file count, and only when the
 * target's folder exists or a file of that name is elsewhere.
 */
import { containingFolder } from "../../base/containing-folder.ts";
import { createFenceReader } from "../../base/markdown.ts";
import { baseName } from "../../base/path-kinds.ts";
import { visibleLines } from "../lines/visible-lines.ts";
import { type ChangeRule, type FileView, nameOr, type RuleMatch } from "../rule.ts";

const DOCUMENT = /\.(?:md|mdx|markdown)$/i;

/** Their links are resolved where they are shown, or they aren't meant to work. */
const ELSEWHERE =
  /(?:^|\/)(?:\.github\/.*template|\.changeset\/|templates?\/|includes?\/|_?partials?\/|snippets\/|fragments?\/|shared\/|tests?\/|spec\/|fixtures?\/|testdata\/|__tests__\/|_posts\/|_drafts\/|content\/|i18n\/|locales?\/|versioned_docs\/|node_modules\/|vendor\/)|(?:^|\/)_[^/]*$/i;

const INLINE_CODE = /(`{1,3})[^`]{1,300}\1/g;
const LINK = /\]\(\s{0,4}<?([^\s()<>]{1,300})>?(?:\s{1,4}["'][^"']{0,200}["'])?\s{0,4}\)/g;
const REFERENCE = /^ {0,3}\[[^\]^]{1,100}\]:\s{1,10}<?([^\s<>]{1,300})>?/;
const IMAGE = /<img\b[^<>]{0,200}?\ssrc=["']([^"'\s]{1,300})["']/g;

const SOURCE_ENDING =
  /\.(?:md|mdx|markdown|rst|png|jpe?g|gif|svg|webp|pdf|tsx?|jsx?|mjs|cjs|py|go|rb|java|kt|rs|c|h|cc|cpp|hpp|cs|php|sh|ya?ml|json|toml|proto|sql|tf)$/i;

/** Code in nested list items is indented. Deeper lists are rare. */
const MAX_FENCE_INDENT = 12;

type Target = { readonly line: number; readonly path: string; readonly anchor: string };

/** The targets of added lines outside of code blocks. */
function targetsIn(view: FileView): readonly Target[] {
  const found: Target[] = [];
  let partOf = createFenceReader(MAX_FENCE_INDENT);
  let hunk = 0;
  for (const { line, text, isAdded, hunk: own } of visibleLines(view.file)) {
    if (own !== hunk) partOf = createFenceReader(MAX_FENCE_INDENT);
    hunk = own;
    if (partOf(text) !== "text" || !isAdded || /^(?: {4}|\t)(?!\s*[-*+\d[!])/.test(text)) continue;
    const prose = text.replaceAll(INLINE_CODE, "");
    const targets = [...prose.matchAll(LINK), ...prose.matchAll(IMAGE)].map(([, target = ""]) => target);
    const reference = REFERENCE.exec(prose)?.[1];
    for (const target of reference === undefined ? targets : [...targets, reference]) {
      const [path = "", anchor = ""] = target.split("#");
      found.push({ line, path: path.split("?")[0] ?? "", anchor });
    }
  }
  return found;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The repository path of a relative target; null when a generator or a server decides where it leads. */
function resolved(from: string, target: string): string | null {
  if (target === "" || /^(?:[a-z][\w+.-]*:|[/@~\\])|[{}$*|\\<>%]/i.test(target.replaceAll("%20", " ")))
    return null;
  const path = decoded(target);
  if (path === null || !SOURCE_ENDING.test(path)) return null;
  const parts = containingFolder(from)
    .split("/")
    .filter((part) => part !== "");
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join("/");
}

type Paths = {
  readonly folders: ReadonlySet<string>;
  readonly byName: ReadonlyMap<string, readonly string[]>;
};

function indexPaths(all: ReadonlySet<string>): Paths {
  const folders = new Set<string>();
  for (const path of all) folders.add(containingFolder(path));
  return { folders, byName: Map.groupBy(all, (path) => baseName(path).toLowerCase()) };
}

/** A path in backticks, when it can't be read as a sentence. */
function quoted(path: string): string {
  return /^[\w./ -]{1,60}$/.test(path) && !path.includes("  ") ? `\`${path}\`` : "a file";
}

/** What to say about a missing file; null when it may come from somewhere else. */
function missingFile(path: string, { folders, byName }: Paths): { readonly detail?: string } | null {
  if (folders.has(path)) return null;
  const sameName = byName.get(baseName(path).toLowerCase()) ?? [];
  const [only] = sameName;
  if (sameName.length === 1 && only !== undefined)
    return { detail: `Links start at the file's own folder; the repository has \`${only}\`.` };
  return folders.has(containingFolder(path)) ? {} : null;
}

/** GitHub's anchor of a heading. */
function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/\]\([^()]{0,300}\)|<[^<>]{0,200}>/g, "")
    .replaceAll(/[^\p{L}\p{N}\p{M}_\- ]/gu, "")
    .replaceAll(" ", "-");
}

const HEADING = /^\s{0,3}#{1,6}\s+(.{1,300})$/;
const EXPLICIT_ANCHOR = /\b(?:id|name)=["']([^"'\s]{1,200})["']|\{#([\w-]{1,200})/g;

/** The anchors of a new file, whose lines are all known; null for other files. */
function anchorsOf({ file, added }: FileView): ReadonlySet<string> | null {
  if (file.status !== "added") return null;
  const anchors = new Set<string>();
  const copies = new Map<string, number>();
  for (const [index, { text }] of added.entries()) {
    for (const [, id, heading] of text.matchAll(EXPLICIT_ANCHOR))
      anchors.add((id ?? heading ?? "").toLowerCase());
    const isUnderlined = /^(?:=+|-+)\s*$/.test(added[index + 1]?.text ?? "");
    const heading = HEADING.exec(text)?.[1] ?? (isUnderlined ? text : null);
    if (heading === null) continue;
    const anchor = anchorOf(heading);
    const copy = copies.get(anchor) ?? 0;
    copies.set(anchor, copy + 1);
    anchors.add(copy === 0 ? anchor : `${anchor}-${copy}`);
  }
  return anchors;
}

/** A page without headings gets its anchors from elsewhere. */
const MIN_ANCHORS = 2;

function isMissingAnchor(anchor: string, anchors: ReadonlySet<string> | null): boolean {
  if (anchors === null || anchors.size < MIN_ANCHORS) return false;
  const wanted = decoded(anchor)?.toLowerCase() ?? "";
  return /^[\p{L}\p{N}_-]+$/u.test(wanted) && wanted !== "top" && !anchors.has(wanted);
}

export const brokenLink: ChangeRule = {
  kind: "change",
  id: "broken-link",
  title: "Broken link: the file or heading doesn't exist",
  severity: "medium",
  category: "documentation",
  why: "Readers who follow the link don't get to the text it promises, and a missing image is shown as broken.",
  fix: "Correct the path or the anchor, or add the missing file to this change.",
  confidence: 0.9,
  *check({ files, repositoryPaths }): Iterable<RuleMatch & { readonly path: string }> {
    if (repositoryPaths === null) return;
    let paths: Paths | null = null;
    for (const view of files) {
      if (!DOCUMENT.test(view.path) || ELSEWHERE.test(view.path)) continue;
      // Hugo resolves links from the page's address.
      if (repositoryPaths.has(`${containingFolder(view.path)}/_index.md`)) continue;
      const anchors = anchorsOf(view);
      for (const { line, path: target, anchor } of targetsIn(view)) {
        if (target === "" && isMissingAnchor(anchor, anchors))
          yield {
            path: view.path,
            line,
            title: `Broken link: no heading of this file has the anchor ${nameOr(anchor, "of this link")}`,
          };
        const path = resolved(view.path, target);
        if (path === null || repositoryPaths.has(path)) continue;
        paths ??= indexPaths(repositoryPaths);
        const missing = missingFile(path, paths);
        if (missing === null) continue;
        yield { path: view.path, line, title: `Broken link: ${quoted(target)} doesn't exist`, ...missing };
      }
    }
  },
};
