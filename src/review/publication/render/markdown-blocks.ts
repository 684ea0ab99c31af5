/** Markdown blocks shared by the report and the summary of a pull request. */
import { SEVERITY_LABELS } from "../../../base/severity.ts";
import { describeLeftOut } from "../compose/describe-left-out.ts";
import { describeContents } from "../describe-contents.ts";
import { describePass } from "../compose/describe-pass.ts";
import { describeVerification } from "../describe-verification.ts";
import type { Publication, PublishedFinding } from "../publication.ts";
import { type Explained, explainOnce, needsExplanation } from "../explain-once.ts";
import { type Links, linkSeenPlaces, renderAlsoReported, renderPlaceLink, renderRuleLink } from "./links.ts";
import { cutChars, item, MAX_ITEM_CHARS } from "./list-item.ts";
import { listMemory } from "./memory-lists.ts";
import { codeSpan, fence, neutralise, neutraliseInline } from "./safe-markdown.ts";
import { count, grouped } from "../../../base/count.ts";
import {
  describeAnalyser,
  describeCoverage,
  describeDropped,
  describeMode,
  describeModelNote,
  describeSarif,
  describeScope,
  describeUsage,
  isReadByRulesAlone,
  pathsOfGap,
  whyRulesAlone,
  withAdvice,
} from "../describe-details.ts";
import {
  describeAmount,
  describeGap,
  describeReviewer,
  listOmissions,
  listSkimmed,
  type ReceiptLines,
  modelPasses,
  partPrefix,
  unshownOf,
} from "../words.ts";

/** GitHub's limit for one comment. */
export const MAX_MARKDOWN_COMMENT_CHARS = 65_536;

/** Findings come first; details and further findings get at most this much of the comment. */
const MAX_DETAILS_CHARS = 12_000;
const MAX_MORE_CHARS = 16_000;

/** Escaping makes the models' descriptions longer. */
const MAX_OVERVIEW_CHARS = 8_000;

/** A replacement beyond this is opened in an editor. */
const MAX_CODE_LINES = 40;

/** Longer lines are cut: a page shows no more of one without scrolling. */
const MAX_CODE_CHARS = 500;

/** An explanation in a list; the comment on the line has the whole text. */
const MAX_LISTED_BODY_CHARS = 1_000;

export type MarkdownSection = { readonly title: string; readonly findings: readonly PublishedFinding[] };

/** A finding in a section, with its number and the part of its body that no finding before it has shown. */
export type NumberedFinding = Explained<PublishedFinding> & { readonly number: number };

/**
 * The sections as blocks. A finding that is too long for the remaining space is listed by its title, so that neither it nor
 * the findings after it get lost; the last block counts the findings that didn't fit at all.
 */
export function fitFindings(
  sections: readonly MarkdownSection[],
  render: (finding: NumberedFinding) => string,
  {
    budgetChars,
    hint,
    links,
  }: { readonly budgetChars: number; readonly hint: string; readonly links: Links },
): readonly string[] {
  const blocks = numberFindings(sections, render, links);
  const kept: string[] = [];
  let roomChars = budgetChars - MAX_ITEM_CHARS;
  for (const { whole, listed } of blocks) {
    const block = whole.length < roomChars ? whole : listed;
    if (block.length >= roomChars) break;
    roomChars -= block.length + 1;
    kept.push(block);
  }
  const left = blocks.length - kept.length;
  if (left === 0) return kept;
  return [...kept, `_${count(left, "more finding")} didn't fit in this comment${hint}._\n`];
}

/** One block per finding, the first of a section with its heading. Numbered "(1)": "#1" would link to an issue. */
function numberFindings(
  sections: readonly MarkdownSection[],
  render: (finding: NumberedFinding) => string,
  links: Links,
): { readonly whole: string; readonly listed: string }[] {
  const blocks: { readonly whole: string; readonly listed: string }[] = [];
  for (const { title, findings } of sections) {
    for (const [index, explained] of explainOnce(findings).entries()) {
      const heading = index === 0 ? `### ${title}\n\n` : "";
      const numbered = { ...explained, number: explained.item.number };
      blocks.push({
        whole: `${heading}${render(numbered)}`,
        listed: `${heading}${renderListed(numbered, links)}`,
      });
    }
  }
  return blocks;
}

/** Title and place, for a finding that is too long. */
function renderListed({ item: published, number }: NumberedFinding, links: Links): string {
  return `**(${number})** ${title(published.finding.title)}, ${renderPlaceLink(published, links)}\n`;
}

/** `isUnderSeverity`: a heading above it names the severity of findings with a line. */
export function renderFinding(
  { item: published, number, body }: NumberedFinding,
  links: Links,
  isUnderSeverity: boolean,
): string {
  const { finding, anchor, suggestion, notes } = published;
  const label = isUnderSeverity && anchor !== null ? "" : `${SEVERITY_LABELS[published.severity]}: `;
  const facts = [
    renderPlaceLink(published, links),
    ...(anchor?.side === "old" ? ["removed code"] : []),
    ...(published.reopens === undefined ? [] : ["back again"]),
    renderRuleLink(finding, links),
    finding.category,
  ];
  const lines = [
    `**(${number}) ${label}${title(finding.title)}**`,
    "",
    facts.join(" · "),
    ...(body === "" ? [] : ["", linkSeenPlaces(neutralise(body), finding, links)]),
    ...renderCode(published),
    ...(suggestion.kind === "prose"
      ? ["", `Unverified suggestion (${item(suggestion.reason)}):`, "", neutralise(suggestion.text)]
      : []),
    ...renderAlsoReported(published, links).flatMap((line) => ["", line]),
    ...notes.flatMap((note) => ["", `Note: ${item(note)}`]),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

/** The suggestion as a diff if there is one, otherwise the code that the finding is about. */
function renderCode({ anchor, finding, suggestion }: PublishedFinding): string[] {
  if (anchor === null) return finding.quote === "" ? [] : fence(limited(finding.quote.split("\n")));
  if (suggestion.kind !== "verified") {
    const sign = anchor.side === "old" ? "- " : "";
    return fence(
      limited(anchor.lines).map((line) => `${sign}${line}`),
      sign === "" ? "" : "diff",
    );
  }
  const added =
    suggestion.replacement === "" ? [] : suggestion.replacement.replace(/\r?\n$/, "").split(/\r?\n/);
  return fence(
    [...limited(anchor.lines).map((line) => `- ${line}`), ...limited(added).map((line) => `+ ${line}`)],
    "diff",
  );
}

function limited(lines: readonly string[]): string[] {
  const shown = lines.slice(0, MAX_CODE_LINES).map((line) => cutChars(line, MAX_CODE_CHARS));
  const rest = lines.length - shown.length;
  return rest === 0 ? shown : [...shown, `… ${count(rest, "more line")}`];
}

type Listed = Pick<PublishedFinding, "severity" | "finding" | "anchor"> & { readonly number?: number };

/**
 * One entry for each finding, those of a rule below its first: severity, title and place. Those that `explains` accepts have
 * their explanation.
 */
function listFindings<Item extends Listed>(
  findings: readonly Item[],
  links: Links,
  explains: (finding: Item) => boolean,
): readonly string[] {
  return explainOnce(findings).map((found) => renderEntry(found, links, explains(found.item)));
}

function renderEntry(explained: Explained<Listed>, links: Links, isExplained: boolean): string {
  const { item: found, body, isRepeat, isSameTitle } = explained;
  const { severity, finding, anchor } = found;
  const removed = anchor?.side === "old" ? " (removed code)" : "";
  const place = `${renderPlaceLink(found, links)}${removed}`;
  const isShown = body !== "" && isExplained;
  const inLine = cutChars(body.replaceAll(/\s+/g, " "), MAX_LISTED_BODY_CHARS);
  const text = isShown ? linkSeenPlaces(neutraliseInline(inLine), finding, links) : "";
  const name = isSameTitle ? "" : `${title(finding.title)}, `;
  const number = found.number === undefined ? "" : `(${found.number}) `;
  if (isRepeat) return `  - ${number}${name}${place}${isShown ? `. ${text}` : ""}`;
  const rule = isShown ? ` · ${renderRuleLink(finding, links)}` : "";
  const first = `- ${number}${SEVERITY_LABELS[severity]}: ${title(finding.title)}, ${place}${rule}`;
  return isShown ? `${first}\n\n  ${text}\n` : first;
}

/** Findings without a comment on their line, collapsed. */
export function renderMore<Item extends Listed>(
  findings: readonly Item[],
  links: Links,
  explains: (finding: Item) => boolean = needsExplanation,
): string {
  if (findings.length === 0) return "";
  const entries = listFindings(findings, links, explains);
  return collapse(`More findings (${grouped(findings.length)})`, entries, MAX_MORE_CHARS);
}

/** Problems of the model runs, below the headline. */
export function renderNotices({ notices }: Pick<Publication, "notices">): string {
  return notices.map((notice) => `${item(notice)}\n`).join("\n");
}

/**
 * The models' descriptions of the change, or without one the facts of the diff. The heading names a model as the author,
 * because it may repeat untrusted text.
 */
export function renderReviewOverview({
  overview,
  change,
  details,
}: Pick<Publication, "overview" | "change" | "details">): string {
  if (overview.length === 0) return renderContents(describeContents(change.contents, details.riskSignals));
  const paragraphs = overview.map(({ pass, text }) => {
    const name = partPrefix(pass);
    return `${name === "" ? "" : `**${title(name)}** `}${neutraliseInline(text)}\n`;
  });
  const { kept, left } = fitBlocks(paragraphs, MAX_OVERVIEW_CHARS);
  const more = left > 0 ? [`… and ${count(left, "more part")}\n`] : [];
  return ["### Summary by the model\n", ...kept, ...more].join("\n");
}

/** The contents of a change as a list. */
export function renderContents(lines: readonly string[]): string {
  return lines.map((line) => `- ${neutraliseInline(line)}\n`).join("");
}

/** Collapsed below the findings; open in a check, which has room for it. */
export function renderDetails(publication: Publication, { isOpen = false } = {}): string {
  const { receipt, details, change, dropped, usage, verification } = publication;
  const modelNote = describeModelNote(details);
  const leftOut = describeLeftOut(publication.passes);
  const signals = details.riskSignals.map(({ label }) => item(label)).join(", ");
  const languages = details.languages
    .map(({ language, files }) => `${item(language)} (${count(files, "file")})`)
    .join(", ");
  const unshown = unshownOf(dropped);
  const read = describeScope(publication);
  const skimmed = listSkimmed(receipt);
  const items = [
    ...(change.description === "" ? [] : [`- Change: ${item(change.description)}${commits(publication)}`]),
    ...(read === null ? [] : [`- Read: ${item(read)}`]),
    `- Mode: ${item(describeMode(details.mode))}`,
    ...ignoredTags(details.intent),
    `- Reviewer: ${item(describeReviewer(details))} (Kodiai ${item(publication.version)})`,
    ...details.analysers.map((report) => `- Linter: ${item(describeAnalyser(report))}`),
    `- Configuration: ${item(details.configOrigin)}`,
    ...details.sarif.map((file) => `- SARIF: ${item(describeSarif(file))}`),
    ...(isReadByRulesAlone(receipt) ? [] : [`- Reviewed: ${describeCoverage(receipt)}`]),
    ...(skimmed === null ? [] : [`- Skimmed: ${describeAmount(skimmed)}: ${namePaths(skimmed)}`]),
    ...listOmissions(receipt).map((omission) => {
      const amount = omission.isReadByRules
        ? `Reviewed by built-in rules only: ${describeAmount(omission)} (${whyRulesAlone(omission)})`
        : `Skipped: ${describeAmount(omission)} (${omission.label})`;
      return `- ${amount}: ${namePaths(omission)}${withAdvice(omission)}`;
    }),
    ...receipt.gaps.map((gap) => {
      const { paths, more } = pathsOfGap(gap);
      const named = [...paths.map(codeSpan), ...(more > 0 ? [`${grouped(more)} more`] : [])].join(", ");
      return `- Not checked: ${item(describeGap(gap))}${named === "" ? "" : `: ${named}`}`;
    }),
    ...(verification === null ? [] : [`- Second reading: ${describeVerification(verification)}`]),
    ...(unshown.length === 0
      ? []
      : [`- Not shown: ${count(unshown.length, "finding")} (${describeDropped(unshown)})`]),
    ...listMemory(publication),
    ...(signals === "" ? [] : [`- Risk signals: ${signals}`]),
    ...(languages === "" ? [] : [`- Languages: ${languages}`]),
    ...change.notes.map((note) => `- Note: ${item(note)}`),
    ...details.configProblems.map((problem) => `- Configuration problem: ${item(problem)}`),
    ...publication.degradations.map(
      ({ what, message, count: times }) =>
        `- Degraded: ${item(`${what}: ${message}`)}${times > 1 ? ` (${grouped(times)} times)` : ""}`,
    ),
    ...(modelNote === null ? [] : [`- Model: ${item(modelNote)}`]),
    ...(usage === null ? [] : [`- Model: ${item(describeUsage(usage))}`]),
    ...modelPasses(publication).map((pass) => `- Pass: ${item(describePass(pass))}`),
    ...(leftOut === null ? [] : [`- Left out of the prompt: ${item(leftOut)}`]),
  ];
  return isOpen
    ? renderEntries(items, MAX_DETAILS_CHARS)
    : collapse("Review details", items, MAX_DETAILS_CHARS);
}

function namePaths({ files, paths }: ReceiptLines): string {
  const rest = files - paths.length;
  return [
    ...paths.map(({ path, part }) => `${codeSpan(path)}${part}`),
    ...(rest > 0 ? [`${grouped(rest)} more`] : []),
  ].join(", ");
}

function ignoredTags({ ignoredTags: tags }: Publication["details"]["intent"]): readonly string[] {
  if (tags.length === 0) return [];
  const named = tags.map((tag) => codeSpan(`[${tag}]`)).join(", ");
  return [
    `- Ignored tags: ${named}. Tags require write access, or \`review.allowNoReview\` for \`[no-review]\``,
  ];
}

function commits({ change }: Publication): string {
  const shown = [change.base, change.head].map((id) => (id === null ? null : codeSpan(id.slice(0, 12))));
  const [base, head] = shown;
  if (head === null || head === undefined) return "";
  return base === null || base === undefined ? ` (${head})` : ` (${base} to ${head})`;
}

export function collapse(summary: string, items: readonly string[], budgetChars: number): string {
  return [
    "<details>",
    `<summary>${summary}</summary>`,
    "",
    renderEntries(items, budgetChars),
    "</details>",
    "",
  ].join("\n");
}

/** A list within its budget; entries that don't fit are counted. */
export function renderEntries(items: readonly string[], budgetChars: number): string {
  const { kept, left } = fitBlocks(items, budgetChars);
  return [...kept, ...(left > 0 ? [`- … and ${grouped(left)} more`] : []), ""].join("\n");
}

/** The first blocks that fit, with one line break each, and the number of those that don't. */
export function fitBlocks(blocks: readonly string[], budgetChars: number): { kept: string[]; left: number } {
  const kept: string[] = [];
  let used = 0;
  for (const block of blocks) {
    used += block.length + 1;
    if (used > budgetChars) break;
    kept.push(block);
  }
  return { kept, left: blocks.length - kept.length };
}

/** A title is shown in bold, so its own bold marks are removed. */
export function title(text: string): string {
  return item(text.replaceAll("**", ""));
}
