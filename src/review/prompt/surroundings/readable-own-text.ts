/** A comment of Kodiai's as its readers see it: without collapsed parts, link targets and the marks that keep text inert. Pure and linear. */

/** Our links: no brackets in their text, no spaces and parentheses in their address. */
const LINK = /\[([^[\]\n]{0,1000})\]\([^\s()]{0,2000}\)/g;

const COLLAPSED = /<(?<slash>\/?)details>/g;

export function readableOwnText(text: string): string {
  return withoutCollapsed(text).replace(LINK, "$1").replaceAll("&#8203;", "");
}

/** An unclosed part hides the rest, as on the host. */
function withoutCollapsed(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (const { 0: tag, index, groups } of text.matchAll(COLLAPSED)) {
    if (groups?.["slash"] === "") {
      if (depth === 0) parts.push(text.slice(from, index));
      depth++;
    } else if (depth > 0) {
      depth--;
      from = index + tag.length;
    }
  }
  return parts.join("") + (depth === 0 ? text.slice(from) : "");
}
