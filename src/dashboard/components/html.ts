/**
 * The one way from values to HTML: a tagged template that escapes every text and shows characters that a browser would hide or
 * reorder. Nothing else in the dashboard concatenates markup.
 */
import { html as template, raw } from "hono/html";
import { printable } from "../../base/printable.ts";

/** Markup that needs no escaping. */
export type Html = ReturnType<typeof raw>;

/** `false`, null and undefined add nothing. */
export type HtmlValue = string | number | false | null | undefined | Html | readonly HtmlValue[];

export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const made = template(strings, ...values.map(visible));
  if (made instanceof Promise) throw new TypeError("A template waits for nothing.");
  return made;
}

/** Markup of our own that is no template: the stylesheet of a file that stands alone. Never for text from outside. */
export function trusted(markup: string): Html {
  return raw(markup);
}

export const NO_HTML: Html = raw("");

function visible(value: HtmlValue): unknown {
  if (typeof value === "string") return shown(value);
  return isList(value) ? value.map(visible) : value;
}

/** Most texts, of which nothing has to be shown in another way. */
const PLAIN = /^[ -~]*$/;

/** Line breaks are kept; only preformatted text shows them. */
function shown(text: string): string {
  if (PLAIN.test(text)) return text;
  if (!text.includes("\n")) return printable(text);
  return text
    .split("\n")
    .map((line) => printable(line.endsWith("\r") ? line.slice(0, -1) : line))
    .join("\n");
}

function isList(value: HtmlValue): value is readonly HtmlValue[] {
  return Array.isArray(value);
}
