/** The receipt as a picture: a block for each file, as wide as it has lines, with a look for what became of them. */
import { count, grouped } from "../../base/count.ts";
import { type Html, html } from "../components/html.ts";
import { dataTable } from "../components/data-table.ts";
import type { ReviewView } from "../../review/publication/review-view.ts";

type Entry = ReviewView["receipt"][number];

const LOOKS = {
  reviewed: "r-read",
  carried: "r-carried",
  omitted: "r-omitted",
  unreviewable: "r-none",
} as const;
const WORDS = {
  reviewed: "read",
  carried: "read by an earlier review",
  omitted: "skipped",
  unreviewable: "not readable",
} as const;

const WIDTH = 800;
const ROW = 18;
const GAP = 2;
const MIN_BLOCK = 6;

/** Files of that many rows of blocks; the table has them all. */
const MAX_ROWS = 20;

export function receiptPicture({ receipt, coverage, moreFiles }: ReviewView): Html {
  const blocks = layOut(receipt);
  const rows = Math.min(MAX_ROWS, (blocks.at(-1)?.row ?? 0) + 1);
  const used = Object.keys(LOOKS).filter((status) => receipt.some((entry) => entry.status === status));
  const summary = `${grouped(coverage.reviewedLines + coverage.carriedLines)} of ${grouped(coverage.addedLines)} added lines read`;
  return html`<figure class="receipt">
    <figcaption>${summary}${coverage.isComplete ? "" : "; the review is incomplete"}</figcaption>
    <svg
      viewBox="0 0 ${WIDTH} ${rows * (ROW + GAP)}"
      role="img"
      aria-label="${summary}; the files follow as a table"
    >
      ${blocks
        .filter(({ row }) => row < MAX_ROWS)
        .map(
          ({ entry, x, row, width }) =>
            html`<rect
              class="${LOOKS[entry.status]}"
              x="${x}"
              y="${row * (ROW + GAP)}"
              width="${width}"
              height="${ROW}"
              rx="2"
              ><title>${describe(entry)}</title></rect
            >`,
        )}
    </svg>
    <p class="legend">${used.map((status) => legend(status as Entry["status"]))}</p>
    <details>
      <summary>Files of the receipt</summary>
      ${dataTable({
        caption: "Files of the receipt",
        columns: [
          { label: "File" },
          { label: "What became of it" },
          { label: "Added lines", isNumber: true },
        ],
        rows: [...receipt]
          .toSorted((a, b) => Number(a.reason === null) - Number(b.reason === null))
          .map((entry) => [
            html`<code>${entry.path}</code>`,
            html`${WORDS[entry.status]}${entry.reason === null ? null : html` <code>${entry.reason}</code>`}`,
            grouped(entry.lines),
          ]),
      })}${moreFiles === 0 ? null : html`<p class="note">And ${count(moreFiles, "more file")}.</p>`}
    </details>
  </figure>`;
}

function legend(status: Entry["status"]): Html {
  return html`<span
    ><svg viewBox="0 0 8 8" aria-hidden="true"><rect class="${LOOKS[status]}" width="8" height="8" /></svg>
    ${WORDS[status]}</span
  > `;
}

function layOut(receipt: readonly Entry[]) {
  let [x, row] = [0, 0];
  return receipt.map((entry) => {
    // The root keeps a small file visible next to a large one.
    const width = Math.min(WIDTH, Math.round(MIN_BLOCK + 4 * Math.sqrt(entry.lines)));
    if (x + width > WIDTH) [x, row] = [0, row + 1];
    const block = { entry, x, row, width };
    x += width + GAP;
    return block;
  });
}

function describe({ path, status, reason, lines }: Entry): string {
  return `${path}: ${WORDS[status]}${reason === null ? "" : ` (${reason})`}, ${grouped(lines)} added lines`;
}
