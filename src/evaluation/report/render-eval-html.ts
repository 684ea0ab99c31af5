/**
 * A report about an evaluation as one HTML page that loads nothing: no script, no font, no image. Charts are SVG in the page, each above
 * the table with its figures. Everything else is escaped text.
 */
import { printable } from "../../base/printable.ts";
import type { Bar, EvalReport, ReportChart, ReportSection } from "./eval-report.ts";
import { percentOf } from "./words.ts";

const STYLE = `
:root { color-scheme: light dark; --text: #1c2024; --faint: #5c6570; --line: #d5dae0; --bar: #2f6fb3; --page: #fff; --warn: #8a3b00; --warn-page: #fff4e8; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e9ed; --faint: #9aa4af; --line: #38404a; --bar: #6ba6e8; --page: #14171a; --warn: #ffbe85; --warn-page: #33220f; } }
body { margin: 2rem auto; max-width: 64rem; padding: 0 1rem; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2.25rem 0 .25rem; }
p { margin: .25rem 0 .75rem; color: var(--faint); }
.warnings { background: var(--warn-page); color: var(--warn); border-left: 4px solid; padding: .75rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .9rem .25rem 0; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child, td:first-child, .list td, .list th { text-align: left; }
th { color: var(--faint); font-weight: 600; }
svg { display: block; max-width: 100%; height: auto; margin: .5rem 0; } svg text { fill: var(--text); font: 13px system-ui, sans-serif; }
.bar { fill: var(--bar); } .mark { stroke: var(--text); stroke-width: 1.5; fill: none; } .axis { stroke: var(--line); fill: none; } .dot { fill: var(--bar); }
@media print { body { margin: 0; max-width: none; } section { break-inside: avoid; } .wide { overflow: visible; } }
`;

export function renderEvalHtml({ title, subtitle, warnings, sections }: EvalReport): string {
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>${STYLE}</style>`,
    "</head>",
    "<body>",
    `<h1>${escapeHtml(title)}</h1>`,
    `<p>${escapeHtml(subtitle)}</p>`,
    ...(warnings.length === 0
      ? []
      : [
          `<div class="warnings" role="note"><strong>Incomplete</strong>\n${warnings.map(escapeHtml).join("\n")}</div>`,
        ]),
    ...sections.map(renderSection),
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

function renderSection({ title, note, columns, rows, chart }: ReportSection): string {
  const cells = (row: readonly string[], tag: "td" | "th"): string =>
    row.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join("");
  const head = columns.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join("");
  return [
    "<section>",
    `<h2>${escapeHtml(title)}</h2>`,
    `<p>${escapeHtml(note)}</p>`,
    ...(chart === null ? [] : [renderChart(chart, title)]),
    `<div class="wide"><table${columns.length === 2 ? ' class="list"' : ""}>`,
    `<thead><tr>${head}</tr></thead>`,
    `<tbody>${rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n")}</tbody>`,
    "</table></div>",
    "</section>",
  ].join("\n");
}

function renderChart(chart: ReportChart, title: string): string {
  if (chart.kind === "bars") return chart.bars.length === 0 ? "" : renderBars(chart.bars, title);
  return chart.points.length === 0 ? "" : renderCalibration(chart.points, title);
}

/** Sizes in the units of the charts. */
const WIDTH = 720;
const NAMES = 230;
const VALUES = 60;
const ROW = 24;
const SQUARE = 320;
const MARGIN = 40;

function renderBars(bars: readonly Bar[], title: string): string {
  const scale = WIDTH - NAMES - VALUES;
  const rows = bars.map(({ name, value, low, high }, at) => {
    const y = at * ROW;
    const x = (share: number): string => (NAMES + Math.min(1, Math.max(0, share)) * scale).toFixed(1);
    const middle = y + ROW / 2;
    const interval =
      low === null || high === null
        ? ""
        : `<path class="mark" d="M${x(low)} ${middle - 4}v8M${x(low)} ${middle}H${x(high)}M${x(high)} ${middle - 4}v8"/>`;
    return [
      `<text x="${NAMES - 8}" y="${middle + 4}" text-anchor="end">${escapeHtml(name)}</text>`,
      `<rect class="bar" x="${NAMES}" y="${y + 4}" width="${(Number(x(value)) - NAMES).toFixed(1)}" height="${ROW - 8}"/>`,
      interval,
      `<text x="${WIDTH - VALUES + 8}" y="${middle + 4}">${percentOf(value)}</text>`,
    ].join("");
  });
  const height = bars.length * ROW;
  return svg({ width: WIDTH, height, title }, [`<path class="axis" d="M${NAMES} 0V${height}"/>`, ...rows]);
}

type Points = Extract<ReportChart, { kind: "calibration" }>["points"];

function renderCalibration(points: Points, title: string): string {
  const side = SQUARE - 2 * MARGIN;
  const x = (share: number): string => (MARGIN + share * side).toFixed(1);
  const y = (share: number): string => (SQUARE - MARGIN - share * side).toFixed(1);
  const most = Math.max(...points.map(({ weight }) => weight));
  const line = points.map((point) => `${x(point.x)} ${y(point.y)}`).join("L");
  return svg({ width: SQUARE, height: SQUARE, title }, [
    `<path class="axis" d="M${x(0)} ${y(1)}V${y(0)}H${x(1)}M${x(0)} ${y(0)}L${x(1)} ${y(1)}"/>`,
    `<path class="mark" d="M${line}"/>`,
    ...points.map(
      (point) =>
        `<circle class="dot" cx="${x(point.x)}" cy="${y(point.y)}" r="${(3 + 4 * Math.sqrt(point.weight / most)).toFixed(1)}"/>`,
    ),
    `<text x="${SQUARE / 2}" y="${SQUARE - 8}" text-anchor="middle">mean confidence</text>`,
    `<text x="14" y="${SQUARE / 2}" text-anchor="middle" transform="rotate(-90 14 ${SQUARE / 2})">share right</text>`,
    ...[0, 0.5, 1].flatMap((at) => [
      `<text x="${x(at)}" y="${SQUARE - MARGIN + 16}" text-anchor="middle">${at}</text>`,
      `<text x="${MARGIN - 6}" y="${Number(y(at)) + 4}" text-anchor="end">${at}</text>`,
    ]),
  ]);
}

type Box = { readonly width: number; readonly height: number; readonly title: string };

function svg({ width, height, title }: Box, parts: readonly string[]): string {
  return `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeHtml(title)}; the table has the figures">${parts.join("")}</svg>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return printable(text).replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}
