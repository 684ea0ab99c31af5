/**
 * Kodiai's part of the description of a pull request that it opened. People may write around it. A signed marker at its end has its length and
 * hashes of it and of the title, so that only text is replaced that is still exactly as Kodiai wrote it. Pure except for the hash.
 */
import { hashParts } from "../../../base/hash.ts";
import type { RepositoryRef } from "../../forge.ts";
import type { Markers, MarkerScope } from "../markers.ts";

type ProposalPart = {
  readonly before: string;
  readonly after: string;
  /** Of the title as Kodiai last wrote it. */
  readonly titleHash: string;
};

const MARKER = /\n\n(<!-- kodiai:proposal:v1:[^<>]{1,400} -->)/g;

const TITLE_HASH_CHARS = 12;

/** The branch identifies it: its number isn't known before it is open. */
export function proposalScope({ installationId, forgeId }: RepositoryRef, branch: string): MarkerScope {
  return { installationId, forgeId, number: 0, head: "", part: "proposal", request: branch };
}

export function hashOfTitle(title: string): string {
  return hashParts([title.trim()], TITLE_HASH_CHARS);
}

export function renderProposalText(
  { body, titleHash }: { readonly body: string; readonly titleHash: string },
  scope: MarkerScope,
  markers: Markers,
): string {
  const content = { bodyHash: hashParts([body]), moved: [titleHash], state: String(body.length) };
  return `${body}\n\n${markers.render(scope, content)}`;
}

/** Null if the text has no such part, or if someone changed it. GitHub's editor ends lines with a carriage return. */
export function findProposalPart(text: string, scope: MarkerScope, markers: Markers): ProposalPart | null {
  const plain = text.replaceAll("\r\n", "\n");
  for (const { 0: found, index } of plain.matchAll(MARKER)) {
    const end = index + found.length;
    const content = markers.read(scope, plain.slice(0, end));
    const start = index - Number(content?.state ?? Infinity);
    const [titleHash] = content?.moved ?? [];
    if (start < 0 || titleHash === undefined) continue;
    if (hashParts([plain.slice(start, index)]) !== content?.bodyHash) continue;
    return { before: plain.slice(0, start), after: plain.slice(end), titleHash };
  }
  return null;
}
