/** The passes of a review as bars, as long as each took. When a pass started isn't stored, so all bars start at the same place. */
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

export function passBars(passes: JobFigures["modelRuns"]): Html {
  const shown = passes.slice(0, MAX_BARS);
  const x = scaleLinear()
    .domain([0, Math.max(1, max(shown, ({ ms }) => ms) ?? 1)])
    .range([2, WIDTH - 90]);
  return html`<figure class="passes">
    <svg
      viewBox="0 0 ${WIDTH} ${shown.length * ROW}"
      role="img"
      aria-label="How long each pass took; the numbers follow"
    >
      ${shown.map(
        ({ pass, model, outcome, ms }, index) =>
          html`<text x="0" y="${index * ROW + 12}">${`${pass} · ${model}`.slice(0, MAX_LABEL_CHARS)}</text
            ><rect
              class="${outcome === "completed" ? "c1" : "c3"}"
              x="0"
              y="${index * ROW + 17}"
              width="${Math.round(x(ms))}"
              height="10"
              rx="2"
            /><text x="${Math.round(x(ms)) + 6}" y="${index * ROW + 26}">${duration(ms)}</text>`,
      )}</svg
    >${dataTable({
      caption: "Passes of models",
      columns: [
        { label: "Pass" },
        { label: "Model" },
        { label: "Outcome" },
        ...["Turns", "Tokens in", "Cached", "Tokens out", "Cost", "Time"].map((label) => ({
          label,
          isNumber: true as const,
        })),
      ],
      rows: passes.map((each) => [
        each.pass,
        each.model,
        html`${stateMark(each.outcome)}${each.outcome === "completed" ? null : html` <code>${each.stop_reason}</code>`}`,
        each.turns,
        amount(each.input_tokens),
        amount(each.cached_input_tokens),
        amount(each.output_tokens),
        each.cost_micro_usd === null ? "unknown" : usd(each.cost_micro_usd),
        duration(each.ms),
      ]),
    })}
  </figure>`;
}
