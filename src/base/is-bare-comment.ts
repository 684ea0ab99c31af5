/** A line that begins as a comment in one of the common languages. `#` also begins C's directives and Markdown's headings. */
const BARE_COMMENT =
  /^\s*(?:\/\/|\/\*|\*(?:\/|\s|$)|#(?!\s*(?:include|define|if|ifdef|ifndef|else|elif|endif|pragma|undef)\b|\[|!\[)|--\s|;(?![([])|%|<!--|\{\/\*|"""|''')/;

export function isBareComment(line: string): boolean {
  return BARE_COMMENT.test(line);
}
