/** Charts over days, as SVG made on the server, each with its numbers in a table. Classes of the stylesheet give the colours. */
import { max, range } from "d3-array";
import { scaleBand, scaleLinear } from "d3-scale";
import { line, stack } from "d3-shape";
import { DAY_MS } from "../../base/day-ms.ts";
import { type Html, html, type HtmlValue } from "../components/html.ts";
import { dataTable } from "../components/data-table.ts";

export type DaySeries = {
  readonly name: string;
  /** A class of the stylesheet. */
  readonly look: string;
  /** One for each day; null where there is nothing to show. */
  readonly values: readonly (number | null)[];
};

export type DayChart = {
  readonly title: string;
  /** Numbers of days since 1970, without gaps. */
  readonly days: readonly number[];
  readonly series: readonly DaySeries[];
  readonly format: (value: number) => string;
  /** Distances of grid lines that read well in this unit, ascending. Omitted: round numbers. */
  readonly steps?: readonly number[];
};

const WIDTH = 400;
const HEIGHT = 150;
const LEFT = 40;
const BOTTOM = 132;
const TOP = 10;

/** Stacked bars, for amounts that add up. */
export function dayBars(chart: DayChart): Html {
  const { days, series } = chart;
  const rows = days.map((_, index) =>
    Object.fromEntries(series.map(({ name, values }) => [name, values[index] ?? 0])),
  );
  const layers = stack().keys(series.map(({ name }) => name))(rows);
  const highest = max(layers.flatMap((layer) => layer.map(([, top]) => top))) ?? 0;
  const x = scaleBand<number>()
    .domain(days)
    .range([LEFT, WIDTH - 2])
    .padding(days.length > 40 ? 0.1 : 0.25);
  const y = scaleY(highest, chart.steps);
  // One path for each series is a fraction of the markup of one element for each bar.
  const bars = layers.map((layer, at) => {
    const drawn = layer.flatMap(([low, high], index) => {
      if (high <= low) return [];
      const width = round(x.bandwidth());
      return [
        `M${round(x(days[index] ?? 0) ?? 0)} ${round(y(high))}h${width}v${round(y(low) - y(high))}h${-width}z`,
      ];
    });
    return drawn.length === 0 ? null : html`<path class="${series[at]?.look ?? ""}" d="${drawn.join("")}" />`;
  });
  return frame(chart, { highest, y, body: bars });
}

/** Lines, for amounts that don't add up. A day without a value interrupts them. */
export function dayLines(chart: DayChart): Html {
  const { days, series } = chart;
  const highest = max(series.flatMap(({ values }) => values.map((value) => value ?? 0))) ?? 0;
  const y = scaleY(highest, chart.steps);
  const x = scaleLinear()
    .domain([days[0] ?? 0, Math.max(days.at(-1) ?? 1, (days[0] ?? 0) + 1)])
    .range([LEFT + 6, WIDTH - 8]);
  const body = series.map(({ look, values }) => {
    const points = values.map((value, index) => ({ day: days[index] ?? 0, value }));
    const draw = line<(typeof points)[number]>()
      .defined(({ value }) => value !== null)
      .x(({ day }) => round(x(day)))
      .y(({ value }) => round(y(value ?? 0)));
    const dots = points.flatMap(({ day, value }) =>
      value === null
        ? []
        : [html`<circle class="${look}" cx="${round(x(day))}" cy="${round(y(value))}" r="2" />`],
    );
    return html`<path class="line ${look}" d="${draw(points) ?? ""}" />${days.length > 40 ? null : dots}`;
  });
  return frame(chart, { highest, y, body });
}

/** Most grid lines above zero. */
const MAX_LINES = 4;

function scaleY(highest: number, steps: readonly number[] = []) {
  const top = highest === 0 ? 1 : highest;
  const step = steps.find((each) => top / each <= MAX_LINES);
  const scale = scaleLinear().range([BOTTOM, TOP]);
  return step === undefined
    ? scale.domain([0, top]).nice(3)
    : scale.domain([0, Math.ceil(top / step) * step]);
}

function ticksOf(scale: ReturnType<typeof scaleY>, steps: readonly number[] = []): readonly number[] {
  const [, top = 0] = scale.domain();
  const step = steps.find((each) => top / each <= MAX_LINES);
  return step === undefined ? scale.ticks(3) : range(0, top + 1, step);
}

type Drawing = { readonly highest: number; readonly y: ReturnType<typeof scaleY>; readonly body: HtmlValue };

function frame({ title, days, series, format, steps }: DayChart, { highest, y, body }: Drawing): Html {
  const ticks = highest === 0 ? [0] : ticksOf(y, steps);
  const [first = 0, last = 0] = [days[0], days.at(-1)];
  const shown = series.filter(({ values }) => values.some((value) => (value ?? 0) > 0));
  return html`<figure class="chart">
    <figcaption>${title}</figcaption>
    <svg
      viewBox="0 0 ${WIDTH} ${HEIGHT}"
      role="img"
      aria-label="${title}, ${dateOfDay(first)} to ${dateOfDay(last)}; the numbers follow"
    >
      ${ticks.map(
        (tick) =>
          html`<line
              class="grid"
              x1="${LEFT}"
              x2="${WIDTH}"
              y1="${round(y(tick))}"
              y2="${round(y(tick))}"
            /><text x="${LEFT - 5}" y="${round(y(tick) + 3)}" text-anchor="end">${format(tick)}</text>`,
      )}${body}
      <text x="${LEFT}" y="${HEIGHT - 3}">${shortDate(first)}</text>
      <text x="${WIDTH - 2}" y="${HEIGHT - 3}" text-anchor="end">${shortDate(last)}</text>
    </svg>
    <p class="legend">
      ${
        shown.length === 0
          ? html`<span class="quiet">Nothing in this time.</span>`
          : shown.map(
              ({ name, look }) =>
                html`<span
                  ><svg viewBox="0 0 8 8" aria-hidden="true">
                    <rect class="${look}" width="8" height="8" />
                  </svg>
                  ${name}</span
                > `,
            )
      }
    </p>
    <details>
      <summary>Numbers<span class="heard"> of ${title}</span></summary>
      ${dataTable({
        caption: title,
        columns: [{ label: "Day" }, ...series.map(({ name }) => ({ label: name, isNumber: true as const }))],
        rows: days.map((day, index) => [
          dateOfDay(day),
          ...series.map(({ values }) => (values[index] == null ? "–" : format(values[index] ?? 0))),
        ]),
      })}
    </details>
  </figure>`;
}

function dateOfDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

function shortDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(5, 10);
}

/** A tenth of a pixel is enough, and keeps the page small. */
function round(value: number): number {
  return Math.round(value * 10) / 10;
}
