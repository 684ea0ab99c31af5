/** Values of the wrong kind: formats that don't match, repeated keys, bad arguments, shared defaults. */
import { nameOr } from "../../../rules/rule.ts";
import { badPython, firstLine, goodPython, nameIn, type RuffRule } from "../ruff-rule.ts";

const FORMAT = {
  severity: "must-fix",
  category: "correctness",
  why: "Python checks the format string only when the line runs, and then raises an exception.",
  reason: "The line fails every time it runs, and it's often an error path that no test reaches.",
} as const;

const UNUSED_FORMAT = {
  severity: "medium",
  category: "correctness",
  why: "The value never appears in the text. Usually a placeholder is missing or misspelled.",
  fix: "Add the placeholder, or remove the value.",
  reason: "The message lacks what the author wanted to show.",
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
    examples: {
      bad: [badPython(2, 'def show(a):\n    return "%s and %s" % (a,)\n')],
      good: [goodPython('def show(a, b):\n    return "%s and %s" % (a, b)\n')],
    },
  },
  {
    ...FORMAT,
    id: "F502",
    title: "Format mismatch: named placeholders need a dict",
    fix: "Pass a dict with the names, or use plain `%s`.",
    examples: {
      bad: [badPython(2, 'def show(a):\n    return "%(name)s" % [a]\n')],
      good: [goodPython('def show(a):\n    return "%(name)s" % {"name": a}\n')],
    },
  },
  {
    ...FORMAT,
    id: "F503",
    title: "Format mismatch: plain placeholders need values, not a dict",
    fix: "Pass a tuple, or name the placeholders.",
    examples: {
      bad: [badPython(2, 'def show(a):\n    return "%s and %s" % {"a": a}\n')],
      good: [goodPython('def show(a, b):\n    return "%s and %s" % (a, b)\n')],
    },
  },
  {
    ...FORMAT,
    id: "F505",
    title: (message) => `Format mismatch: the placeholder ${listedIn(message, "here")} has no value`,
    fix: "Add the key to the dict, or correct the name.",
    examples: {
      bad: [badPython(2, 'def show(a):\n    return "%(name)s" % {"nam": a}\n')],
      good: [goodPython('def show(a):\n    return "%(name)s" % {"name": a}\n')],
    },
  },
  {
    ...FORMAT,
    id: "F506",
    title: "Mixed placeholders: named and plain ones can't be combined",
    fix: "Name all of the placeholders, or none.",
    examples: {
      bad: [badPython(2, 'def show(a):\n    return "%(name)s %s" % (a,)\n')],
      good: [goodPython('def show(a, b):\n    return "%s %s" % (a, b)\n')],
    },
  },
  {
    ...FORMAT,
    id: "F509",
    title: "Unknown format character, so formatting fails",
    fix: "Use a known one such as `%s`, and `%%` for a percent sign.",
    examples: {
      bad: [badPython(2, 'def show(a):\n    return "done: %t" % a\n')],
      good: [goodPython('def show(a):\n    return "done: %s, 100%%" % a\n')],
    },
  },
  {
    ...FORMAT,
    id: "F521",
    title: "Invalid format string: `format` fails",
    fix: "Balance the braces, and write `{{` for a literal one.",
    examples: {
      bad: [badPython(2, 'def show(a):\n    return "{" .format(a)\n')],
      good: [goodPython('def show(a):\n    return "{{{}".format(a)\n')],
    },
  },
  {
    ...FORMAT,
    id: "F524",
    title: (message) => `Format mismatch: the placeholder ${listedIn(message, "here")} has no value`,
    fix: "Pass the missing argument, or correct the name.",
    examples: {
      bad: [
        badPython(2, 'def show(a):\n    return "{name}".format(nam=a)\n'),
        badPython(2, 'def show(a):\n    return "{} {}".format(a)\n'),
      ],
      good: [goodPython('def show(a):\n    return "{name}".format(name=a)\n')],
    },
  },
  {
    ...FORMAT,
    id: "F525",
    title: "Mixed placeholders: numbered and automatic ones can't be combined",
    fix: "Number all of the placeholders, or none.",
    examples: {
      bad: [badPython(2, 'def show(a, b):\n    return "{} {1}".format(a, b)\n')],
      good: [goodPython('def show(a, b):\n    return "{} {}".format(a, b)\n')],
    },
  },
  {
    ...UNUSED_FORMAT,
    id: "F504",
    title: (message) => `Unused value: the format string doesn't use ${listedIn(message, "it")}`,
    examples: {
      bad: [badPython(2, 'def show(a, b):\n    return "%(a)s" % {"a": a, "b": b}\n')],
      good: [goodPython('def show(a):\n    return "%(a)s" % {"a": a}\n')],
    },
  },
  {
    ...UNUSED_FORMAT,
    id: "F522",
    title: (message) => `Unused value: the format string doesn't use ${listedIn(message, "it")}`,
    examples: {
      bad: [badPython(2, 'def show(a, b):\n    return "{a}".format(a=a, b=b)\n')],
      good: [goodPython('def show(a):\n    return "{a}".format(a=a)\n')],
    },
  },
  {
    ...UNUSED_FORMAT,
    id: "F523",
    title: "Unused value: `format` gets one that no placeholder shows",
    examples: {
      bad: [badPython(2, 'def show(a, b):\n    return "{}".format(a, b)\n')],
      good: [goodPython('def show(a, b):\n    return "{} {}".format(a, b)\n')],
    },
  },
  {
    ...FORMAT,
    id: "PLE1307",
    title: "Format mismatch: placeholder and value have different types",
    fix: "Use `%s`, or convert the value.",
    examples: {
      bad: [badPython(2, 'def show():\n    return "%d" % "three"\n')],
      good: [goodPython('def show():\n    return "%d" % 3\n')],
    },
  },
  {
    id: "PLE1205",
    severity: "major",
    category: "correctness",
    title: "Lost log message: the call has more values than placeholders",
    why: "The logging module prints a traceback instead of the message.",
    fix: "Add a `%s` for each value.",
    reason: "The message is missing when it's needed.",
    // Other logging packages use `{}`.
    isWanted: (found, lines) => !/[{]/.test(lines.slice(found.line - 1, found.endLine).join(" ")),
    examples: {
      bad: [badPython(3, 'import logging\n\nlogging.error("failed", 3)\n')],
      good: [goodPython('import logging\n\nlogging.error("failed: %s", 3)\n')],
    },
  },
  {
    id: "PLE1206",
    severity: "major",
    category: "correctness",
    title: "Lost log message: the call has fewer values than placeholders",
    why: "The logging module prints a traceback instead of the message.",
    fix: "Pass one value per placeholder.",
    reason: "The message is missing when it's needed.",
    examples: {
      bad: [badPython(3, 'import logging\n\nlogging.error("failed: %s %s", 3)\n')],
      good: [goodPython('import logging\n\nlogging.error("failed: %s %s", 3, 4)\n')],
    },
  },
  {
    id: "F601",
    severity: "major",
    category: "correctness",
    title: (message) =>
      `Duplicate key: ${nameIn(message.replaceAll(/["']/g, ""), "it")} is in the dict twice, so the first value is lost`,
    why: "The last value of a key wins.",
    fix: "Remove one of the entries, or correct its key.",
    reason: "A copied line whose key wasn't changed.",
    isCertainAnywhere: true,
    examples: {
      bad: [badPython(1, 'prices = {"apple": 1, "apple": 2}\n')],
      good: [goodPython('prices = {"apple": 1, "pear": 2}\n')],
    },
  },
  {
    id: "B033",
    severity: "minor",
    category: "correctness",
    title: (message) =>
      `Duplicate value: ${nameIn(message.replaceAll(/["']/g, ""), "it")} is in the set twice`,
    why: "The second one has no effect. Usually another value was meant.",
    fix: "Remove it, or correct the value.",
    reason: "A copied value that wasn't changed.",
    isCertainAnywhere: true,
    examples: {
      bad: [badPython(1, 'fruits = {"apple", "apple"}\n')],
      good: [goodPython('fruits = {"apple", "pear"}\n')],
    },
  },
  {
    id: "B035",
    severity: "major",
    category: "correctness",
    title: "Overwritten key: every round of the comprehension writes the same one",
    why: "The dict ends up with one entry, the last one.",
    fix: "Use the loop variable in the key.",
    reason: "All but one value are lost.",
    examples: {
      bad: [badPython(2, 'def index(items):\n    return {"id": item for item in items}\n')],
      good: [goodPython("def index(items):\n    return {item.id: item for item in items}\n")],
    },
  },
  {
    id: "B005",
    severity: "major",
    category: "correctness",
    title: "Wrong strip: `strip` removes single characters, not the given word",
    why: "`strip`, `lstrip` and `rstrip` treat the argument as a set of characters and remove more than the prefix or suffix.",
    fix: "Use `removeprefix` or `removesuffix`.",
    reason: "It works for the first example and breaks for the next one.",
    isWanted: (found, lines) => /strip\(\s*[bru]*["'][^"']*\w{3}/.test(firstLine(found, lines)),
    examples: {
      bad: [badPython(2, 'def host(url):\n    return url.lstrip("https://")\n')],
      good: [
        goodPython('def host(url):\n    return url.removeprefix("https://")\n'),
        goodPython('def clean(text):\n    return text.strip("\\r\\n")\n'),
      ],
    },
  },
  {
    id: "PLE1132",
    severity: "must-fix",
    category: "correctness",
    title: (message) =>
      `Duplicate argument: ${nameIn(message, "it")} is passed twice, which raises a TypeError`,
    why: "Python rejects a call that gives the same argument twice.",
    fix: "Remove one of them.",
    reason: "The call fails every time.",
    examples: {
      bad: [badPython(2, 'def run(call):\n    call(a=1, **{"a": 2})\n')],
      good: [goodPython('def run(call):\n    call(a=1, **{"b": 2})\n')],
    },
  },
  {
    id: "PLE0643",
    severity: "must-fix",
    category: "correctness",
    title: "Index out of range: this raises an IndexError",
    why: "The sequence has fewer elements than the index needs.",
    fix: "Correct the index or the sequence.",
    reason: "The line fails every time.",
    examples: { bad: [badPython(1, "last = [1, 2, 3][3]\n")], good: [goodPython("last = [1, 2, 3][2]\n")] },
  },
  {
    id: "RUF016",
    severity: "must-fix",
    category: "correctness",
    title: "Invalid index: it isn't a number",
    why: "Only whole numbers and slices can be an index, so this raises a TypeError.",
    fix: "Use a number, or a dict.",
    reason: "The line fails every time.",
    examples: { bad: [badPython(1, 'last = [1, 2, 3]["2"]\n')], good: [goodPython("last = [1, 2, 3][2]\n")] },
  },
  {
    id: "RUF026",
    severity: "must-fix",
    category: "correctness",
    title: "Misused `default_factory`: it is stored as a key of the dict",
    why: "`defaultdict` takes its factory only as the first argument, so missing keys raise a KeyError.",
    fix: "Pass the factory without a name: `defaultdict(list)`.",
    reason: "The dict has no default.",
    examples: {
      bad: [
        badPython(3, "from collections import defaultdict\n\ngroups = defaultdict(default_factory=list)\n"),
      ],
      good: [goodPython("from collections import defaultdict\n\ngroups = defaultdict(list)\n")],
    },
  },
  {
    id: "PLW1501",
    severity: "must-fix",
    category: "correctness",
    title: (message) =>
      `Invalid mode: ${nameIn(message, "this text")} isn't a mode of \`open\`, which raises a ValueError`,
    why: "`open` accepts only certain combinations of `r`, `w`, `a`, `x`, `b`, `t` and `+`.",
    fix: "Use a valid mode.",
    reason: "The call fails every time.",
    examples: {
      bad: [badPython(2, 'def load(path):\n    return open(path, "rw")\n')],
      good: [goodPython('def load(path):\n    return open(path, "r+")\n')],
    },
  },
  {
    id: "PLE1507",
    severity: "must-fix",
    category: "correctness",
    title: "Invalid name of an environment variable: it must be a string",
    why: "`os.getenv` raises a TypeError for any other type.",
    fix: "Pass the name as a string.",
    reason: "The call fails every time.",
    examples: {
      bad: [badPython(3, "import os\n\nport = os.getenv(8080)\n")],
      good: [goodPython('import os\n\nport = os.getenv("PORT")\n')],
    },
  },
  {
    id: "PLW1508",
    severity: "medium",
    category: "correctness",
    title: "Invalid default of an environment variable: it isn't a string",
    why: "The variable is a string when it's set, so the type depends on the machine, and comparisons and arithmetic fail only there.",
    fix: 'Convert the result, with a string as the default: `int(os.getenv("PORT", "8080"))`.',
    reason: "Two types from one call are a mistake unless the result is converted.",
    isWanted: (found, lines) => !/\b(?:int|float|bool|str|Decimal)\(/.test(firstLine(found, lines)),
    examples: {
      bad: [badPython(3, 'import os\n\nport = os.getenv("PORT", 8080)\n')],
      good: [
        goodPython('import os\n\nport = int(os.getenv("PORT", "8080"))\n'),
        goodPython('import os\n\nport = int(os.getenv("PORT", 8080))\n'),
      ],
    },
  },
  {
    id: "RUF064",
    severity: "major",
    category: "correctness",
    title: "Wrong file mode: a decimal number sets other permissions",
    why: "Modes are octal: decimal 644 is octal 1204, which is a different set of permissions.",
    fix: "Write it with `0o`, as in `0o644`.",
    reason: "The file gets permissions that the author didn't choose.",
    examples: {
      bad: [badPython(3, 'import os\n\nos.chmod("key", 600)\n')],
      good: [goodPython('import os\n\nos.chmod("key", 0o600)\n')],
    },
  },
  {
    id: "B008",
    severity: "major",
    category: "correctness",
    title: (message) =>
      `Shared default: ${nameIn(message, "the value of an argument")} is computed only once, at import`,
    why: "Python evaluates a default when the function is defined, so every later call gets the same old value.",
    fix: "Use `None` as the default and compute the value inside the function.",
    reason: "A time, an id or a random number is meant to be new for each call.",
    isWanted: (found) => NOW.test(found.message),
    examples: {
      bad: [
        badPython(3, "import datetime\n\ndef log(text, at=datetime.datetime.now()):\n    print(at, text)\n"),
      ],
      good: [
        goodPython(
          "import datetime\n\ndef log(text, at=None):\n    print(at or datetime.datetime.now(), text)\n",
        ),
        goodPython("def show(db=Depends(get_db)):\n    return db\n"),
      ],
    },
  },
  {
    id: "B039",
    severity: "major",
    category: "correctness",
    title: "Shared mutable default: all contexts have the same one",
    why: "The default of a ContextVar is created once, so a change in one context is visible in every other.",
    fix: "Use `None` as the default and set a new object in each context.",
    reason: "Data of one request leaks into another.",
    examples: {
      bad: [badPython(3, 'from contextvars import ContextVar\n\ntags = ContextVar("tags", default=[])\n')],
      good: [goodPython('from contextvars import ContextVar\n\ntags = ContextVar("tags", default=None)\n')],
    },
  },
  {
    id: "RUF008",
    severity: "must-fix",
    category: "correctness",
    title: "Mutable default of a dataclass field raises a ValueError at import",
    why: "Dataclasses reject a list, dict or set as a default because all objects would share it.",
    fix: "Use `field(default_factory=list)`.",
    reason: "The module can't be imported.",
    examples: {
      bad: [
        badPython(5, "from dataclasses import dataclass\n\n@dataclass\nclass Cart:\n    items: list = []\n"),
      ],
      good: [
        goodPython(
          "from dataclasses import dataclass, field\n\n@dataclass\nclass Cart:\n    items: list = field(default_factory=list)\n",
        ),
      ],
    },
  },
  {
    id: "B023",
    severity: "major",
    category: "correctness",
    title: (message) =>
      `Captured loop variable: the function sees the last value of ${nameIn(message, "it")}`,
    why: "The name is looked up when the function runs. After the loop, all of the functions use the value of the last round.",
    fix: "Bind the value as a default argument, as in `lambda x=x: …`, or use `functools.partial`.",
    reason: "A stored callback acts on the wrong element.",
    inTests: false,
    examples: {
      bad: [
        badPython(
          3,
          "def build(menu, names, choose):\n    for name in names:\n        menu.add(lambda: choose(name))\n",
        ),
      ],
      good: [
        goodPython(
          "def build(menu, names, choose):\n    for name in names:\n        menu.add(lambda name=name: choose(name))\n",
        ),
      ],
    },
  },
  {
    id: "B031",
    severity: "major",
    category: "correctness",
    title: "Exhausted group: that of `groupby` can be read only once",
    why: "It's an iterator. The second reading gives nothing.",
    fix: "Store the group with `list(group)` first.",
    reason: "Later rounds work on an empty group.",
    examples: {
      bad: [
        badPython(
          5,
          "import itertools\n\nfor key, group in itertools.groupby([1, 1, 2]):\n    for turn in range(2):\n        print(key, turn, list(group))\n",
        ),
      ],
      good: [
        goodPython(
          "import itertools\n\nfor key, group in itertools.groupby([1, 1, 2]):\n    print(key, list(group))\n",
        ),
      ],
    },
  },
  {
    id: "B003",
    severity: "medium",
    category: "correctness",
    title: "Assignment without effect: `os.environ` is replaced, not the environment",
    why: "Child processes still get the old variables, because only the name is rebound.",
    fix: "Change the existing mapping, or pass `env=` to the child process.",
    reason: "The change has no effect where it matters.",
    examples: {
      bad: [badPython(3, 'import os\n\nos.environ = {"A": "1"}\n')],
      good: [goodPython('import os\n\nos.environ["A"] = "1"\n')],
    },
  },
  {
    id: "PLW1507",
    severity: "medium",
    category: "correctness",
    title: "Shallow copy of `os.environ`: it still changes the real environment",
    why: "`copy.copy` keeps the connection to the process's variables.",
    fix: "Use `os.environ.copy()`.",
    reason: "Changes to the copy leak into the process.",
    examples: {
      bad: [badPython(4, "import copy\nimport os\n\nenv = copy.copy(os.environ)\n")],
      good: [goodPython("import os\n\nenv = os.environ.copy()\n")],
    },
  },
  {
    id: "INT001",
    severity: "medium",
    category: "correctness",
    title: "Missed translation: the text is filled in before it's translated",
    why: "Translations are looked up by the literal text. An f-string is already different.",
    fix: "Translate the text with placeholders, then format the result.",
    reason: "The text is never translated.",
    examples: {
      bad: [
        badPython(4, 'from gettext import gettext as _\n\ndef greet(name):\n    return _(f"Hello {name}")\n'),
      ],
      good: [
        goodPython(
          'from gettext import gettext as _\n\ndef greet(name):\n    return _("Hello {}").format(name)\n',
        ),
      ],
    },
  },
  {
    id: "INT002",
    severity: "medium",
    category: "correctness",
    title: "Missed translation: `format` runs before the text is translated",
    why: "Translations are looked up by the literal text.",
    fix: "Translate the text with placeholders, then format the result.",
    reason: "The text is never translated.",
    examples: {
      bad: [
        badPython(
          4,
          'from gettext import gettext as _\n\ndef greet(name):\n    return _("Hello {}".format(name))\n',
        ),
      ],
      good: [
        goodPython(
          'from gettext import gettext as _\n\ndef greet(name):\n    return _("Hello {}").format(name)\n',
        ),
      ],
    },
  },
  {
    id: "INT003",
    severity: "medium",
    category: "correctness",
    title: "Missed translation: `%` is applied before the text is translated",
    why: "Translations are looked up by the literal text.",
    fix: "Translate the text with placeholders, then format the result.",
    reason: "The text is never translated.",
    examples: {
      bad: [
        badPython(
          4,
          'from gettext import gettext as _\n\ndef greet(name):\n    return _("Hello %s" % name)\n',
        ),
      ],
      good: [
        goodPython('from gettext import gettext as _\n\ndef greet(name):\n    return _("Hello %s") % name\n'),
      ],
    },
  },
];
