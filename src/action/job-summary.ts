/** The summary of a job: the review as Markdown, on the page of the workflow run. */

/** GitHub refuses a larger summary of a step, and then shows none. */
const MAX_SUMMARY_BYTES = 1_048_576;

const CUT =
  "\n\n**The rest of this summary is left out, because GitHub shows at most 1 MiB. The file in the output `json-file` has everything.**\n";

export type SummarySection = {
  /** One line of Markdown; null without a heading. */
  readonly heading: string | null;
  /** Markdown that is safe to publish. */
  readonly body: string;
};

/** `notes` are sentences of ours, above everything. */
export function composeJobSummary(notes: readonly string[], sections: readonly SummarySection[]): string {
  const parts = [
    ...notes.map((note) => `${note}\n`),
    ...sections.map(({ heading, body }) => (heading === null ? body : `## ${heading}\n\n${body}`)),
  ];
  return cutToBytes(`${parts.join("\n")}\n`);
}

/** Cuts between lines, so that no link or tag is cut in two. */
function cutToBytes(text: string): string {
  if (Buffer.byteLength(text) <= MAX_SUMMARY_BYTES) return text;
  const kept = Buffer.from(text).subarray(0, MAX_SUMMARY_BYTES - Buffer.byteLength(CUT));
  return `${kept.subarray(0, kept.lastIndexOf("\n") + 1).toString("utf8")}${CUT}`;
}
