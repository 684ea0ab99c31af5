/**
 * Places a finding about code that the change doesn't touch: on the changed declaration that causes it, if there is exactly one that its
 * code uses, or where it is. Failures are values: the finding is recorded anyway.
 */
import type { SeenPlace } from "../review/context/prior-review.ts";
import type { ChangedFile } from "../review/change/change.ts";
import { type Located, locateFinding } from "../review/findings/anchor-finding.ts";
import type { Anchor, Finding } from "../review/findings/finding.ts";
import { namesIn } from "../review/findings/named-code.ts";
import { type ChangedDeclaration, changedDeclarations } from "./changed-declarations.ts";
import { isRefusal, openTextFile } from "./resolve-paths.ts";
import type { ReviewContext } from "./tool.ts";

/** A longer file is data. */
const MAX_SEARCHED_LINES = 20_000;

/** Shorter names are used everywhere. */
const MIN_NAME_CHARS = 3;

const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

export type OutsidePlace =
  /** A changed declaration causes it. */
  | { readonly kind: "caused"; readonly cause: ChangedDeclaration; readonly seenAt: SeenPlace }
  | { readonly kind: "seen"; readonly seenAt: SeenPlace; readonly lines: readonly string[] }
  /** The lines at which the quote occurs. */
  | { readonly kind: "ambiguous"; readonly path: string; readonly lines: readonly number[] }
  | { readonly kind: "not-found" };

const NOT_FOUND: OutsidePlace = { kind: "not-found" };

/** `located`: where its quote is in the diff. Null when it is on changed lines, or nothing else than its place there causes it. */
export async function placeOutside(
  finding: Finding,
  located: Located,
  context: ReviewContext,
): Promise<OutsidePlace | null> {
  if (finding.quote.trim() === "" || located.kind === "ambiguous") return null;
  try {
    if (located.kind === "not-found") return await placeInFile(finding, context);
    const { anchor } = located;
    if (anchor.isChanged || anchor.side === "old") return null;
    const cause = chooseCause(finding, anchor, await changedDeclarations(context), { isNamed: true });
    return cause === null ? null : { kind: "caused", cause, seenAt: placeOf(anchor) };
  } catch {
    return located.kind === "not-found" ? NOT_FOUND : null;
  }
}

async function placeInFile(finding: Finding, context: ReviewContext): Promise<OutsidePlace> {
  const file = await openTextFile(finding.path, "head", context);
  if (isRefusal(file) || file.lines.length > MAX_SEARCHED_LINES) return NOT_FOUND;
  const located = locateFinding({ ...finding, sideHint: "new" }, wholeFile(file));
  if (located.kind === "ambiguous")
    return { kind: "ambiguous", path: file.path, lines: located.anchors.map(({ startLine }) => startLine) };
  // Code that only resembles the quote may be a misquoted line of the diff.
  if (located.kind === "not-found" || located.anchor.method === "fuzzy") return NOT_FOUND;
  const seenAt = placeOf(located.anchor);
  const cause = chooseCause(finding, located.anchor, await changedDeclarations(context), { isNamed: false });
  return cause === null
    ? { kind: "seen", seenAt, lines: located.anchor.lines }
    : { kind: "caused", cause, seenAt };
}

/** The file as a diff that adds all of it, so that its quote is found as in one. */
function wholeFile({
  path,
  lines,
}: {
  readonly path: string;
  readonly lines: readonly string[];
}): ChangedFile {
  return {
    path,
    oldPath: null,
    status: "added",
    oldMode: null,
    newMode: null,
    oldBlob: null,
    newBlob: null,
    addedLines: lines.length,
    removedLines: 0,
    hunks: [{ oldStart: 0, newStart: 1, section: "", lines: lines.map((line) => `+${line}`) }],
    unreadable: null,
    cutLines: [],
  };
}

function placeOf({ path, startLine, endLine }: Anchor): SeenPlace {
  return { path, startLine, endLine };
}

/**
 * The only changed declaration that the lines use. If the finding names some of them, the others don't count. A method that it doesn't
 * name isn't certain: many classes have one of the same name. `isNamed`: the finding must name it.
 */
function chooseCause(
  { title, body, causedBy }: Finding,
  { lines }: Anchor,
  declarations: readonly ChangedDeclaration[],
  { isNamed }: { readonly isNamed: boolean },
): ChangedDeclaration | null {
  const names = new Set(
    lines
      .join("\n")
      .match(NAME)
      ?.filter((name) => name.length >= MIN_NAME_CHARS),
  );
  const used = declarations.filter(
    ({ name, anchor }) => names.has(name) && (causedBy === undefined || anchor.path === causedBy),
  );
  const said = namesIn(`${title}\n${body}`);
  const named = used.filter(({ name }) => said.has(name.toLowerCase()));
  const certain = named.length > 0 || isNamed ? named : used.filter(({ kind }) => kind !== "method");
  const [only, ...others] = certain;
  return only === undefined || others.length > 0 ? null : only;
}
