/** Finds faults in a finding's title. A reader who sees only its first words must learn what the problem is. */

/** Summaries, checks and terminals show a title on one line. */
const MAX_TITLE_CHARS = 120;

/** Titles with these first words name the code before the problem. */
const SUBJECT_FIRST = /^(?:The|An?|This|It)\b/;

/** Null when nothing is wrong. */
export function titleFault(title: string): string | null {
  if (title.length > MAX_TITLE_CHARS) return `too long: ${title}`;
  if (!/^[A-Z]/.test(title) || SUBJECT_FIRST.test(title)) return `doesn't begin with the problem: ${title}`;
  if (title.endsWith(".")) return `ends with a period: ${title}`;
  const [problem = ""] = title.split(/[:`]/, 1);
  return /[A-Za-z]{3}/.test(problem) ? null : `names no problem before its details: ${title}`;
}
