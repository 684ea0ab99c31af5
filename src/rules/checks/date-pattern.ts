/** Date patterns with a letter of another meaning: minutes in place of the month, the week year, 12 hours without a.m. or p.m. */
import { bad, good, type LineRule } from "../rule.ts";

type Mistake = {
  readonly pattern: RegExp;
  readonly unless?: RegExp;
  readonly title: string;
  readonly isRare?: true;
};

const MONTH_AS_MINUTES = "Wrong date pattern: the month is in place of the minutes";
const MINUTES_AS_MONTH = "Wrong date pattern: the minutes are in place of the month";
const TWELVE_HOURS = "Ambiguous time: 12 hours without AM or PM";

const LETTERS: readonly Mistake[] = [
  { pattern: /[yu]{4}[-/. ]?mm|mm[-/.]?[yu]{4}/, title: MINUTES_AS_MONTH },
  { pattern: /[Hh]:MM(?!M)/, title: MONTH_AS_MINUTES },
  { pattern: /hh?:mm/, unless: /[aBbt]/, title: TWELVE_HOURS, isRare: true },
];

const DIRECTIVES: readonly Mistake[] = [
  { pattern: /%Y[-/.]?%M|%M[-/.]?%Y|%d[-/.]%M/, title: MINUTES_AS_MONTH },
  { pattern: /%[HI]:?%m/, title: MONTH_AS_MINUTES },
  { pattern: /%I:%M/, unless: /%p/i, title: TWELVE_HOURS, isRare: true },
];

const MOMENT: readonly Mistake[] = [
  { pattern: /YYYY[-/.]mm|yyyy[-/.]mm|mm[-/.][Yy]{4}/, title: MINUTES_AS_MONTH },
  { pattern: /[Hh]:MM(?!M)/, title: MONTH_AS_MINUTES },
];

type Patterns = { readonly call: RegExp; readonly mistakes: readonly Mistake[] };

const STRFTIME: Patterns = {
  call: /\bstr[fp]time\(?\s*(?:[^"'()]{1,60},\s*)?["']([^"']{2,60})["']/,
  mistakes: DIRECTIVES,
};
const JAVASCRIPT: Patterns = {
  call: /(?:\.format|\bformat|\bmoment|\bdayjs|\bparse)\((?:[^"'`]{0,60},\s*)?["'`]([^"'`]{4,60})["'`]/,
  mistakes: MOMENT,
};

const PATTERNS: Readonly<Record<string, Patterns>> = {
  java: {
    call: /\b(?:SimpleDateFormat|ofPattern|forPattern|FastDateFormat\.getInstance)\(\s*"([^"]{2,60})"/,
    mistakes: [
      ...LETTERS,
      {
        pattern: /YYYY/,
        unless: /w/i,
        title: "Wrong date pattern: `YYYY` is the week year, which is wrong around New Year",
      },
      {
        pattern: /DD/,
        unless: /DDD|^DD$/,
        title: "Wrong date pattern: `DD` is the day of the year, not of the month",
      },
    ],
  },
  csharp: {
    call: /\b(?:ToString|ParseExact|TryParseExact)\((?:[^"()]{1,60},\s*)?@?"([^"]{4,60})"/,
    mistakes: [
      ...LETTERS,
      {
        pattern: /YYYY[-/.]?MM|DD[-/.]MM[-/.][yY]{4}|yyyy[-/.]MM[-/.]DD/,
        title: "Wrong date pattern: `YYYY` and `DD` stand for themselves",
      },
    ],
  },
  php: {
    call: /(?:\b(?:gm)?date|->format|::createFromFormat)\(\s*["']([^"']{2,60})["']/,
    mistakes: [
      { pattern: /[HGhg]:m(?![a-zA-Z])/, title: MONTH_AS_MINUTES },
      { pattern: /Y[-/.]i[-/.]d|d[-/.]i[-/.]Y/, title: MINUTES_AS_MONTH },
      { pattern: /h:i/, unless: /[aA]/, title: TWELVE_HOURS, isRare: true },
    ],
  },
  ruby: STRFTIME,
  python: STRFTIME,
  javascript: JAVASCRIPT,
  typescript: JAVASCRIPT,
  tsx: JAVASCRIPT,
};

export const datePattern: LineRule = {
  kind: "line",
  id: "date-pattern",
  title: "Wrong date pattern: a letter has another meaning",
  severity: "must-fix",
  category: "correctness",
  why: "Upper and lower case letters of a date pattern mean different things. The code runs, and the dates it writes or reads are wrong.",
  fix: "Use the letter that is meant.",
  confidence: 0.9,
  languages: Object.keys(PATTERNS),
  inTests: false,
  check({ text, line }, { language }) {
    const known = PATTERNS[language];
    const pattern = known?.call.exec(text.slice(0, 400))?.[1];
    if (known === undefined || pattern === undefined) return null;
    const mistake = known.mistakes.find(
      (one) => one.pattern.test(pattern) && one.unless?.test(pattern) !== true,
    );
    if (mistake === undefined) return null;
    return { line, title: mistake.title, ...(mistake.isRare === true ? { severity: "medium" } : {}) };
  },
  examples: {
    bad: [
      bad(
        "src/Day.java",
        2,
        'class Day {\n  DateTimeFormatter format = DateTimeFormatter.ofPattern("YYYY-MM-dd");\n}\n',
      ),
      bad("src/Log.java", 2, 'class Log {\n  DateFormat format = new SimpleDateFormat("yyyy-mm-dd");\n}\n'),
      bad("Stamp.cs", 2, 'class Stamp {\n  string Of(DateTime at) => at.ToString("yyyy-MM-dd hh:mm");\n}\n'),
      bad("stamp.php", 2, "<?php\n$at = date('Y-m-d H:m:s');\n"),
      bad("lib/stamp.rb", 2, "def stamp(at)\n  at.strftime('%Y-%M-%d')\nend\n"),
      bad("app/stamp.py", 2, "def stamp(at):\n    return at.strftime('%H:%m')\n"),
      bad("src/stamp.ts", 1, 'export const stamp = (at: Dayjs) => at.format("YYYY-MM-DD HH:MM");\n'),
    ],
    good: [
      good(
        "src/Day.java",
        'class Day {\n  DateTimeFormatter day = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm");\n  DateTimeFormatter week = DateTimeFormatter.ofPattern("YYYY-\'W\'ww");\n}\n',
      ),
      good("Stamp.cs", 'class Stamp {\n  string Of(DateTime at) => at.ToString("yyyy-MM-dd hh:mm tt");\n}\n'),
      good("stamp.php", "<?php\n$at = date('Y-m-d H:i:s');\n$english = date('g:i a');\n"),
      good("lib/stamp.rb", "def stamp(at)\n  at.strftime('%Y-%m-%d %H:%M %I:%M %p')\nend\n"),
      good("src/stamp.ts", 'export const stamp = (at: Dayjs) => at.format("YYYY-MM-DD HH:mm");\n'),
    ],
  },
};
