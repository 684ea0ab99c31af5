/** A table with a caption for readers who hear it, in a frame that scrolls on a narrow screen. */
import { type Html, html, type HtmlValue } from "./html.ts";

export type TableColumn = { readonly label: string; readonly isNumber?: true };

export type DataTableProps = {
  readonly caption: string;
  readonly columns: readonly TableColumn[];
  /** The first cell names its row. */
  readonly rows: readonly (readonly HtmlValue[])[];
};

export function dataTable({ caption, columns, rows }: DataTableProps): Html {
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
    <table>
      <caption class="heard">
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map(({ label, isNumber }) => html`<th scope="col" class="${isNumber === true ? "num" : ""}">${label}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell, index) => tableCell(cell, index, columns))}
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
}

function tableCell(cell: HtmlValue, index: number, columns: readonly TableColumn[]): Html {
  const name = columns[index]?.isNumber === true ? "num" : "";
  return index === 0
    ? html`<th scope="row" class="${name}">${cell}</th>`
    : html`<td class="${name}">${cell}</td>`;
}
