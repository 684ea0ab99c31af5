/** Keeps texts within GitHub's limits. The marker at the end of a text is never cut. */

/** GitHub rejects longer bodies of comments and reviews. */
const MAX_BODY_CHARS = 65_536;

/** The limit for the summary of a check is one character less. */
const MAX_CHECK_SUMMARY_CHARS = 65_535;

/** GitHub shows the title of a check on one line and truncates longer ones. */
const MAX_CHECK_TITLE_CHARS = 255;

/** GitHub rejects longer titles of pull requests. */
const MAX_TITLE_CHARS = 256;

const CUT_NOTE = "\n\n… (truncated: GitHub doesn't accept longer text)";

/** Appends the marker as the last line. */
export function withMarker(body: string, marker: string): string {
  const end = `\n\n${marker}`;
  return `${cutText(body, MAX_BODY_CHARS - end.length)}${end}`;
}

/** For a text without a marker. */
export function fitBody(body: string): string {
  return cutText(body, MAX_BODY_CHARS);
}

export function isFittingBody(body: string): boolean {
  return body.length <= MAX_BODY_CHARS;
}

export function fitCheckSummary(summary: string): string {
  return cutText(summary, MAX_CHECK_SUMMARY_CHARS);
}

export function fitCheckTitle(title: string): string {
  return cutLine(title, MAX_CHECK_TITLE_CHARS);
}

export function fitTitle(title: string): string {
  return cutLine(title, MAX_TITLE_CHARS);
}

function cutLine(line: string, maxChars: number): string {
  return line.length <= maxChars ? line : `${wholeCharacters(line, maxChars - 1)}…`;
}

function cutText(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${wholeCharacters(text, maxChars - CUT_NOTE.length)}${CUT_NOTE}`;
}

/** Returns the first characters, without half a surrogate pair at the end. */
export function wholeCharacters(text: string, chars: number): string {
  return text.slice(0, chars).replace(/[\ud800-\udbff]$/, "");
}
