/**
 * Renders a model's answer as Markdown that is safe to publish. Places that exist at the head become links to the host; they are the only
 * links. Pure.
 */
import { maskCredentials } from "../../../base/secrets/mask-credentials.ts";
import { type Citation, CITATION_IN_TEXT, parseCitation } from "./citation.ts";
import { linkLines, safeUrl } from "./links.ts";
import { codeSpan, neutralise } from "./safe-markdown.ts";

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
  return render(text, (citation, shown) =>
    folderUrl !== null && isThere(citation) ? linkLines(codeSpan(shown), citation, folderUrl) : null,
  );
}

/** The places that could be links: each once, in the order of the text, and at most MAX_CITATIONS. */
export function findCitations(text: string): readonly Citation[] {
  const found = new Map<string, Citation>();
  render(text, (citation) => {
    if (found.size < MAX_CITATIONS) found.set(JSON.stringify(citation), citation);
    return null;
  });
  return [...found.values()];
}

function render(text: string, link: (citation: Citation, shown: string) => string | null): string {
  return neutralise(maskCredentials(text), {
    maxChars: MAX_ANSWER_CHARS,
    rewriteLine: (line) => withoutHeading(withoutOwnLinks(line)),
    places: {
      pattern: CITATION_IN_TEXT,
      render(candidate) {
        const citation = parseCitation(candidate);
        return citation === null ? null : link(citation, candidate.trim());
      },
    },
  });
}

/** A model's own link whose text may be a place. */
const LINKED = /\[`?([^`[\]]{1,520})`?\]\([^\s()]{0,1000}\)/g;

/** Models sometimes link a place themselves. The place remains, and becomes our link. */
function withoutOwnLinks(line: string): string {
  return line.replace(LINKED, (link: string, label: string) =>
    parseCitation(label) === null ? link : `\`${label}\``,
  );
}

/** A heading would be larger than the rest of the comment. */
function withoutHeading(line: string): string {
  const [, words = ""] = /^ {0,3}#{1,6}[ \t]+([^#]{1,200})#{0,6}\s*$/.exec(line) ?? [];
  const bare = words.replaceAll("**", "").trim();
  return bare === "" ? line : `**${bare}**`;
}
