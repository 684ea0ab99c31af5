/**
 * Finds what a comment asks of Kodiai: `@kodiai review` or `/kodiai review` at the start of a line. What stands in a
 * quote, a code block or a code span was said by somebody else or about something else.
 */

/** A comment that begins its request further down is not addressed to us. */
const MAX_LINES = 200;

/** "review", "full review", and the same said politely. */
const REVIEW = /^(?:please,?\s+)?(?:do\s+)?(?:an?\s+)?(?:full\s+)?review\b/i;

/** "review" for a review, "unknown" for words we do not know, null when nobody spoke to us. */
export function parseCommand(body: string, slug: string): "review" | "unknown" | null {
  // Spaces only before it: a tab makes a code block. What follows may be anything, so that no end is looked for in vain.
  const address = new RegExp(
    `^ {0,3}(?:@${escapePattern(slug)}(?:\\[bot\\])?|/kodiai)(?=[\\s,:]|$)[,:]?(.*)$`,
    "is",
  );
  let fence: string | null = null;
  for (const line of body.split(/\r?\n/, MAX_LINES)) {
    if (fence !== null) {
      // Words after the marks belong to the code; only marks alone end it.
      const end = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
      if (end?.startsWith(fence) === true) fence = null;
      continue;
    }
    // Backticks further on make it a code span of one line, which opens nothing.
    const mark = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/s.exec(line);
    if (mark !== null) {
      fence = mark[1] ?? mark[2] ?? null;
      continue;
    }
    const said = address.exec(line)?.[1];
    if (said === undefined) continue;
    return REVIEW.test(said.trim()) ? "review" : "unknown";
  }
  return null;
}

function escapePattern(text: string): string {
  return text.replaceAll(/[^\w]/g, String.raw`\$&`);
}
