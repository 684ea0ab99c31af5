/**
 * A line of a series that was copied and not completed: `c: row.b` among `a: row.a`, `b: row.b`, and `end = range.start`
 * under `start = range.start`.
 */
import type { AddedLine } from "../../review/change/walk-hunks.ts";
import { type ChangeRule, nameOr, type RuleMatch } from "../rule.ts";

/** Names for two ends of the same thing: the second one must not be read from the first. */
const OPPOSITES: readonly (readonly [string, string])[] = [
  ["start", "end"],
  ["begin", "end"],
  ["first", "last"],
  ["min", "max"],
  ["from", "to"],
  ["width", "height"],
  ["left", "right"],
  ["top", "bottom"],
  ["before", "after"],
  ["source", "target"],
  ["lower", "upper"],
  ["latitude", "longitude"],
  ["lat", "lng"],
];

/** `target.name = source.name;`, `name: source.name,`, `name = source.name`. Groups: before, name, between, source, end. */
const FIELD =
  /^(\s*(?:(?:const|let|var|final|auto|val)\s+)?(?:[\w$@>-]{1,60}(?:\.|->))?)([A-Za-z_]\w{0,60})(\s*(?::=|[:=]|=>)\s*)([$@\w.>()-]{0,80}?(?:\.|->))([A-Za-z_]\w{0,60}(?:\(\))?)(\s*[,;]?)$/;

type Field = {
  readonly line: number;
  readonly name: string;
  readonly from: string;
  readonly value: string;
  /** The parts that every line of a series shares. */
  readonly shape: string;
};

function asField({ line, text }: AddedLine): Field | null {
  const found = FIELD.exec(text);
  if (found === null) return null;
  const [, before = "", name = "", between = "", source = "", value = ""] = found;
  return { line, name, from: source, value, shape: `${before}|${between.trim()}|${source}` };
}

/** Case and underscores differ between the two sides of a conversion. */
function plain(name: string): string {
  return name.replaceAll(/[_()]|^(?:get|Get)(?=[A-Z])/g, "").toLowerCase();
}

/** Fewer lines don't show a pattern. */
const MIN_SERIES = 4;

/** The one line whose value isn't its own name's, and is another line's. */
function oddOne(series: readonly Field[]): Field | null {
  if (series.length < MIN_SERIES) return null;
  const odd = series.filter((field) => plain(field.name) !== plain(field.value));
  const [only] = odd;
  if (odd.length !== 1 || only === undefined) return null;
  const at = series.indexOf(only);
  const neighbours = [series[at - 1], series[at + 1]];
  return neighbours.some((field) => field !== undefined && plain(field.value) === plain(only.value))
    ? only
    : null;
}

/** The end of a pair that is read from the other end. */
function wrongEnd(first: Field, second: Field): boolean {
  if (second.line !== first.line + 1 || first.shape !== second.shape || first.value !== second.value)
    return false;
  return OPPOSITES.some(([one, other]) =>
    [
      [one, other],
      [other, one],
    ].some(
      ([own = "", opposite = ""]) =>
        wordsOf(first.name).includes(own) &&
        wordsOf(first.value).includes(own) &&
        wordsOf(second.name).includes(opposite) &&
        wordsOf(first.name)
          .map((word) => (word === own ? opposite : word))
          .join(" ") === wordsOf(second.name).join(" "),
    ),
  );
}

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[_()]+/)
    .filter((word) => word !== "");
}

function oddFieldsOf(added: readonly AddedLine[]): readonly Field[] {
  const found: Field[] = [];
  let series: Field[] = [];
  const close = (): void => {
    const odd = oddOne(series);
    if (odd !== null) found.push(odd);
    else
      for (const [index, field] of series.entries()) {
        const before = series[index - 1];
        if (before !== undefined && wrongEnd(before, field)) found.push(field);
      }
    series = [];
  };
  for (const line of added) {
    const field = asField(line);
    const last = series.at(-1);
    if (
      field === null ||
      (last !== undefined && (field.shape !== last.shape || field.line !== last.line + 1))
    )
      close();
    if (field !== null) series.push(field);
  }
  close();
  return found;
}

export const copiedField: ChangeRule = {
  kind: "change",
  id: "copied-field",
  title: "Copied line still reads the other field",
  severity: "major",
  category: "correctness",
  why: "The lines around it read the field of their own name. This one reads its neighbor's, so two fields get the same value.",
  fix: "Read the field that belongs to this name.",
  confidence: 0.9,
  *check(view): Iterable<RuleMatch & { readonly path: string }> {
    for (const file of view.files) {
      if (file.category !== "source" && file.category !== "test") continue;
      for (const field of oddFieldsOf(file.added)) {
        yield {
          path: file.path,
          line: field.line,
          title: `Copied line: ${nameOr(field.name, "a field")} is read from ${nameOr(`${field.from}${field.value}`.slice(-38), "its neighbor's field")}, like the line next to it`,
        };
      }
    }
  },
  examples: {
    bad: [
      {
        line: 5,
        files: [
          {
            path: "src/convert.ts",
            after:
              "export const convert = (row: Row) => ({\n  id: row.id,\n  name: row.name,\n  city: row.city,\n  street: row.city,\n  zip: row.zip,\n});\n",
          },
        ],
      },
      {
        line: 3,
        files: [
          {
            path: "app/range.py",
            after:
              "def read(range):\n    start = range.start\n    end = range.start\n    return start, end\n",
          },
        ],
      },
      {
        line: 5,
        files: [
          {
            path: "src/Copy.cs",
            after:
              "class Copy {\n  void Run(Dto dto) {\n    order.Id = dto.Id;\n    order.Net = dto.Net;\n    order.Tax = dto.Net;\n    order.Total = dto.Total;\n  }\n}\n",
          },
        ],
      },
    ],
    good: [
      {
        files: [
          {
            path: "src/convert.ts",
            after:
              "export const convert = (row: Row) => ({\n  id: row.id,\n  name: row.name,\n  city: row.city,\n  street: row.street,\n});\n",
          },
        ],
      },
      {
        files: [
          {
            path: "src/label.ts",
            after:
              "export const label = (row: Row) => ({\n  id: row.id,\n  name: row.name,\n  label: row.title,\n  zip: row.zip,\n});\n",
          },
        ],
      },
      {
        files: [
          {
            path: "app/range.py",
            after:
              "def read(range):\n    start = range.start\n    end = range.end\n    first = 0\n    last = 0\n",
          },
        ],
      },
    ],
  },
};
