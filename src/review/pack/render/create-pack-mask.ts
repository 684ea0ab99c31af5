/**
 * Masks secrets in everything that a pack shows. Values that the change contains are masked wherever they occur, also where
 * they don't look like a secret, and also when the file that has them is left out.
 */
import { findSecrets } from "../../../base/secrets/find-secrets.ts";
import { MASK, maskLines, maskSpans } from "../../../base/secrets/mask-secrets.ts";
import { occurrencesOf, secretValuesIn } from "../../../base/secrets/same-length-mask.ts";
import type { Change } from "../../change/change.ts";
import type { MaskedText } from "./block.ts";

export type PackMask = (text: string) => MaskedText;

/** Every value is looked for in every file. A change with more secrets is a dump of them. */
const MAX_VALUES = 500;

export function createPackMask({ files }: Pick<Change, "files">): PackMask {
  const values = new Set<string>();
  for (const { hunks } of files) {
    const text = hunks.flatMap(({ lines }) => lines).join("\n");
    for (const value of secretValuesIn(text)) if (values.size < MAX_VALUES) values.add(value);
  }
  const known = [...values].toSorted((a, b) => b.length - a.length);
  // Of a file that doesn't fit as a whole, parts are tried next.
  let last: { readonly text: string; readonly shown: MaskedText } | null = null;
  return (text) => {
    if (last?.text === text) return last.shown;
    let masked = 0;
    const spans = [...findSecrets(text), ...occurrencesOf(known, text)];
    const shown = maskSpans(text, spans, (secret) => {
      masked++;
      return maskLines(secret, () => MASK);
    });
    last = { text, shown: { text: shown, masked } };
    return last.shown;
  };
}
