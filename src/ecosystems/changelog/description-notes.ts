/**
 * Finds the release notes of one package in the description of a bot's pull request. Everyone who can open a pull request can write such a
 * description, so its words are only shown, and can only lower what is thought of a bump.
 */

/** Dependabot says which package the text below is about. */
const ABOUT =
  /^\W{0,4}(?:Bumps|Updates|Removes)\s+(?:the\s+)?(?:\[([^\]\n]{1,214})\]|`([^`\n]{1,214})`|(\S{1,214}))/;

/** Renovate gives each package a block: `<summary>owner/name (package)</summary>`. */
const SUMMARY = /^\s*<summary>([^<\n]{1,400})<\/summary>/;

/** GitHub's own limit for a description. */
const MAX_CHARS = 65_536;

/** The part that is about the package, as Markdown with a heading for each version; empty if there is none. */
export function describedNotes(body: string, name: string): string {
  const own: string[] = [];
  let about: string | null = null;
  let [inReleaseNotes, depth] = [false, 0];
  for (const line of body.slice(0, MAX_CHARS).split("\n")) {
    const [, linked, quoted, plain] = ABOUT.exec(line) ?? [];
    const subject = linked ?? quoted ?? plain;
    if (subject !== undefined) about = subject;
    const summary = SUMMARY.exec(line)?.[1]?.trim();
    if (summary !== undefined) {
      inReleaseNotes = isNotes(summary);
      const [, inner] = /\(([^()]{1,214})\)$/.exec(summary) ?? [];
      if (inner !== undefined || summary.includes("/")) {
        about = inner ?? summary;
        inReleaseNotes = true;
      }
      depth = 0;
      continue;
    }
    depth += (line.match(/<details>/g)?.length ?? 0) - (line.match(/<\/details>/g)?.length ?? 0);
    if (depth < 0) inReleaseNotes = false;
    if (inReleaseNotes && about === name) own.push(line);
  }
  return toMarkdown(own.join("\n")).trim();
}

const isNotes = (summary: string): boolean => /^(?:release notes|changelog)$/i.test(summary);

/** Dependabot quotes notes as HTML. Only what a changelog needs is kept. */
function toMarkdown(html: string): string {
  return html
    .replaceAll(/<h[1-6][^>\n]{0,200}>/g, "\n## ")
    .replaceAll(/<\/h[1-6]>/g, "\n")
    .replaceAll(/<li>(?:\s*<p>)?/g, "\n- ")
    .replaceAll(/<\/?code>/g, "`")
    .replaceAll(/<\/?[a-z][^<>\n]{0,500}>/gi, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll(/\n{3,}/g, "\n\n");
}
