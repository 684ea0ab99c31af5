/** Finds the types that changed signatures name, in the same file or through imports. */
import type { RelatedCandidate } from "../../../review/context/select-related-code.ts";
import type { ChangedSymbol, OutlinedFile } from "./changed-symbols.ts";
import type { CodeView } from "./code-view.ts";
import type { RelatedFiles } from "./related-files.ts";

/** Types of one change; signatures rarely have more that matter. */
const MAX_TYPES = 12;

/** The beginning of a longer type shows its shape. */
const MAX_TYPE_LINES = 24;

/** Types begin with a capital letter in every language with import rules. */
const TYPE_NAME = /\b[A-Z]\w{2,60}\b/g;

export async function findTypes(
  symbols: readonly ChangedSymbol[],
  changed: readonly OutlinedFile[],
  {
    files,
    view,
    signal,
  }: { readonly files: RelatedFiles; readonly view: CodeView | null; readonly signal: AbortSignal },
): Promise<readonly RelatedCandidate[]> {
  const named = symbols.flatMap(({ path, signature, line, isGone }) =>
    [...(signature ?? "").matchAll(TYPE_NAME)].map(([name]) => ({ path, name, changedAt: { line, isGone } })),
  );
  const wanted = [...new Map(named.map((each) => [`${each.path}\0${each.name}`, each])).values()].slice(
    0,
    MAX_TYPES,
  );
  const own = new Map(changed.map(({ file, outline }) => [file.path, outline]));
  const imported = wanted.filter(
    ({ path, name }) => own.get(path)?.every((each) => each.name !== name) === true,
  );
  const origins = view === null ? [] : await view.findOrigins(imported, signal);
  const places = [
    ...wanted
      .filter((each) => !imported.includes(each))
      .map((each) => ({ ...each, in: each.path, as: each.name })),
    ...imported.flatMap((each, index) => {
      const found = origins[index];
      const [definition] = found?.definitions ?? [];
      if (found === undefined || definition === undefined || !found.isExact) return [];
      return [{ ...each, in: definition.path, as: definition.name }];
    }),
  ];
  await files.read(places.map((place) => place.in));
  const candidates: RelatedCandidate[] = [];
  for (const place of places) {
    signal.throwIfAborted();
    const outline = await files.outlineOf(place.in);
    const declared = outline?.find(
      ({ name, kind }) => name === place.as && (kind === "type" || kind === "class"),
    );
    if (declared === undefined) continue;
    const { startLine } = declared;
    candidates.push({
      path: place.in,
      startLine,
      endLine: Math.min(declared.endLine, startLine + MAX_TYPE_LINES - 1),
      line: startLine,
      reason: "type",
      about: place.name,
      changedPath: place.path,
      changedAt: place.changedAt,
      isTest: false,
    });
  }
  return candidates;
}
