/** The part of memory that a review used, in Markdown: similar findings, learnings, suppressions and the findings they hide. */
import { count, grouped } from "../../../base/count.ts";
import {
  describeLearning,
  describeSimilar,
  describeSuppression,
  placeOfSimilar,
  undoCommand,
} from "../describe-memory.ts";
import type { Publication } from "../publication.ts";
import { placeOf } from "../group-findings.ts";
import { pastUrl } from "./links.ts";
import { item } from "./list-item.ts";
import { codeSpan } from "./safe-markdown.ts";

/** More entries would push out other details. */
const MAX_ENTRIES = 20;

export function listMemory({ memory, dropped }: Pick<Publication, "memory" | "dropped">): readonly string[] {
  const { similar, learnings, suppressions } = memory;
  const hidden = dropped.filter(({ reason }) => reason === "suppressed:feedback");
  return [
    ...listUnder(
      `${count(similar.length, "similar earlier finding")} in the prompt`,
      similar.map((each) => {
        const place = linkTo(placeOfSimilar(each), each.url);
        return `${item(each.title)}, ${codeSpan(each.path)}, ${place} (${describeSimilar(each)})`;
      }),
    ),
    ...listUnder(
      `${count(learnings.length, "learning")} in the prompt`,
      learnings.map((each) => {
        const { provenance, owner } = each;
        const from = provenance === null ? "" : `, ${linkTo(provenance, gitHubUrl(provenance))}`;
        const by = owner === null ? "" : `, owner ${codeSpan(owner)}`;
        return `${item(each.text)} (${describeLearning(each)}${from}${by})`;
      }),
    ),
    ...listUnder(
      `${count(suppressions.length, "suppression")} by feedback in force`,
      suppressions.map(
        (each) =>
          `s${each.id}: ${item(each.title)}, ${describeSuppression(each)}. To undo: ${codeSpan(undoCommand(each))}`,
      ),
    ),
    ...listUnder(
      `${count(hidden.length, "finding")} hidden by feedback`,
      hidden.map((each) => `${item(each.finding.title)}, ${codeSpan(placeOf(each))} (${item(each.detail)})`),
    ),
  ];
}

function listUnder(heading: string, entries: readonly string[]): readonly string[] {
  if (entries.length === 0) return [];
  const rest = entries.length - MAX_ENTRIES;
  return [
    `- Memory: ${heading}`,
    ...entries.slice(0, MAX_ENTRIES).map((entry) => `  - ${entry}`),
    ...(rest > 0 ? [`  - … and ${grouped(rest)} more`] : []),
  ];
}

/** People write these addresses, so others stay text. */
function gitHubUrl(address: string): string | null {
  return address.startsWith("https://github.com/") ? address : null;
}

function linkTo(text: string, address: string | null): string {
  const url = address === null ? null : pastUrl(address);
  return url === null ? codeSpan(text) : `[${codeSpan(text)}](${url})`;
}
