/** Shows a running review: its stage in the footer, the end of its growing answer above the editor. */
import type { Context } from "./pi-api.ts";

const KEY = "deep-review";

/** The terminal is redrawn for each change. */
const DRAW_EVERY_MS = 250;

/** Enough to follow an answer without hiding the session. */
const SHOWN_LINES = 8;

/** A status is part of one line. */
const MAX_STATUS_CHARS = 100;

/** A line of an answer is a paragraph; a widget doesn't wrap. */
const MAX_LINE_CHARS = 120;

export type ProgressDisplay = {
  readonly stage: (text: string) => void;
  /** Gets all of the answer that is there so far. */
  readonly answer: (text: string) => void;
  readonly clear: () => void;
};

export function showProgress({ ui }: Context): ProgressDisplay {
  const startedAt = performance.now();
  let stage = "starting";
  let answer = "";
  let drawnStatus = "";
  let drawnAnswer = "";
  const draw = (): void => {
    const seconds = Math.floor((performance.now() - startedAt) / 1_000);
    const status = `deep review: ${stage}, ${seconds} s`;
    if (status !== drawnStatus) ui.setStatus(KEY, status);
    if (answer !== drawnAnswer) ui.setWidget(KEY, lastLines(answer));
    drawnStatus = status;
    drawnAnswer = answer;
  };
  draw();
  const timer = setInterval(draw, DRAW_EVERY_MS);
  timer.unref();
  return {
    stage(text) {
      stage = text.replace(/^kodiai: /, "").slice(0, MAX_STATUS_CHARS);
    },
    answer(text) {
      answer = text;
    },
    clear() {
      clearInterval(timer);
      ui.setStatus(KEY, undefined);
      ui.setWidget(KEY, undefined);
    },
  };
}

function lastLines(text: string): string[] {
  return text
    .trimEnd()
    .split("\n")
    .slice(-SHOWN_LINES)
    .map((line) => line.slice(0, MAX_LINE_CHARS));
}
