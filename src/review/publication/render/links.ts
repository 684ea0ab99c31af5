/** Links that Kodiai writes itself: to code on the host, and to the description of a rule. All other addresses stay text. */
import type { Anchor, Finding } from "../../findings/finding.ts";
import { nameSeenPlace, seenPlacePattern } from "../../findings/seen-at.ts";
import { alsoReported, nameOfReporter, otherLineOf, wordsOfReport } from "../also-reported.ts";
import { placeOf } from "../group-findings.ts";
import type { PublishedFinding } from "../publication.ts";
import { cutChars, item } from "./list-item.ts";
import { codeSpan, neutralise, neutraliseInline } from "./safe-markdown.ts";

/** A claim needs a few sentences; several reports share a comment. */
const MAX_ALSO_CHARS = 1_500;

type Found = { readonly finding: Finding; readonly anchor: Anchor | null };

export type Links = {
  /** The page of the repository on its host, such as https://github.com/acme/shop; null when there is none. */
  readonly repositoryUrl: string | null;
  /** Commit ids of both sides. */
  readonly base: string | null;
  readonly head: string | null;
  /** Where the built-in rules are described, without a fragment. */
  readonly rulesUrl: string | null;
};

/** For output that isn't on a host. */
export const NO_LINKS: Links = { repositoryUrl: null, base: null, head: null, rulesUrl: null };

/** The place of a finding in a code span, linked to its lines if the host shows them. */
export function renderPlaceLink(found: Found, { repositoryUrl, base, head }: Links): string {
  const { anchor } = found;
  const commit = anchor?.side === "old" ? base : head;
  const folderUrl = repositoryUrl === null || commit === null ? null : `${repositoryUrl}/blob/${commit}`;
  return linkLines(codeSpan(placeOf(found)), anchor, folderUrl);
}

/** Code in Markdown, in a block or in a line. */
const CODE = /(```[^]*?```|`[^`\n]*`)/;

/** Safe Markdown about a finding, in which the places where it was seen are links to the head. Other code stays as it is. */
export function linkSeenPlaces(markdown: string, { seenAt = [] }: Finding, links: Links): string {
  const { repositoryUrl, head } = links;
  if (repositoryUrl === null || head === null || seenAt.length === 0) return markdown;
  const names = seenAt.map((place) => ({
    place,
    code: codeSpan(nameSeenPlace(place)),
    pattern: seenPlacePattern(neutraliseInline(nameSeenPlace(place))),
  }));
  return markdown
    .split(CODE)
    .map((part, index) => {
      const isCode = index % 2 === 1;
      return names.reduce((text, { place, code, pattern }) => {
        const link = linkLines(code, place, `${repositoryUrl}/blob/${head}`);
        if (isCode) return text === code ? link : text;
        return text.replaceAll(pattern, () => link);
      }, part);
    })
    .join("");
}

/** `folderUrl` is the root of the repository at a commit; null for none. */
export function renderPathLink(path: string, lines: Lines | null, folderUrl: string | null): string {
  return linkLines(codeSpan(lines === null ? path : `${path}:${lines.startLine}`), lines, folderUrl);
}

type Lines = Pick<Anchor, "path" | "startLine" | "endLine">;

/** `code` as a link to these lines. It stays code without a folder, and for a path that hosts can't address. */
export function linkLines(code: string, lines: Lines | null, folderUrl: string | null): string {
  // Hosts can't address a path that isn't valid Unicode.
  if (lines === null || folderUrl === null || !lines.path.isWellFormed()) return code;
  const { path, startLine, endLine } = lines;
  const encoded = path.split("/").map(encodeSegment).join("/");
  const range = endLine > startLine ? `L${startLine}-L${endLine}` : `L${startLine}`;
  return `[${code}](${folderUrl}/${encoded}#${range})`;
}

/** Parentheses would end the address of a link. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Pages of the tools about their rules, by the tool's name. */
const TOOL_PAGES: Readonly<Record<string, string>> = {
  ruff: "https://docs.astral.sh/ruff/rules/",
  shellcheck: "https://www.shellcheck.net/wiki/",
};

/** The page that describes the rule; null when there is none. Text of another tool's report never becomes an address. */
export function ruleUrl({ source, rule }: Finding, { rulesUrl }: Pick<Links, "rulesUrl">): string | null {
  if (rule === null || !DOCUMENTED.has(source)) return null;
  const [tool = "", id = ""] = source === "analyser" ? rule.split("/") : [];
  const page = TOOL_PAGES[tool];
  if (page !== undefined && /^[A-Z]{1,8}\d{1,6}$/.test(id)) return `${page}${id}`;
  return rulesUrl === null ? null : `${rulesUrl}#${fragmentOf(rule)}`;
}

/** The sources whose rules are ours or in our tables, and so in our documentation. */
const DOCUMENTED: ReadonlySet<Finding["source"]> = new Set(["floor", "bump", "analyser"]);

/** Of a heading, as GitHub makes it: `oxlint/no-dupe-keys` is `oxlintno-dupe-keys`. */
function fragmentOf(rule: string): string {
  return rule.toLowerCase().replaceAll(/[^\w-]/g, "");
}

/** The rule's id, or the source of a finding without one. */
export function renderRuleLink(finding: Finding, links: Links): string {
  if (finding.rule === null) return finding.source;
  const url = ruleUrl(finding, links);
  return url === null ? codeSpan(finding.rule) : `[${codeSpan(finding.rule)}](${url})`;
}

/** The other reports of the same defect, one line each, and collapsed what a model says in words of its own. */
export function renderAlsoReported(
  published: Pick<PublishedFinding, "finding" | "sources" | "anchor">,
  links: Links,
): readonly string[] {
  return alsoReported(published).map((report) => {
    const by = report.rule === null ? nameOfReporter(report) : renderRuleLink(report, links);
    const line = otherLineOf(report, published);
    const at = line === null ? "" : `, for line ${line}`;
    const named = `Also reported by ${by}${at}: ${item(report.title)}`;
    const words = wordsOfReport(report, published);
    if (words === null) return named;
    const text = linkSeenPlaces(neutralise(cutChars(words, MAX_ALSO_CHARS)), report, links);
    return `${named}\n\n<details>\n<summary>In its words</summary>\n\n${text}\n\n</details>`;
  });
}

/** An address of the host is used only if it can't break out of a link. */
const HOST_URL = /^https?:\/\/[\w.:/#-]{1,500}$/;

/** The address if it is safe in a link; otherwise null. */
export function safeUrl(url: string): string | null {
  return HOST_URL.test(url) ? url : null;
}

/** An address on another pull request, as GitHub shows it without noting there that it was mentioned. */
export function pastUrl(url: string): string | null {
  return safeUrl(url)?.replace(/^https:\/\/github\.com\//, "https://redirect.github.com/") ?? null;
}
