/**
 * Structured logs: one line per event with a fixed message and fields, as JSON for machines or plain text for a terminal.
 * Credentials are masked in every field.
 */
import { printable } from "./printable.ts";
import { maskCredentials } from "./secrets/mask-credentials.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export type Log = {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A log that adds these fields to every line. */
  with(fields: LogFields): Log;
};

export type LogOptions = {
  readonly level: LogLevel;
  readonly format: "json" | "text";
  readonly write: (line: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

/** Longer values are cut. */
const MAX_VALUE_CHARS = 2_000;

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

/** Masks the plain text before it becomes JSON, where the `\n` before a token would look like a part of it. */
function shown(value: LogFields[string]): LogFields[string] {
  if (typeof value !== "string") return value;
  const isLong = value.length > MAX_VALUE_CHARS;
  return maskCredentials(isLong ? `${value.slice(0, MAX_VALUE_CHARS)}…` : value);
}
