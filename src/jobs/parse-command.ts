/**
 * Finds a command to Kodiai in a comment: `@kodiai review`, `full review` or `resume` at the start of a line, also after
 * `/kodiai`. Quotes, code blocks and code spans are ignored, because they cite text instead of addressing Kodiai.
 */

/** Commands further down in a long comment are ignored. */
const MAX_LINES = 200;

/** Optionally with "please". */
const REVIEW = /^(?:please,?\s+)?(?:do\s+)?(?:an?\s+)?(full\s+)?review\b/i;
const RESUME = /^(?:please,?\s+)?resume\b/i;

/** `full-review` reads everything again; `resume` also ends a pause; `unknown` addresses Kodiai with other words. */
export type CommentCommand = "review" | "full-review" | "resume" | "unknown";

/** Null when the comment doesn't address Kodiai. */
export function parseCommand(body: string, slug: string): CommentCommand | null {
  // Only spaces may precede it: a tab starts a code block. The tail matches anything, so matching takes linear time.
  const address = new RegExp(
    `^ {0,3}(?:@${escapePattern(slug)}(?:\\[bot\\])?|/kodiai)(?=[\\s,:]|$)[,:]?(.*)$`,
    "is",
  );
  let fence: string | null = null;
  for (const line of body.split(/\r?\n/, MAX_LINES)) {
    if (fence !== null) {
      // A closing fence has no text after its marks. A line with text belongs to the code.
      const end = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
      if (end?.startsWith(fence) === true) fence = null;
      continue;
    }
    // More backticks on the same line make it a code span, which opens no block.
    const mark = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/s.exec(line);
    if (mark !== null) {
      fence = mark[1] ?? mark[2] ?? null;
      continue;
    }
    const command = address.exec(line)?.[1];
    if (command === undefined) continue;
    return commandOf(command.trim());
  }
  return null;
}

function commandOf(words: string): CommentCommand {
  const review = REVIEW.exec(words);
  if (review !== null) return review[1] === undefined ? "review" : "full-review";
  return RESUME.test(words) ? "resume" : "unknown";
}

function escapePattern(text: string): string {
  return text.replaceAll(/[^\w]/g, String.raw`\$&`);
}
