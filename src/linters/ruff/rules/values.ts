/** Values of the wrong kind: formats that don't match, repeated keys, bad arguments, shared defaults. */
import { nameOr } from "../../../rules/rule.ts";
import { firstLine, nameIn, type RuffRule } from "../ruff-rule.ts";

/** The quoted code has the format and its values. */
const FORMAT = {
  severity: "must-fix",
  proof: "unparsable",
  category: "correctness",
  why: "Python checks the format string only when the line runs, and then raises an exception.",
} as const;

const UNUSED_FORMAT = {
  severity: "medium",
  category: "correctness",
  why: "The value never appears in the text. Usually a placeholder is missing or misspelled.",
  fix: "Add the placeholder, or remove the value.",
} as const;

const NOW =
  /`(?:[\w.]*\.)?(?:now|utcnow|today|time|monotonic|uuid[1-7]|random|randint|token_hex|token_urlsafe|getenv)`/;

/** The first name that ruff's message lists after its colon. */
function listedIn(message: string, otherwise: string): string {
  return nameOr(/: (\w+)/.exec(message)?.[1] ?? "", otherwise);
}

export const VALUES: readonly RuffRule[] = [
  {
    ...FORMAT,
    id: "F507",
    title: "Format mismatch: the number of placeholders and values differs",
    fix: "Pass exactly one value per placeholder.",
  },
  {
    ...FORMAT,
    id: "F502",
    title: "Format mismatch: named placeholders need a dict",
    fix: "Pass a dict with the names, or use plain `%s`.",
  },
  {
    ...FORMAT,
    id: "F503",
    title: "Format mismatch: plain placeholders need values, not a dict",
    fix: "Pass a tuple, or name the placeholders.",
  },
  {
    ...FORMAT,
    id: "F505",
    title: (message) => `Format mismatch: the placeholder ${listedIn(message, "here")} has no value`,
    fix: "Add the key to the dict, or correct the name.",
  },
  {
    ...FORMAT,
    id: "F506",
    title: "Mixed placeholders: named and plain ones can't be combined",
    fix: "Name all of the placeholders, or none.",
  },
  {
    ...FORMAT,
    id: "F509",
    title: "Unknown format character, so formatting fails",
    fix: "Use a known one such as `%s`, and `%%` for a percent sign.",
  },
  {
    ...FORMAT,
    id: "F521",
    title: "Invalid format string: `format` fails",
    fix: "Balance the braces, and write `{{` for a literal one.",
  },
  {
    ...FORMAT,
    id: "F524",
    title: (message) => `Format mismatch: the placeholder ${listedIn(message, "here")} has no value`,
    fix: "Pass the missing argument, or correct the name.",
  },
  {
    ...FORMAT,
    id: "F525",
    title: "Mixed placeholders: numbered and automatic ones can't be combined",
    fix: "Number all of the placeholders, or none.",
  },
  {
    ...UNUSED_FORMAT,
    id: "F504",
    title: (message) => `Unused value: the format string doesn't use ${listedIn(message, "it")}`,
  },
  {
    ...UNUSED_FORMAT,
    id: "F522",
    title: (message) => `Unused value: the format string doesn't use ${listedIn(message, "it")}`,
  },
  {
    ...UNUSED_FORMAT,
    id: "F523",
    title: "Unused value: `format` gets one that no placeholder shows",
  },
  {
    ...FORMAT,
    id: "PLE1307",
    title: "Format mismatch: placeholder and value have different types",
    fix: "Use `%s`, or convert the value.",
  },
  {
    id: "PLE1205",
    severity: "major",
    category: "correctness",
    title: "Lost log message: the call has more values than placeholders",
    why: "The logging module prints a traceback instead of the message.",
    fix: "Add a `%s` for each value.",
    // Other logging packages use `{}`.
    isWanted: (found, lines) => !/[{]/.test(lines.slice(found.line - 1, found.endLine).join(" ")),
  },
  {
    id: "PLE1206",
    severity: "major",
    category: "correctness",
    title: "Lost log message: the call has fewer values than placeholders",
    why: "The logging module prints a traceback instead of the message.",
    fix: "Pass one value per placeholder.",
  },
  {
    id: "F601",
    severity: "major",
    category: "correctness",
    title: (message) =>
      `Duplicate key: ${nameIn(message.replaceAll(/["']/g, ""), "it")} is in the dict twice, so the first value is lost`,
    why: "The last value of a key wins.",
    fix: "Remove one of the entries, or correct its key.",
    isCertainAnywhere: true,
  },
  {
    id: "B033",
    severity: "minor",
    category: "correctness",
    title: (message) =>
      `Duplicate value: ${nameIn(message.replaceAll(/["']/g, ""), "it")} is in the set twice`,
    why: "The second one has no effect. Usually another value was meant.",
    fix: "Remove it, or correct the value.",
    isCertainAnywhere: true,
  },
  {
    id: "B035",
    severity: "major",
    category: "correctness",
    title: "Overwritten key: every round of the comprehension writes the same one",
    why: "The dict ends up with one entry, the last one.",
    fix: "Use the loop variable in the key.",
  },
  {
    id: "B005",
    severity: "major",
    category: "correctness",
    title: "Wrong strip: `strip` removes single characters, not the given word",
    why: "`strip`, `lstrip` and `rstrip` treat the argument as a set of characters and remove more than the prefix or suffix.",
    fix: "Use `removeprefix` or `removesuffix`.",
    isWanted: (found, lines) => /strip\(\s*[bru]*["'][^"']*\w{3}/.test(firstLine(found, lines)),
  },
  {
    id: "PLE1132",
    severity: "must-fix",
    category: "correctness",
    title: (message) =>
      `Duplicate argument: ${nameIn(message, "it")} is passed twice, which raises a TypeError`,
    why: "Python rejects a call that gives the same argument twice.",
    fix: "Remove one of them.",
  },
  {
    id: "PLE0643",
    severity: "must-fix",
    category: "correctness",
    title: "Index out of range: this raises an IndexError",
    why: "The sequence has fewer elements than the index needs.",
    fix: "Correct the index or the sequence.",
  },
  {
    id: "RUF016",
    severity: "must-fix",
    category: "correctness",
    title: "Invalid index: it isn't a number",
    why: "Only whole numbers and slices can be an index, so this raises a TypeError.",
    fix: "Use a number, or a dict.",
  },
  {
    id: "RUF026",
    severity: "must-fix",
    category: "correctness",
    title: "Misused `default_factory`: it is stored as a key of the dict",
    why: "`defaultdict` takes its factory only as the first argument, so missing keys raise a KeyError.",
    fix: "Pass the factory without a name: `defaultdict(list)`.",
  },
  {
    id: "PLW1501",
    severity: "must-fix",
    category: "correctness",
    title: (message) =>
      `Invalid mode: ${nameIn(message, "this text")} isn't a mode of \`open\`, which raises a ValueError`,
    why: "`open` accepts only certain combinations of `r`, `w`, `a`, `x`, `b`, `t` and `+`.",
    fix: "Use a valid mode.",
  },
  {
    id: "PLE1507",
    severity: "must-fix",
    category: "correctness",
    title: "Invalid name of an environment variable: it must be a string",
    why: "`os.getenv` raises a TypeError for any other type.",
    fix: "Pass the name as a string.",
  },
  {
    id: "PLW1508",
    severity: "medium",
    category: "correctness",
    title: "Invalid default of an environment variable: it isn't a string",
    why: "The variable is a string when it's set, so the type depends on the machine, and comparisons and arithmetic fail only there.",
    fix: 'Convert the result, with a string as the default: `int(os.getenv("PORT", "8080"))`.',
    isWanted: (found, lines) => !/\b(?:int|float|bool|str|Decimal)\(/.test(firstLine(found, lines)),
  },
  {
    id: "RUF064",
    severity: "major",
    category: "correctness",
    title: "Wrong file mode: a decimal number sets other permissions",
    why: "Modes are octal: decimal 644 is octal 1204, which is a different set of permissions.",
    fix: "Write it with `0o`, as in `0o644`.",
  },
  {
    id: "B008",
    severity: "major",
    category: "correctness",
    title: (message) =>
      `Shared default: ${nameIn(message, "the value of an argument")} is computed only once, at import`,
    why: "Python evaluates a default when the function is defined, so every later call gets the same old value.",
    fix: "Use `None` as the default and compute the value inside the function.",
    isWanted: (found) => NOW.test(found.message),
  },
  {
    id: "B039",
    severity: "major",
    category: "correctness",
    title: "Shared mutable default: all contexts have the same one",
    why: "The default of a ContextVar is created once, so a change in one context is visible in every other.",
    fix: "Use `None` as the default and set a new object in each context.",
  },
  {
    id: "RUF008",
    severity: "must-fix",
    category: "correctness",
    title: "Mutable default of a dataclass field raises a ValueError at import",
    why: "Dataclasses reject a list, dict or set as a default because all objects would share it.",
    fix: "Use `field(default_factory=list)`.",
  },
  {
    id: "B023",
    severity: "major",
    category: "correctness",
    title: (message) =>
      `Captured loop variable: the function sees the last value of ${nameIn(message, "it")}`,
    why: "The name is looked up when the function runs. After the loop, all of the functions use the value of the last round.",
    fix: "Bind the value as a default argument, as in `lambda x=x: …`, or use `functools.partial`.",
    inTests: false,
  },
  {
    id: "B031",
    severity: "major",
    category: "correctness",
    title: "Exhausted group: that of `groupby` can be read only once",
    why: "It's an iterator. The second reading gives nothing.",
    fix: "Store the group with `list(group)` first.",
  },
  {
    id: "B003",
    severity: "medium",
    category: "correctness",
    title: "Assignment without effect: `os.environ` is replaced, not the environment",
    why: "Child processes still get the old variables, because only the name is rebound.",
    fix: "Change the existing mapping, or pass `env=` to the child process.",
  },
  {
    id: "PLW1507",
    severity: "medium",
    category: "correctness",
    title: "Shallow copy of `os.environ`: it still changes the real environment",
    why: "`copy.copy` keeps the connection to the process's variables.",
    fix: "Use `os.environ.copy()`.",
  },
  {
    id: "INT001",
    severity: "medium",
    category: "correctness",
    title: "Missed translation: the text is filled in before it's translated",
    why: "Translations are looked up by the literal text. An f-string is already different.",
    fix: "Translate the text with placeholders, then format the result.",
  },
  {
    id: "INT002",
    severity: "medium",
    category: "correctness",
    title: "Missed translation: `format` runs before the text is translated",
    why: "Translations are looked up by the literal text.",
    fix: "Translate the text with placeholders, then format the result.",
  },
  {
    id: "INT003",
    severity: "medium",
    category: "correctness",
    title: "Missed translation: `%` is applied before the text is translated",
    why: "Translations are looked up by the literal text.",
    fix: "Translate the text with placeholders, then format the result.",
  },
];
