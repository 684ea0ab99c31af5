/** The files of a deep review that reported findings. */
import { stringifySafe } from "../../review/publication/render/safe-json.ts";
import type { Publication } from "../../review/publication/publication.ts";
import { modelPasses } from "../../review/publication/words.ts";
import { printableLines } from "./compose-answer-files.ts";

export type FoundWithPack = {
  readonly publication: Publication;
  /** The review as Markdown. */
  readonly report: string;
  /** The reasoning that the provider showed; "" for none. */
  readonly thinking: string;
};

export type FindingsFacts = {
  readonly question: string;
  /** Of Kodiai. */
  readonly version: string;
  /** The commits of the change; null for uncommitted work. */
  readonly base: string | null;
  readonly head: string | null;
};

/** By file name. A file without content is left out. */
export function composeFindingsFiles(
  { publication, report, thinking }: FoundWithPack,
  { version, ...facts }: FindingsFacts,
): ReadonlyMap<string, string> {
  const shown = printableLines(thinking).trim();
  return new Map([
    ...(shown === "" ? [] : [["thinking.md", `${shown}\n`] as const]),
    ["report.md", report],
    [
      "metadata.json",
      stringifySafe({
        version: 1,
        kodiai: version,
        ...facts,
        conclusion: publication.conclusion,
        findings: publication.findings.length,
        passes: modelPasses(publication),
      }),
    ],
  ]);
}
