/** IDs of what is remembered, as people write them: a letter for the kind and the number of the row. */
import { KodiaiError } from "../../base/errors.ts";
import { printable } from "../../base/printable.ts";

const KINDS = { m: "memory", l: "learning", s: "suppression" } as const;

export type MemoryItemKind = (typeof KINDS)[keyof typeof KINDS];
export type MemoryItemId = {
  readonly kind: MemoryItemKind;
  readonly id: number;
  /** As written: "l12". */
  readonly text: string;
};

const SHOWN_CHARS = 40;

export function parseMemoryId(text: string): MemoryItemId {
  const [, letter = "", digits = ""] = /^([mls]?)([1-9]\d{0,14})$/.exec(text) ?? [];
  if (letter === "m" || letter === "l" || letter === "s")
    return { kind: KINDS[letter], id: Number(digits), text };
  const shown = printable(text.slice(0, SHOWN_CHARS));
  const message =
    digits === ""
      ? `"${shown}" isn't an ID`
      : `the ID ${shown} has no letter: m${shown} is a memory, l${shown} a learning, s${shown} a suppression`;
  throw new KodiaiError("usage", message, { hint: "Run `kodiai memory list` for IDs, such as l12." });
}

export function unknownItem({ kind, text }: MemoryItemId): KodiaiError {
  return new KodiaiError("usage", `there is no ${kind} ${text}`, {
    hint: "Run `kodiai memory list` for a list. It may have been forgotten.",
  });
}
