/** Splits a changelog by the headings of its versions: Markdown, reStructuredText, AsciiDoc, RDoc and plain text. */
import { createFenceReader, type MarkdownLine } from "../../base/markdown.ts";

export type ChangelogSection = {
  /** As the heading has it, without "v" and package name. */
  readonly version: string;
  readonly text: string;
};

/** A longer line is no heading. */
const MAX_HEADING_CHARS = 160;

/** Titles are marked by `#` or `=` in front, or by a line below them. */
const MARKED = /^ {0,3}(?:#{1,6}|={1,5})\s*(\S.*)$/;
const UNDERLINE = /^([=\-~^"*+#.`])\1{2,}\s*$/;
const BOLD = /^\*\*([^*]+)\*\*:?\s*$/;

/** Words in front of a version: "Version 1.2.3", "Release 1.2", "2024-01-31, Version 1.2.3". */
const WORDS =
  /^(?:\d{4}-\d\d-\d\d,?\s+)?(?:new in|what's new in|changes (?:in|for|since)|version|release|ver\.?)\s+v?(?=\d)/i;
/** The end of a package's own name: `@scope/name@1.2.3`, `name v1.2.3`, `name-1.2.3`, `name/v1.2.3`. */
const AFTER_NAME = /[@\s/-]v?(?=\d)/;
const PACKAGE_NAME = /^@?[A-Za-z][\w./-]*$/;

/** In plain text nothing marks a title, so the whole line must look like one. */
const PLAIN = /^(?:version |release )?v?\d+\.\d[\w.+-]*\s*(?:$|[:/(,\u2013\u2014-])/i;
const MAX_PLAIN_CHARS = 80;

/** Sections in the order of the file. The text before the first version belongs to none. */
export function splitChangelog(text: string): readonly ChangelogSection[] {
  const lines = text.split(/\r\n?|\n/);
  const headings = headingsIn(lines);
  const sections = new Map<string, string[]>();
  for (const [index, { version, bodyAt }] of headings.entries()) {
    const end = headings[index + 1]?.at ?? lines.length;
    const parts = sections.get(version) ?? [];
    parts.push(lines.slice(bodyAt, end).join("\n").trim());
    sections.set(version, parts);
  }
  return Array.from(sections, ([version, parts]) => ({ version, text: parts.join("\n\n").trim() }));
}

type Heading = { readonly version: string; readonly at: number; readonly bodyAt: number };

function headingsIn(lines: readonly string[]): readonly Heading[] {
  const headings: Heading[] = [];
  // Code in list items may have any indent.
  const partOf = createFenceReader(Infinity);
  let part: MarkdownLine = "text";
  let hasMarked = false;
  for (const [at, line] of lines.entries()) {
    // In reStructuredText, tildes below a title aren't a fence.
    if (part === "text" && /^~{3,}\s*$/.test(line) && lines[at - 1]?.trim()) continue;
    part = partOf(line);
    if (part !== "text" || line.length > MAX_HEADING_CHARS) continue;
    const isUnderlined = UNDERLINE.test(lines[at + 1] ?? "") && line.trim() !== "";
    const marked = MARKED.exec(line)?.[1] ?? BOLD.exec(line)?.[1] ?? (isUnderlined ? line : null);
    // A file with marked titles has no unmarked ones.
    const title = marked ?? (!hasMarked && line.length <= MAX_PLAIN_CHARS && PLAIN.test(line) ? line : null);
    const version = title === null ? null : versionInTitle(title);
    if (version === null) continue;
    hasMarked ||= marked !== null;
    headings.push({ version, at, bodyAt: at + (isUnderlined ? 2 : 1) });
  }
  return headings;
}

/** The version that a title or a tag is about; null if it's about something else. */
export function versionInTitle(title: string): string | null {
  const plain = title
    .replaceAll(/<[^<>]*>/g, "")
    .replaceAll(/\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])?/g, "$1")
    .replaceAll(/[*`_]{1,2}(?=\S)|(?<=\S)[*`]{1,2}/g, "")
    .replaceAll(/^[^\w@]+|#+$/g, "")
    .trim();
  const [first] = /^v\.?\s?(?=\d)/i.exec(plain) ?? [];
  if (first !== undefined) return versionAt(plain, first.length);
  const [words] = WORDS.exec(plain) ?? [];
  if (words !== undefined) return versionAt(plain, words.length);
  const after = AFTER_NAME.exec(plain);
  const isNamed = after !== null && PACKAGE_NAME.test(plain.slice(0, after.index));
  const version = versionAt(plain, isNamed ? after.index + after[0].length : 0);
  // Titles can also begin with a count or a year.
  return version !== null && /^\d+\.\d/.test(version) ? version : null;
}

function versionAt(text: string, at: number): string | null {
  const [token = ""] = /^\d[\w.+-]*/.exec(text.slice(at)) ?? [];
  if (token === "" || text[at + token.length] === "/") return null;
  return token.replace(/[.,:_+-]+$/, "");
}
