/** The findings of a review in the sections that every format for people has. */
import type { OpenFinding, PublishedFinding } from "./publication.ts";
import { ANSWER_WORDS, isAboutDescription } from "./words.ts";

/** A note on a finding that is still open; null when there is nothing to add. */
export function noteOpen({ state, carriedAs }: Pick<OpenFinding, "state" | "carriedAs">): string | null {
  if (state === "contested" || state === "waived") return ANSWER_WORDS[state];
  if (state === "addressed") return "its code changed; the fix isn't confirmed";
  return carriedAs === "unchecked" ? "not checked again" : null;
}

/** The sections of every human-readable format; a finding is in exactly one. */
type FindingGroups = {
  /** Shown on their lines. */
  readonly placed: readonly PublishedFinding[];
  /** Findings whose code isn't in the change, and findings about a whole file. */
  readonly unplaced: readonly PublishedFinding[];
  /** "More findings". */
  readonly more: readonly PublishedFinding[];
};

export function groupFindings(findings: readonly PublishedFinding[]): FindingGroups {
  const shown = findings.filter(({ placement }) => placement !== "details");
  return {
    placed: shown.filter(({ anchor }) => anchor !== null),
    unplaced: shown.filter(({ anchor }) => anchor === null),
    more: findings.filter(({ placement }) => placement === "details"),
  };
}

/** True when the finding quotes no code: it is about the whole file, not misplaced. */
export function isAboutFile({ finding }: Pick<PublishedFinding, "finding">): boolean {
  return finding.quote === "";
}

/** The sections of findings without a line, in order, including empty ones. */
export function sectionUnplaced(
  unplaced: readonly PublishedFinding[],
): readonly { readonly title: string; readonly findings: readonly PublishedFinding[] }[] {
  const [described, inFiles] = [
    unplaced.filter(isAboutDescription),
    unplaced.filter((finding) => !isAboutDescription(finding)),
  ];
  return [
    { title: "About the whole change", findings: described },
    { title: "About whole files", findings: inFiles.filter(isAboutFile) },
    { title: "Couldn't be placed on a line", findings: inFiles.filter((finding) => !isAboutFile(finding)) },
  ];
}

/** "src/a.ts:3", or the path alone without an anchor. Not yet safe to print. */
export function placeOf({ finding, anchor }: Pick<PublishedFinding, "finding" | "anchor">): string {
  return anchor === null ? finding.path : `${anchor.path}:${anchor.startLine}`;
}
