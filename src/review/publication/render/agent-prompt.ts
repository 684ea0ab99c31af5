/** A prompt for a coding agent to fix the findings of a review, once per review: an agent has the code, and needs the places. */
import { count } from "../../../base/count.ts";
import type { Publication, PublishedFinding } from "../publication.ts";
import { isAboutDescription } from "../words.ts";
import { cutChars, MAX_ITEM_CHARS } from "./list-item.ts";
import { fitBlocks } from "./markdown-blocks.ts";
import { fence } from "./safe-markdown.ts";

/** About 50 findings. An agent does better with fewer. */
const MAX_PROMPT_CHARS = 4_000;

const TASK = [
  "Fix these problems, which a review of this change found.",
  "Read the surrounding code first and check that each problem is real. If one isn't, leave its code as it is and say why.",
  "Make the smallest change that fixes each. Then run the tests that cover it.",
];

/** New findings first, then those that are still open; empty without any in a file. */
export function renderAgentPrompt({
  findings,
  stillOpen,
}: Pick<Publication, "findings" | "stillOpen">): string {
  const all = [...findings, ...stillOpen.map(({ judged }) => judged)];
  const lines = all
    .filter((finding) => !isAboutDescription(finding) && !isExplained(finding))
    .map(describeTask);
  if (lines.length === 0) return "";
  const { kept, left } = fitBlocks(lines, MAX_PROMPT_CHARS);
  const rest = left === 0 ? [] : [`… and ${count(left, "more finding")} in the review`];
  return [
    "<details>",
    "<summary>Prompt for a coding agent</summary>",
    ...fence([...TASK, "", ...kept, ...rest], "text"),
    "</details>",
    "",
  ].join("\n");
}

/** The team has explained why such code stays as it is. */
function isExplained({ taught }: PublishedFinding): boolean {
  return taught?.kind === "explained" && taught.isListed;
}

/** "(4) src/db/users.ts, line 13: SQL is built from a string". */
function describeTask({ number, finding, anchor }: PublishedFinding): string {
  const lines = anchor === null ? "" : `, ${describeLines(anchor)}`;
  const side = anchor?.side === "old" ? ", which this change removes" : "";
  const title = finding.title.replaceAll(/\s+/g, " ");
  return cutChars(`(${number}) ${finding.path}${lines}${side}: ${title}`, MAX_ITEM_CHARS);
}

function describeLines({ startLine, endLine }: { readonly startLine: number; readonly endLine: number }) {
  return startLine === endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`;
}
