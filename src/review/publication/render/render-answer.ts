/**
 * Renders a model's answer as Markdown that is safe to publish. Places that exist at the head become links to the host; they are the only
 * links. Pure.
 */
import { maskCredentials } from "../../../base/secrets/mask-credentials.ts";
import { renderAnswerBlocks } from "./answer-blocks.ts";
import type { AnswerLinks } from "./answer-inline.ts";
import { type Citation, parseCitation } from "./citation.ts";
import { linkLines, safeUrl } from "./links.ts";
import { codeSpan, cutMarkdown, LINE_END, withoutGaps } from "./safe-markdown.ts";

/** A longer answer isn't read; a cut is marked with an ellipsis. */
export const MAX_ANSWER_CHARS = 10_000;

/** An answer with more places is a list, and each file has to be read to check them. */
export const MAX_CITATIONS = 50;

export type AnswerPlaces = {
  /** Whether the head has the file with these lines. */
  readonly isThere: (citation: Citation) => boolean;
  /** The page of the repository on its host, such as https://github.com/acme/shop; null when there is none. */
  readonly repositoryUrl: string | null;
  /** The commit that the code was read at. */
  readonly commit: string;
};

export function renderAnswer(text: string, { isThere, repositoryUrl, commit }: AnswerPlaces): string {
  const folderUrl = repositoryUrl === null ? null : safeUrl(`${repositoryUrl}/blob/${commit}`);
  return render(text, repositoryUrl, (citation, label) =>
    folderUrl !== null && isThere(citation) ? linkLines(label, citation, folderUrl) : null,
  );
}

/** The places that could be links: each once, in the order of the text, and at most MAX_CITATIONS. */
export function findCitations(text: string, repositoryUrl: string | null): readonly Citation[] {
  const found = new Map<string, Citation>();
  render(text, repositoryUrl, (citation) => {
    if (found.size < MAX_CITATIONS) found.set(JSON.stringify(citation), citation);
    return null;
  });
  return [...found.values()];
}

/** `label` is safe Markdown. */
type Link = (citation: Citation, label: string) => string | null;

function render(text: string, repositoryUrl: string | null, link: Link): string {
  const links: AnswerLinks = {
    toPlace(candidate) {
      const citation = parseCitation(candidate);
      return citation === null ? null : link(citation, codeSpan(candidate.trim()));
    },
    toTarget(target, label) {
      const citation = citationOf(target, repositoryUrl);
      return citation === null ? null : link(citation, label);
    },
  };
  const lines = cutMarkdown(maskCredentials(text), MAX_ANSWER_CHARS).split(LINE_END);
  return withoutGaps(renderAnswerBlocks(lines, links));
}

/** The file that a model's own link names: by its path here, or by its page on the host, whatever commit or branch is in it. */
function citationOf(target: string, repositoryUrl: string | null): Citation | null {
  const page = repositoryUrl === null ? null : `${repositoryUrl}/blob/`;
  const isPage = page !== null && target.startsWith(page);
  if (!isPage && /^[a-z][a-z0-9+.-]*:|^\/\/|^#/i.test(target)) return null;
  const path = isPage ? target.slice(page.length).replace(/^[^/]+\//, "") : target.replace(/^(?:\.?\/)/, "");
  const plain = decodePath(path);
  if (plain === null || plain === "" || plain.split("/").includes("..")) return null;
  // Without lines, the file begins at its first one.
  return parseCitation(plain) ?? (/[:#?]/.test(plain) ? null : { path: plain, startLine: 1, endLine: 1 });
}

function decodePath(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
