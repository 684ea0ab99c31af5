/** Lists the declarations that a change edits or removes, each with the changed line that shows it. */
import { MAX_PARSED_BYTES } from "../base/parse-limit.ts";
import { isProgramming, languageOf } from "../languages/language-of.ts";
import type { Declaration, Outline } from "../languages/outline/outline.ts";
import type { Change, ChangedFile } from "../review/change/change.ts";
import { decodeBytes } from "../review/change/decode-bytes.ts";
import { type AddedLine, addedLines, removedLines } from "../review/change/walk-hunks.ts";
import type { Anchor } from "../review/findings/finding.ts";
import type { ReadContext } from "./tool.ts";

export type ChangedDeclaration = {
  /** As code uses it: a constructor has the name of its class. */
  readonly name: string;
  readonly kind: Declaration["kind"];
  /** Its first changed line, on the old side if the change only removes lines of it. */
  readonly anchor: Anchor;
};

/** Larger changes move code around. */
const MAX_FILES = 60;

/** A file with more changed lines is rewritten, and nearly all of its declarations are changed. */
const MAX_LINES = 2_000;

/** For both sides of one file. The slowest file that isn't hostile takes a second. */
const OUTLINE_MS = 5_000;

/** Every finding outside the change needs them. */
const known = new WeakMap<Change, Promise<readonly ChangedDeclaration[]>>();

export function changedDeclarations(context: ReadContext): Promise<readonly ChangedDeclaration[]> {
  const { change } = context;
  const earlier = known.get(change);
  if (earlier !== undefined) return earlier;
  const listed = listDeclarations(context);
  known.set(change, listed);
  // The caller handles a failure. The next one tries again.
  listed.catch(() => known.delete(change));
  return listed;
}

async function listDeclarations(context: ReadContext): Promise<readonly ChangedDeclaration[]> {
  const { change, repository, head, base } = context;
  if (repository === null) return [];
  // Code that the change doesn't touch can't use a new file.
  const files = change.files
    .filter(
      ({ path, hunks, status }) => hunks.length > 0 && status !== "added" && isProgramming(languageOf(path)),
    )
    .slice(0, MAX_FILES);
  const pathsOf = (side: (file: ChangedFile) => string | null) => files.flatMap((file) => side(file) ?? []);
  const news = await repository.readFiles(head, pathsOf(pathAtHead), MAX_PARSED_BYTES);
  const olds =
    base === null
      ? new Map<string, string>()
      : await repository.readFiles(
          { commit: base },
          pathsOf(({ oldPath }) => oldPath),
          MAX_PARSED_BYTES,
        );
  const found = await Promise.all(
    files.map((file) => {
      const texts = [olds.get(file.oldPath ?? ""), news.get(pathAtHead(file) ?? "")] as const;
      return outlineBoth(file, texts, context);
    }),
  );
  return found.flat();
}

function pathAtHead({ path, status }: ChangedFile): string | null {
  return status === "deleted" ? null : path;
}

async function outlineBoth(
  file: ChangedFile,
  texts: readonly (string | undefined)[],
  { reader }: ReadContext,
): Promise<readonly ChangedDeclaration[]> {
  const language = languageOf(file.path);
  const files = texts.map((text) => ({ language, text: text === undefined ? "" : decodeBytes(text) }));
  const reading = await reader.ask("outline-files", { files }, OUTLINE_MS);
  const [before, after] = reading.kind === "read" ? reading.value : [];
  const all = [
    ...changedIn(after ?? [], addedLines(file), { path: file.path, side: "new" }),
    ...changedIn(before ?? [], removedLines(file), { path: file.path, side: "old" }),
  ];
  // The new side comes first.
  const byName = new Map<string, ChangedDeclaration>();
  for (const { fullName, ...declaration } of all)
    if (!byName.has(fullName)) byName.set(fullName, declaration);
  return [...byName.values()];
}

function changedIn(
  outline: Outline,
  lines: readonly AddedLine[],
  place: Pick<Anchor, "path" | "side">,
): readonly (ChangedDeclaration & { readonly fullName: string })[] {
  const changed = lines.slice(0, MAX_LINES);
  return outline.flatMap((declaration) => {
    const { name, containers, kind } = declaration;
    const first = changed.find(({ line }) => isOwnLine(line, declaration, outline));
    if (first === undefined) return [];
    const { line, text } = first;
    const anchor: Anchor = {
      ...place,
      startLine: line,
      endLine: line,
      lines: [text],
      method: "exact",
      isChanged: true,
    };
    const isConstructor = CONSTRUCTORS.has(name);
    const used = isConstructor ? (containers.at(-1) ?? name) : name;
    return [
      { name: used, kind: isConstructor ? "class" : kind, anchor, fullName: [...containers, name].join(".") },
    ];
  });
}

const CONSTRUCTORS: ReadonlySet<string> = new Set(["constructor", "__init__"]);

/** A function changes with the functions in it. A class that has a changed method doesn't: its other users see no difference. */
function isOwnLine(line: number, declaration: Declaration, outline: Outline): boolean {
  const has = ({ startLine, endLine }: Declaration): boolean => line >= startLine && line <= endLine;
  if (!has(declaration)) return false;
  return (
    isCallable(declaration) ||
    !outline.some(
      (other) => other !== declaration && isCallable(other) && isWithin(other, declaration) && has(other),
    )
  );
}

function isCallable({ kind }: Declaration): boolean {
  return kind === "function" || kind === "method";
}

function isWithin(inner: Declaration, outer: Declaration): boolean {
  return inner.startLine >= outer.startLine && inner.endLine <= outer.endLine;
}
