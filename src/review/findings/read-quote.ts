/**
 * Possible readings of a quote. Models wrap code in fences, number its lines, copy diff signs, or write a line break as two
 * characters. Each reading removes some of these marks; the first is the unchanged quote.
 */
import {
  withoutFence,
  withoutGutter,
  withoutHeaders,
  withoutSigns,
  withoutWrapping,
} from "./copied-marks.ts";

export type QuoteReading = {
  readonly lines: readonly string[];
  /** The side of the diff that its signs indicate; null without signs. */
  readonly side: "new" | "old" | null;
  /** The number before its first line; null without numbers. */
  readonly number: number | null;
  /** Below 1 when lines of the quote are ignored. */
  readonly share: number;
};

/** Including readings of readings; real quotes have one or two. */
const MAX_READINGS = 12;

type Step = (reading: QuoteReading) => readonly QuoteReading[];

const cleaned =
  (clean: (lines: readonly string[]) => readonly string[] | null): Step =>
  (reading) => {
    const lines = clean(reading.lines);
    return lines === null ? [] : [{ ...reading, lines }];
  };

const unnumber: Step = (reading) => {
  const numbered = withoutGutter(reading.lines);
  return numbered === null ? [] : [{ ...reading, lines: numbered.lines, number: numbered.firstNumber }];
};

/** When a quote has added and removed lines, only the added ones count. */
const PART_OF_QUOTE = 0.95;

const unsign: Step = (reading) => {
  const signed = withoutSigns(reading.lines);
  if (signed === null) return [];
  const { added, removed, firstOnly } = signed;
  return [
    ...(firstOnly === null ? [] : [{ ...reading, lines: firstOnly }]),
    ...(added.length === 0
      ? []
      : [
          { ...reading, lines: added, side: "new" as const, share: removed.length === 0 ? 1 : PART_OF_QUOTE },
        ]),
    ...(added.length > 0 || removed.length === 0
      ? []
      : [{ ...reading, lines: removed, side: "old" as const }]),
  ];
};

const STEPS: readonly Step[] = [
  cleaned(withoutFence),
  cleaned(withoutHeaders),
  cleaned(withoutWrapping),
  cleaned(decoded),
  unnumber,
  unsign,
];

export function readQuote(quote: string): readonly QuoteReading[] {
  let readings: readonly QuoteReading[] = [
    { lines: quote.replaceAll("\r", "").split("\n"), side: null, number: null, share: 1 },
  ];
  for (const step of STEPS) readings = [...readings, ...readings.flatMap(step)].slice(0, MAX_READINGS);
  return readings
    .map((reading) => ({ ...reading, lines: trimBlank(reading.lines) }))
    .filter(({ lines }) => lines.length > 0);
}

function trimBlank(lines: readonly string[]): readonly string[] {
  const isText = (line: string): boolean => line.trim() !== "";
  return lines.slice(lines.findIndex(isText), lines.findLastIndex(isText) + 1);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&amp;": "&",
};

/** Undoes JSON or HTML escaping that was applied once too often. */
function decoded(lines: readonly string[]): readonly string[] | null {
  const text = lines.join("\n");
  const plain = text
    .replace(/\\r\\n|\\n|[ \t]*[⏎↵][ \t]*/g, "\n")
    .replace(/\\t/g, "\t")
    .replace(/\\(["'`\\])/g, "$1")
    .replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity);
  return plain === text ? null : plain.split("\n");
}
