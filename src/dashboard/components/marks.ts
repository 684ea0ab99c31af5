/** Small marks of one word or figure: states, severities, times and amounts. */
import { age } from "../../base/age.ts";
import { grouped } from "../../base/count.ts";
import { SEVERITIES } from "../../base/severity.ts";
import { type Html, html } from "./html.ts";

/** The tone of a state. Colour is never the only sign: the word is always there. */
const TONES: Readonly<Record<string, string>> = {
  completed: "good",
  published: "good",
  done: "good",
  ok: "good",
  verified: "good",
  addressed: "good",
  merged: "good",
  confirmed: "good",
  accepted: "good",
  high: "good",
  running: "live",
  queued: "live",
  pending: "live",
  partial: "warn",
  warning: "warn",
  unknown: "warn",
  contested: "warn",
  waived: "warn",
  unsure: "warn",
  medium: "warn",
  failed: "bad",
  failure: "bad",
  refuted: "bad",
  reverted: "bad",
  low: "bad",
};

export function stateMark(state: string): Html {
  return html`<span class="mark ${TONES[state] ?? "calm"}">${state}</span>`;
}

export function severityMark(severity: string): Html {
  return html`<span class="severity ${severityClass(severity)}">${severity}</span>`;
}

/** A class of the stylesheet; never text from outside. */
export function severityClass(severity: string): string {
  return SEVERITIES.some((each) => each === severity) ? `s-${severity}` : "s-minor";
}

/** Counts by severity, most severe first. */
export function severityCounts(counts: ReadonlyMap<string, number>): Html {
  const shown = SEVERITIES.filter((severity) => (counts.get(severity) ?? 0) > 0);
  if (shown.length === 0) return html`<span class="quiet">none</span>`;
  return html`<span class="counts"
    >${shown.map(
      (severity) =>
        html`<span class="severity ${severityClass(severity)}"
          >${counts.get(severity)} <span class="word">${severity}</span></span
        > `,
    )}</span
  >`;
}

/** "5 min ago", with the exact time for those who need it. */
export function timeAgo(atMs: number, nowMs: number): Html {
  const iso = new Date(atMs).toISOString();
  return html`<time datetime="${iso}" title="${iso.slice(0, 16).replace("T", " ")} UTC"
    >${age(nowMs - atMs)} ago</time
  >`;
}

export function duration(ms: number | null): string {
  if (ms === null) return "–";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  return seconds < 100 ? `${seconds.toFixed(1)} s` : age(ms);
}

/** Dollars; small amounts keep a digit that says something. */
export function usd(microUsd: number): string {
  const amount = microUsd / 1_000_000;
  if (amount === 0) return "$0";
  if (amount < 0.01) return "<$0.01";
  return amount < 100 ? `$${amount.toFixed(2)}` : `$${grouped(Math.round(amount))}`;
}

/** 1,234,567 as "1.2 M". */
export function amount(number: number): string {
  if (number < 10_000) return grouped(Math.round(number));
  if (number < 1_000_000) return `${Math.round(number / 1_000)} k`;
  return `${(number / 1_000_000).toFixed(number < 10_000_000 ? 1 : 0)} M`;
}

export function percent(share: number | null): string {
  return share === null ? "–" : `${Math.round(share * 100)} %`;
}

export function commit(id: string): Html {
  return html`<code>${id.slice(0, 8)}</code>`;
}
