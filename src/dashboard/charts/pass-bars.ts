/** The passes of a review as bars on one time line. If it isn't known when they started, all bars begin at the same place. */
import { max } from "d3-array";
import { scaleLinear } from "d3-scale";
import type { JobFigures } from "../../store/repositories/telemetry.ts";
import { dataTable } from "../components/data-table.ts";
import { type Html, html } from "../components/html.ts";
import { amount, duration, stateMark, usd } from "../components/marks.ts";

const WIDTH = 800;
const ROW = 34;
const MAX_LABEL_CHARS = 80;

/** More bars are no picture; the table has all passes. */
const MAX_BARS = 30;

/** `starts`: in milliseconds after the first one. */
export function passBars(passes: JobFigures["modelRuns"], starts: readonly number[] | null): Html {
  const shown = passes.slice(0, MAX_BARS).map((each, index) => ({ ...each, start: starts?.[index] ?? 0 }));
  const x = scaleLinear()
    .domain([0, Math.max(1, max(shown, ({ start, ms }) => start + ms) ?? 1)])
    .range([0, WIDTH - 90]);
  return html`<figure class="passes">
    <svg
      viewBox="0 0 ${WIDTH} ${shown.length * ROW}"
      role="img"
      aria-label="When each pass ran and how long it took; the numbers follow"
    >
      ${shown.map(
        ({ pass, model, outcome, start, ms }, index) =>
          html`<text x="0" y="${index * ROW + 12}">${`${pass} · ${model}`.slice(0, MAX_LABEL_CHARS)}</text
            ><rect
              class="${outcome === "completed" ? "c1" : "c3"}"
              x="${Math.round(x(start))}"
              y="${index * ROW + 17}"
              width="${Math.max(2, Math.round(x(ms)))}"
              height="10"
              rx="2"
            /><text x="${Math.round(x(start + ms)) + 6}" y="${index * ROW + 26}">${duration(ms)}</text>`,
      )}</svg
    >${dataTable({
      caption: "Passes of models",
      columns: [
        { label: "Pass" },
        { label: "Model" },
        { label: "Outcome" },
        ...["Turns", "Tokens in", "Cached", "Tokens out", "Cost", "Began after", "Time"].map((label) => ({
          label,
          isNumber: true as const,
        })),
      ],
      rows: passes.map((each, index) => [
        each.pass,
        each.model,
        html`${stateMark(each.outcome)}${each.outcome === "completed" ? null : html` <code>${each.stop_reason}</code>`}`,
        each.turns,
        amount(each.input_tokens),
        amount(each.cached_input_tokens),
        amount(each.output_tokens),
        each.cost_micro_usd === null ? "unknown" : usd(each.cost_micro_usd),
        duration(starts?.[index] ?? null),
        duration(each.ms),
      ]),
    })}
  </figure>`;
}
