/** Whether a line of a file is only a comment or blank, in any of the common languages. In doubt it is: a line that says something proves nothing. */

/** A line that begins as a comment. `#` also begins C's directives and Markdown's headings. */
const BARE_COMMENT =
  /^\s*(?:\/\/|\/\*|\*(?:\/|\s|$)|#(?!\s*(?:include|define|if|ifdef|ifndef|else|elif|endif|pragma|undef)\b|\[|!\[)|--\s|;(?![([])|%|<!--|\{\/\*|"""|'''|=begin\b)/;

/** The start of a comment or a string of several lines. `/*` within a word is a pattern of paths. */
const OPENS = /(?<=^|[\s{(;,])\/\*|<!--|"""|'''|^=begin\b/g;

const CLOSES: Readonly<Record<string, string>> = { "/*": "*/", "<!--": "-->", "=begin": "=end" };

type Block = { readonly closes: string; readonly isComment: boolean };

/** Lines count from 1. A line that the file doesn't have is blank. */
export function isCommentLine(lines: readonly string[], number: number): boolean {
  const text = lines[number - 1] ?? "";
  if (text.trim() === "" || BARE_COMMENT.test(text)) return true;
  let block: Block | null = null;
  for (const line of lines.slice(0, number - 1)) block = blockAfter(line, block);
  return block?.isComment === true;
}

/** The comment or string that is open at the end of a line. */
function blockAfter(line: string, before: Block | null): Block | null {
  if (before === null && /^\s*(?:\/\/|#)/.test(line)) return null;
  let block = before;
  for (let at = 0; ;) {
    if (block !== null) {
      const end = line.indexOf(block.closes, at);
      if (end === -1) return block;
      at = end + block.closes.length;
    }
    OPENS.lastIndex = at;
    const found = OPENS.exec(line);
    if (found === null) return null;
    const [mark] = found;
    const closes = CLOSES[mark];
    // Three quotes after code begin a string that the program uses, such as a query.
    const isComment = closes !== undefined || line.slice(0, found.index).trim() === "";
    block = { closes: closes ?? mark, isComment };
    at = OPENS.lastIndex;
  }
}
