/**
 * Structured logs: one line per event, a fixed message and fields, JSON for machines and plain text for a terminal. What
 * looks like a credential never leaves, whatever field it came in.
 */
import { printable } from "./printable.ts";
import { findSecrets } from "./secrets/find-secrets.ts";
import { withoutOverlaps } from "./secrets/secret-span.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export type Log = {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** The same log with fields that stand in every line. */
  with(fields: LogFields): Log;
};

export type LogOptions = {
  readonly level: LogLevel;
  readonly format: "json" | "text";
  readonly write: (line: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

/**
 * The keys of an app and the tokens that come of them, in every form they travel in. These are masked whatever they look like;
 * other secrets as everywhere else.
 */
const CREDENTIAL = new RegExp(
  [
    // No word's start is asked for: `%3Aghs_…` is the end of an address that was encoded. Only GitHub's own letters, so
    // that `light_sensitivity` stays what it is.
    /gh[oprsu]_[\w.-]{10,}|github_pat_\w{10,}|v1\.[0-9a-f]{40}/,
    /\b(?:bearer|token|basic)\s+[\w.~+/=-]{16,}/,
    // What an app signs for itself: three parts of base64, the first of them a JSON object.
    /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/,
    /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gi",
);

/** A longer text helps nobody in a log. */
const MAX_VALUE_CHARS = 2_000;

/** Fit for a log, an error that is stored, or a message: nothing that may be a secret is left. */
export function maskCredentials(text: string): string {
  const ours = [...text.matchAll(CREDENTIAL)].map(({ 0: found, index }) => ({
    kind: "credential",
    start: index,
    end: index + found.length,
  }));
  let masked = "";
  let from = 0;
  for (const { start, end } of withoutOverlaps([...ours, ...findSecrets(text)])) {
    masked += `${text.slice(from, start)}[masked]`;
    from = end;
  }
  return masked + text.slice(from);
}

export function createLog(options: LogOptions, common: LogFields = {}): Log {
  const least = LOG_LEVELS.indexOf(options.level);
  const say =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      if (LOG_LEVELS.indexOf(level) < least) return;
      const entries = Object.entries({ ...common, ...fields }).filter(([, value]) => value !== undefined);
      const time = new Date(options.now()).toISOString();
      const line = options.format === "json" ? jsonLine : textLine;
      options.write(`${line({ time, level, message: maskCredentials(message), entries })}\n`);
    };
  return {
    debug: say("debug"),
    info: say("info"),
    warn: say("warn"),
    error: say("error"),
    with: (fields) => createLog(options, { ...common, ...fields }),
  };
}

type Line = {
  readonly time: string;
  readonly level: LogLevel;
  readonly message: string;
  readonly entries: readonly (readonly [string, LogFields[string]])[];
};

function jsonLine({ time, level, message, entries }: Line): string {
  const fields = entries.map(([name, value]) => [name, shown(value)]);
  return JSON.stringify({ time, level, message, ...Object.fromEntries(fields) });
}

function textLine({ time, level, message, entries }: Line): string {
  const fields = entries.map(([name, value]) => ` ${name}=${JSON.stringify(shown(value))}`);
  return printable(`${time.slice(11, 23)} ${level.padEnd(5)} ${message}${fields.join("")}`);
}

/** Masked as the text it is: once it is JSON, a line break before a token would be a letter that hides where it starts. */
function shown(value: LogFields[string]): LogFields[string] {
  if (typeof value !== "string") return value;
  const isLong = value.length > MAX_VALUE_CHARS;
  return maskCredentials(isLong ? `${value.slice(0, MAX_VALUE_CHARS)}…` : value);
}
