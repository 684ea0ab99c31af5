/**
 * Finds out whether what a major, or a minor below 1.0, takes away concerns this repository. Only where everything that would show it is
 * known: both versions were compared as a whole, all uses were found, the notes of the new major were read, and something shows why it's
 * a major. A minor below 1.0 needs no notes if the package is imported: often it breaks nothing, so that the exports say enough.
 */
import { containingFolder } from "../../../base/containing-folder.ts";
import { parseJsonObject, tableOf } from "../../../base/documents/json-file.ts";
import { findChangedNames } from "../../../ecosystems/changelog/changed-names.ts";
import { ecosystemOf } from "../../../ecosystems/all-ecosystems.ts";
import { isWithin } from "../../../ecosystems/api/is-within.ts";
import { breaksCallers } from "../../../ecosystems/api/uses/wanted-names.ts";
import type { UseSummary } from "../../../ecosystems/api/uses/summarize-uses.ts";
import type { ChangelogExcerpt } from "../../../ecosystems/dependency-report.ts";
import type { Changelog, Lookup } from "../../../ecosystems/lookups.ts";
import type { PackageChange } from "../../../ecosystems/package-change.ts";
import type { ApiDifference, ApiFact } from "../../../languages/api/api-difference.ts";
import type { Change } from "../../../review/change/change.ts";
import { decodeBytes } from "../../../review/change/decode-bytes.ts";
import { headOf } from "../gather-listing.ts";
import type { SearchHit } from "../../../repository/repository.ts";
import type { ReportDeps } from "./report-deps.ts";

const MAX_SEARCH_MS = 2_000;
/** More names are a rewrite. */
const MAX_SEARCHES = 40;
/** As many as an excerpt keeps; there can be more. */
const MAX_NOTES = 20;
const MAX_MANIFEST_BYTES = 1024 * 1024;

/** These name packages and their options without using them. */
const NO_USE =
  /lock(?:file)?\.(?:json|ya?ml|lockb?)$|\.lock$|(?:^|\/)(?:npm-shrinkwrap\.json|changelog[^/]*)$/i;
/** A line of package.json that requests a package. */
const REQUEST = /^\s*"[^"]+":\s*"[\^~<>=v\d*][^"]*",?\s*$/;
/** The notes lead to another text. */
const GUIDE = /\b(?:migrat|upgrad)\w*[ -](?:guide|notes|steps|instructions)|\bmigrating (?:to|from)\b/i;

/** Where the search happens. */
type Place = { readonly change: Change; readonly deps: Pick<ReportDeps, "repository" | "signal"> };

export type Known = {
  readonly api: Lookup<ApiDifference>;
  readonly uses: UseSummary | null;
  /** As it was looked up; the words of a description prove nothing. */
  readonly changelog: Lookup<Changelog>;
  /** Of what was looked up, else of the description, whose breaking notes count too. */
  readonly excerpt: Lookup<ChangelogExcerpt>;
};

/** Null: it isn't known. */
export async function findConcerns(
  change: PackageChange,
  known: Known,
  place: Place,
): Promise<readonly string[] | null> {
  const { api, uses } = known;
  if (api.kind !== "found" || uses === null || !isJudged(change)) return null;
  const { gaps, omittedCount, changes, facts } = api.value;
  const isWhole = gaps.length === 0 && omittedCount === 0 && uses.openFiles === 0;
  const isImported = uses.verdict !== "not-imported";
  const [notes, excerpt] = [valueOf(known.changelog)?.notes ?? [], valueOf(known.excerpt)];
  const areNotesKnown = isMinor(change) ? isImported || notes.length > 0 : hasMajorNotes(change, notes);
  if (!isWhole || !areNotesKnown) return null;
  // An action is always used somewhere.
  if (!isImported && isAction(change)) return null;
  const breaking = excerpt?.breaking ?? [];
  const texts = [...notes, ...(excerpt?.notes ?? [])];
  if (breaking.length >= MAX_NOTES || texts.some(({ text }) => GUIDE.test(text))) return null;
  const callers = uses.places.length > 0 ? ["call sites are affected"] : [];
  // Their uses weren't searched.
  const others = changes.filter((each) => !breaksCallers(change.ecosystem, each));
  const changed = isImported && others.length > 0 ? ["declarations that are used can have changed"] : [];
  // A major that nothing explains can break anything.
  const isExplained =
    breaking.length > 0 || changes.length > 0 || facts.some(({ kind }) => kind !== "ability-gained");
  if (!isExplained) return null;
  const search = createSearch(place);
  const ofNotes = await notesHere(breaking, search);
  const ofFacts = await factsHere(change, { facts, isImported }, search, place);
  return search.isOver() ? null : [...callers, ...changed, ...ofNotes, ...ofFacts];
}

/** Ecosystems in which everything else that a major can take away is compared too. Types are imported by another name. */
function isJudged(change: PackageChange): boolean {
  const { ecosystem, name, kind, isDirect, from } = change;
  const isRead = isAction(change) || (ecosystem === "npm" && !name.startsWith("@types/"));
  const isStep = (kind === "major" && majorOf(from?.version) >= 1) || isMinor(change);
  return isRead && isStep && isDirect === true;
}

/** Of what a file names by its repository, only actions are compared. */
const isAction = ({ ecosystem }: Pick<PackageChange, "ecosystem">): boolean =>
  ecosystemOf(ecosystem).isByReference === true;

/** Only below 1.0 does a minor break. */
const isMinor = ({ ecosystem, kind, isBreaking }: PackageChange): boolean =>
  ecosystem === "npm" && kind === "minor" && isBreaking;

const valueOf = <Value>(lookup: Lookup<Value>): Value | null =>
  lookup.kind === "found" ? lookup.value : null;

const majorOf = (version: string | undefined): number => Number(/^v?(\d+)/.exec(version ?? "")?.[1] ?? "0");

/**
 * The notes of the first version of a major say what it breaks. Of a step over several, what explains one says nothing about the others, so
 * that it isn't judged.
 */
function hasMajorNotes({ from, to }: PackageChange, notes: Changelog["notes"]): boolean {
  const next = majorOf(from?.version) + 1;
  if (majorOf(to?.version) !== next) return false;
  return notes.some(({ version }) => /^v?(\d+)(?:\.0){0,2}$/.exec(version)?.[1] === String(next));
}

type TextSearch = { readonly finds: (text: string) => Promise<boolean>; readonly isOver: () => boolean };

/** Whether the repository has a text. A search that was stopped, or is one too many, found it. */
function createSearch({ change, deps }: Place): TextSearch {
  const { repository, signal } = deps;
  let left = MAX_SEARCHES;
  return {
    isOver: () => left < 0,
    async finds(text) {
      left -= 1;
      if (repository === null || left < 0) return true;
      const accepts = ({ path, text: line }: SearchHit): boolean =>
        !NO_USE.test(path) && !(path.endsWith("package.json") && REQUEST.test(line));
      const wanted = { text, isWord: false, folder: "", accepts, maxHits: 1 };
      const { hits, endedBy } = await repository.search(headOf(change), wanted, {
        maxMs: MAX_SEARCH_MS,
        signal,
      });
      return hits.length > 0 || endedBy !== "end";
    },
  };
}

/** A note about something that can't be searched for, such as a default, concerns everyone. */
async function notesHere(
  breaking: ChangelogExcerpt["breaking"],
  { finds }: TextSearch,
): Promise<readonly string[]> {
  const here: string[] = [];
  for (const note of breaking) {
    const names = findChangedNames(note);
    let isHere = names.length === 0;
    for (const name of names) isHere ||= await finds(name.split(".").at(-1) ?? name);
    if (isHere) here.push(note);
  }
  return here;
}

async function factsHere(
  { name, ecosystem, places }: PackageChange,
  { facts, isImported }: { readonly facts: readonly ApiFact[]; readonly isImported: boolean },
  { finds }: TextSearch,
  { change, deps }: Place,
): Promise<readonly string[]> {
  // The search for its uses has asked for the machines that run an action.
  if (isAction({ ecosystem })) return [];
  const paths = new Set(places.flatMap(({ path }) => manifestsAbove(path)));
  const texts = await deps.repository?.readFiles(headOf(change), [...paths], MAX_MANIFEST_BYTES);
  const manifests = [...(texts?.values() ?? [])].flatMap((text) => {
    const manifest = parseJsonObject(decodeBytes(text));
    return manifest === null ? [] : [manifest];
  });
  /** Every range of the project is within it, and there is one. */
  const areWithin = (sections: readonly string[], key: string, range: string): boolean => {
    const own = manifests.flatMap((manifest) => sections.map((each) => tableOf(manifest[each])?.[key] ?? []));
    const ranges = own.flat();
    return ranges.length > 0 && ranges.every((each) => typeof each === "string" && isWithin(each, range));
  };
  const here: string[] = [];
  for (const fact of facts) {
    const concerns = await isHere(fact);
    if (concerns) here.push(fact.kind);
  }
  return here;

  async function isHere(fact: ApiFact): Promise<boolean> {
    switch (fact.kind) {
      case "ability-gained":
        return false;
      case "engine-raised":
        return !areWithin(["engines"], fact.engine, fact.to);
      case "peer-narrowed":
        return !areWithin(["dependencies", "devDependencies"], fact.peer, fact.to);
      case "command-removed":
        return finds(fact.command);
      case "entry-removed":
        // A configuration can name a path that no code imports. Imports were searched.
        return finds(fact.entry === name ? name : `${name}/`);
      case "require-dropped":
        // An import can be compiled to it, and a tool can load what its configuration names.
        return isImported || finds(name);
    }
  }
}

/** package.json next to a file, and in the folders above. */
function manifestsAbove(path: string): readonly string[] {
  const folder = containingFolder(path);
  const own = folder === "" ? "package.json" : `${folder}/package.json`;
  return folder === "" ? [own] : [own, ...manifestsAbove(folder)];
}
