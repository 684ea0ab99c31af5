/**
 * A check of `kodiai doctor`: one question about an installation. It changes nothing that a user would notice.
 *
 * `unknown` is the state of a check that couldn't run: it never counts as passed. `not-checked` is the state of one that doesn't
 * apply here, or that the user has to ask for; its text says which.
 */
import { KodiaiError, messageOf } from "../base/errors.ts";
import type { Trouble } from "./trouble.ts";

/** From the best to the worst. */
export const CHECK_STATES = ["not-checked", "ok", "warning", "unknown", "failure"] as const;
export type HealthState = (typeof CHECK_STATES)[number];

export const CHECK_NAMES = [
  "node",
  "git",
  "settings",
  "database",
  "queue",
  "disk",
  "app",
  "webhook",
  "installations",
  "dashboard",
  "model",
  "embeddings",
  "linters",
  "network",
  "repository",
  "configuration",
  "review",
  "budget",
  "jobs",
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** One line of the report. */
export type CheckLine = {
  readonly name: CheckName;
  readonly state: HealthState;
  /** One sentence. */
  readonly what: string;
  /** What to do; null if there is nothing to do. */
  readonly remedy: string | null;
  /** The section of docs/troubleshooting.md; null if there is nothing to do. */
  readonly trouble: Trouble | null;
};

/** A line before its check is named. */
export type CheckFinding = Omit<CheckLine, "name">;

export type DoctorCheck = {
  readonly name: CheckName;
  /** Left out: the usual limit. */
  readonly limitMs?: number;
  /** At least one. A rejection is a check that couldn't run. */
  readonly run: (signal: AbortSignal) => Promise<readonly CheckFinding[]>;
};

export function fine(what: string): CheckFinding {
  return { state: "ok", what, remedy: null, trouble: null };
}

export function notChecked(what: string): CheckFinding {
  return { state: "not-checked", what, remedy: null, trouble: null };
}

export type Advice = { readonly what: string; readonly remedy: string };

export function warning(trouble: Trouble, { what, remedy }: Advice): CheckFinding {
  return { state: "warning", what, remedy, trouble };
}

export function failure(trouble: Trouble, { what, remedy }: Advice): CheckFinding {
  return { state: "failure", what, remedy, trouble };
}

export function unknown(trouble: Trouble, { what, remedy }: Advice): CheckFinding {
  return { state: "unknown", what, remedy, trouble };
}

/** The sentence and the remedy of an error. */
export function adviceOf(error: unknown): Advice {
  const remedy =
    error instanceof KodiaiError ? error.hint : "This is probably a bug in Kodiai; please report it.";
  return { what: asSentence(messageOf(error)), remedy };
}

/** Errors begin in lower case and have no period, because they are parts of other sentences. */
function asSentence(text: string): string {
  const [line = ""] = text.split("\n");
  const first = /^[a-z]+[ ,]/.test(line) ? `${line.charAt(0).toUpperCase()}${line.slice(1)}` : line;
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
