/**
 * Formats of dates and times with a letter that means something else: minutes for the month, the week's year, twelve hours without
 * AM or PM. The letters depend on the function that gets the format, so only formats right in its call count.
 */
import type { LineRule } from "../rule.ts";

type Mistake = {
  readonly languages: readonly string[];
  /** The call up to the quote of its format. */
  readonly call: RegExp;
  /** Tested on the format. */
  readonly format: RegExp;
  readonly problem: string;
  readonly fix: string;
};

const SCRIPT = ["javascript", "typescript", "tsx"];
const JVM = ["java", "kotlin"];

const JVM_CALL =
  /(?:\bofPattern|\bSimpleDateFormat|\bDateTimeFormat\.forPattern|\bappendPattern)\(\s{0,4}["]/;
const SCRIPT_CALL =
  /(?:\b(?:moment|dayjs)\([^()'"`]{0,60}\)(?:\.\w{1,20}\(\))?|[dD]ate|[mM]oment)\.format\(\s{0,4}["'`]/;
const CSHARP_CALL =
  /\b(?:[dD]ate\w{0,20}|Now|UtcNow|Today|[tT]ime\w{0,20})(?:\(\))?\.ToString\(\s{0,4}"|\bParseExact\([^()"]{1,60},\s{0,4}"/;
const STRFTIME = /\bstr[fp]time\((?:[^()"']{1,80},)?\s{0,4}["']/;
const PHP_CALL = /\b(?:date|gmdate|createFromFormat)\(\s{0,4}["']|->format\(\s{0,4}["']/;
const GO_CALL = /\.Format\(\s{0,4}["`]|\btime\.Parse\(\s{0,4}["`]/;

const MINUTE = "Minutes instead of the month";
const MONTH = "The month instead of minutes";
const HALF_DAY = "Twelve hours without AM or PM: 13:00 becomes 01:00";

const MISTAKES: readonly Mistake[] = [
  {
    languages: [...JVM, ...SCRIPT, "csharp"],
    call: new RegExp(`${JVM_CALL.source}|${SCRIPT_CALL.source}|${CSHARP_CALL.source}`),
    format: /(?:[yY]{2,4}[-/. ]?mm[-/. ]?[dD]{2}|[dD]{2}[-/. ]?mm[-/. ]?[yY]{2,4})/,
    problem: MINUTE,
    fix: "Write the month as `MM`.",
  },
  {
    languages: JVM,
    call: JVM_CALL,
    format: /^[^w']*YYYY[^w']*$/,
    problem: "The week's year: the last days of December get the next year",
    fix: "Write the year as `yyyy`.",
  },
  {
    languages: SCRIPT,
    call: SCRIPT_CALL,
    format: /YYYY[-/. ]?MM[-/. ]?dd/,
    problem: "The name of the weekday instead of the day",
    fix: "Write the day as `DD`.",
  },
  {
    languages: [...JVM, "csharp"],
    call: new RegExp(`${JVM_CALL.source}|${CSHARP_CALL.source}`),
    format: /^(?![^]*[aBt])[^]*(?<![h'])hh?:mm/,
    problem: HALF_DAY,
    fix: "Write the hour as `HH`, or add AM or PM.",
  },
  {
    languages: SCRIPT,
    call: SCRIPT_CALL,
    format: /^(?![^]*[aA])[^]*(?<!h)hh:mm/,
    problem: HALF_DAY,
    fix: "Write the hour as `HH`, or add AM or PM.",
  },
  {
    languages: ["python", "ruby", "php", "c", "cpp"],
    call: STRFTIME,
    format: /%[Yy][-/. ]?%M|%M[-/. ]%d|%d[-/. ]%M[-/. ]%[Yy]/,
    problem: MINUTE,
    fix: "Write the month as `%m`.",
  },
  {
    languages: ["python", "ruby", "php", "c", "cpp"],
    call: STRFTIME,
    format: /%[HI]:?%m/,
    problem: MONTH,
    fix: "Write minutes as `%M`.",
  },
  {
    languages: ["python", "ruby", "php", "c", "cpp"],
    call: STRFTIME,
    format: /^(?![^]*%-?[pP])[^]*%-?I:?%M/,
    problem: HALF_DAY,
    fix: "Write the hour as `%H`, or add `%p`.",
  },
  {
    languages: ["php"],
    call: PHP_CALL,
    format: /[Yy][-/.]?i[-/.]?d/,
    problem: MINUTE,
    fix: "Write the month as `m`.",
  },
  {
    languages: ["php"],
    call: PHP_CALL,
    format: /[HhGg]:m(?![A-Za-z])/,
    problem: MONTH,
    fix: "Write minutes as `i`.",
  },
  {
    languages: ["php"],
    call: PHP_CALL,
    format: /^(?![^]*[aA])[^]*\b[hg]:i/,
    problem: HALF_DAY,
    fix: "Write the hour as `H`, or add `A`.",
  },
  {
    languages: ["go"],
    call: GO_CALL,
    format: /^(?:[yY]{4}|%Y|[dD]{2}[-/.][mM]{2})/,
    problem: "Letters that Go doesn't know: they are printed as they are",
    fix: "Write the format as the time `2006-01-02 15:04:05`.",
  },
  {
    languages: ["go"],
    call: GO_CALL,
    format: /^(?![^]*[pP][mM])[^]*\b03:04/,
    problem: HALF_DAY,
    fix: "Write the hour as `15`, or add `PM`.",
  },
];

/** A longer text isn't a format. */
const MAX_CHARS = 60;

export const dateFormat: LineRule = {
  kind: "line",
  id: "date-format",
  title: "Wrong date format: a letter means something else",
  severity: "medium",
  category: "correctness",
  why: "The text looks like a date and is wrong, sometimes only on some days or at some hours.",
  fix: "Use the letters of this function's formats.",
  confidence: 0.9,
  languages: [...new Set(MISTAKES.flatMap(({ languages }) => languages))],
  check({ line, text }, { language }) {
    if (/^\s*(?:\/\/|\/?\*|#)/.test(text)) return null;
    for (const { languages, call, format, problem, fix } of MISTAKES) {
      if (!languages.includes(language)) continue;
      const found = call.exec(text);
      if (found === null) continue;
      const start = found.index + found[0].length;
      const end = text.indexOf(text.charAt(start - 1), start);
      if (end === -1 || end - start > MAX_CHARS || !format.test(text.slice(start, end))) continue;
      return { line, title: `Wrong date format: ${problem.charAt(0).toLowerCase()}${problem.slice(1)}`, fix };
    }
    return null;
  },
};
