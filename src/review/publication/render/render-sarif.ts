/**
 * The review as SARIF 2.1.0 for code scanning. Locations are lines at the head: a finding about removed code is on the
 * nearest remaining line, with a note; one that couldn't be placed is on its file; one about the description of the change
 * has no location.
 *
 * After an earlier review every result has a `baselineState`: findings that are still open are `unchanged`. Resolved ones are
 * a property of the run, not results with the state `absent`: GitHub's code scanning ignores the state and would open an alert.
 */
import { printable } from "../../../base/printable.ts";
import { SEVERITY_LABELS, type Category, type Severity } from "../../../base/severity.ts";
import type { Anchor, DroppedFinding, Finding } from "../../findings/finding.ts";
import { isGapIncomplete } from "../../findings/checks.ts";
import { describeContents } from "../describe-contents.ts";
import { alsoReported } from "../also-reported.ts";
import { describeInForce } from "../describe-memory.ts";
import type { Publication, PublishedFinding } from "../publication.ts";
import { LONE_SURROGATE, stringifySafe } from "./safe-json.ts";
import { describeSarif, pathsOfGap, whyRulesAlone } from "../describe-details.ts";
import { isAboutFile } from "../group-findings.ts";
import {
  describeAmount,
  describeGap,
  isComplete,
  isAboutDescription,
  listOmissions,
  listSkimmed,
  type Omission,
  unresolvedOf,
} from "../words.ts";
import { makesIncomplete } from "../compose/compose-receipt.ts";

/** The facts about a rule that SARIF contains. */
export type SarifRule = {
  readonly id: string;
  readonly title: string;
  readonly why: string;
  readonly fix: string;
  readonly severity: Severity;
  readonly category: Category;
};

type Json = Readonly<Record<string, unknown>>;

const SCHEMA_URI = "https://json.schemastore.org/sarif-2.1.0.json";

const LEVELS: Readonly<Record<Severity, "error" | "warning" | "note">> = {
  critical: "error",
  "must-fix": "error",
  major: "warning",
  medium: "warning",
  minor: "note",
};

/** On the CVSS scale of code scanning: critical from 9, high from 7, medium from 4, low below. */
const SECURITY_SEVERITIES: Readonly<Record<Severity, string>> = {
  critical: "9.5",
  "must-fix": "8.0",
  major: "6.5",
  medium: "4.5",
  minor: "2.0",
};

export function renderSarif(publication: Publication, rules: readonly SarifRule[]): string {
  const suppressed = publication.dropped.filter(
    ({ reason }) => reason.startsWith("suppressed:") || reason === "dropped:withdrawn",
  );
  const { findings, resolved, scope } = publication;
  const stillOpen = unresolvedOf(publication);
  const known = stillOpen.map(({ judged }) => judged);
  const descriptors = listRules(
    rules,
    [...findings, ...known, ...suppressed].map(({ finding, severity }) => ({ ...finding, severity })),
  );
  // The specification wants the state on every result, or on none.
  const state = (baselineState: "new" | "unchanged"): Json => (scope.since === null ? {} : { baselineState });
  const hidden = new Set(publication.hidden.map(({ prior }) => prior.identity));
  const indexes = new Map(descriptors.map(({ id }, index) => [id, index]));
  return stringifySafe({
    $schema: SCHEMA_URI,
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "Kodiai",
            version: publication.version,
            semanticVersion: publication.version,
            rules: descriptors.map(describeRule),
          },
        },
        automationDetails: {
          id: "kodiai/review/",
          description: { text: plain(publication.change.description) },
        },
        columnKind: "utf16CodeUnits",
        originalUriBaseIds: { SRCROOT: { description: { text: "The root of the repository." } } },
        invocations: [describeInvocation(publication)],
        results: [
          ...findings.map((finding) => ({ ...describeResult(finding, indexes), ...state("new") })),
          ...known.map((finding) => ({ ...describeResult(finding, indexes), ...state("unchanged") })),
          ...suppressed.map((dropped) => ({
            ...describeSuppressed(dropped, indexes),
            ...state(hidden.has(dropped.id) ? "unchanged" : "new"),
          })),
        ],
        properties: {
          verdict: publication.verdict,
          summary: plain(
            describeContents(publication.change.contents, publication.details.riskSignals).join("\n"),
          ),
          overview: publication.overview.map(({ pass, text }) => ({ pass, text: plain(text) })),
          coverage: publication.receipt.coverage,
          scope,
          resolved: resolved.map(({ prior, because }) => ({
            id: prior.identity,
            number: prior.number,
            title: plain(prior.title),
            because: plain(because),
          })),
        },
      },
    ],
  });
}

type RuleNames = Pick<Finding, "rule" | "category" | "title" | "body"> & { readonly source: string };

function ruleIdOf({ rule, source, category }: Omit<RuleNames, "title" | "body">): string {
  return rule ?? `${source}/${category}`;
}

/** The given rules, then one for each finding without a rule among them. */
function listRules(
  rules: readonly SarifRule[],
  found: readonly (RuleNames & { readonly severity: Severity })[],
): SarifRule[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  for (const each of found) {
    const id = ruleIdOf(each);
    if (byId.has(id)) continue;
    const { rule, title, body, severity, category } = each;
    byId.set(id, {
      id,
      title: rule === null ? `Model finding: ${category}` : title,
      why: rule === null ? "Found by a model that read the change, not by a built-in rule." : body,
      fix: "See the message of the result.",
      severity,
      category,
    });
  }
  return [...byId.values()];
}

function describeRule(rule: SarifRule): Json {
  const isSecurity = rule.category === "security";
  return {
    id: rule.id,
    shortDescription: { text: plain(rule.title) },
    fullDescription: { text: plain(rule.why) },
    help: { text: plain(`${rule.why} ${rule.fix}`) },
    defaultConfiguration: { level: LEVELS[rule.severity] },
    properties: {
      tags: [rule.category, rule.severity],
      precision: rule.id.startsWith("model/") ? "medium" : "high",
      ...(isSecurity ? { "security-severity": SECURITY_SEVERITIES[rule.severity] } : {}),
    },
  };
}

type Found = Pick<PublishedFinding, "id" | "finding" | "anchor" | "severity" | "sources"> & {
  readonly headLine: number | null;
  /** Omitted: it was dropped, and has none. */
  readonly number?: number;
};

function describeResult(published: PublishedFinding, indexes: ReadonlyMap<string, number>): Json {
  const fix = describeFix(published);
  return { ...describeFound(published, indexes), ...(fix === null ? {} : { fixes: [fix] }) };
}

/** Suppressed findings stay visible as such, so that suppressions can be reviewed. */
function describeSuppressed(dropped: DroppedFinding, indexes: ReadonlyMap<string, number>): Json {
  const headLine = dropped.anchor?.side === "new" ? dropped.anchor.startLine : null;
  return {
    ...describeFound({ ...dropped, headLine }, indexes),
    suppressions: [
      {
        kind: dropped.reason === "suppressed:in-code" ? "inSource" : "external",
        status: "accepted",
        justification: plain(dropped.detail),
      },
    ],
  };
}

function describeFound(found: Found, indexes: ReadonlyMap<string, number>): Json {
  const { finding, anchor, severity } = found;
  const ruleId = ruleIdOf(finding);
  const also = alsoReported(found).map((report) => ({
    ruleId: ruleIdOf(report),
    title: plain(report.title),
    text: plain(report.body),
  }));
  return {
    ruleId,
    ruleIndex: indexes.get(ruleId) ?? -1,
    level: LEVELS[severity],
    rank: Math.round(finding.confidence * 100),
    message: { text: plain(`${finding.title}. ${placeNote(found)}${finding.body}`) },
    ...(isAboutDescription(found) ? {} : { locations: [describeLocation(found)] }),
    ...describeRelated(finding),
    partialFingerprints: { "kodiai/v1": found.id },
    properties: {
      severity: SEVERITY_LABELS[severity],
      category: finding.category,
      confidence: finding.confidence,
      side: anchor?.side ?? finding.sideHint,
      ...(found.number === undefined ? {} : { number: found.number }),
      ...(also.length === 0 ? {} : { alsoReportedBy: also }),
    },
  };
}

function describeRelated({ seenAt = [] }: Finding): Json {
  if (seenAt.length === 0) return {};
  return {
    relatedLocations: seenAt.map(({ path, startLine, endLine }) => ({
      physicalLocation: { artifactLocation: locate(path), region: { startLine, endLine } },
    })),
  };
}

function describeLocation(found: Found): Json {
  const { anchor, finding, headLine } = found;
  return {
    physicalLocation: {
      artifactLocation: locate(anchor?.path ?? finding.path),
      ...(headLine === null ? {} : { region: describeRegion(found, headLine) }),
    },
  };
}

function placeNote(found: Found): string {
  if (found.anchor?.side === "old") return `${aboutRemoved(found.anchor.startLine)} `;
  return found.anchor === null && !isAboutFile(found) ? "Couldn't be placed on a line. " : "";
}

function aboutRemoved(line: number): string {
  return `About removed code (line ${line} before the change).`;
}

/** Removed code isn't at the head, so only findings on the new side have a snippet and a full range. */
function describeRegion({ anchor }: Found, headLine: number): Json {
  if (anchor === null || anchor.side === "old") return { startLine: headLine };
  return { ...linesOf(anchor), snippet: { text: anchor.lines.join("\n") } };
}

function linesOf({ startLine, endLine }: Pick<Anchor, "startLine" | "endLine">): Json {
  return { startLine, endLine };
}

function describeFix({ anchor, suggestion }: PublishedFinding): Json | null {
  if (suggestion.kind !== "verified" || anchor === null || anchor.side === "old") return null;
  const isDeletion = suggestion.replacement === "";
  const lastLine = anchor.lines.at(-1) ?? "";
  return {
    description: { text: "Apply the suggested change." },
    artifactChanges: [
      {
        artifactLocation: locate(anchor.path),
        replacements: [
          {
            // A deletion includes the line ending; a replacement keeps it.
            deletedRegion: {
              startLine: anchor.startLine,
              startColumn: 1,
              endLine: isDeletion ? anchor.endLine + 1 : anchor.endLine,
              endColumn: isDeletion ? 1 : lastLine.length + 1,
            },
            insertedContent: { text: suggestion.replacement },
          },
        ],
      },
    ],
  };
}

function describeInvocation(publication: Publication): Json {
  const { receipt, degradations, details, change } = publication;
  const skimmed = listSkimmed(receipt);
  const unread = listOmissions(receipt).filter(({ reason }) => makesIncomplete(reason));
  return {
    executionSuccessful: isComplete(publication),
    toolExecutionNotifications: [
      ...publication.notices.map((notice) => notification("warning", notice)),
      ...degradations.map(({ what, message }) => notification("warning", `${what}: ${message}`)),
      ...unread.map((omission) =>
        notification(
          "warning",
          describeOmission(omission),
          omission.paths.map(({ path }) => path),
        ),
      ),
      ...(skimmed === null
        ? []
        : [
            notification(
              "note",
              `Skimmed: ${describeAmount(skimmed)}`,
              skimmed.paths.map(({ path }) => path),
            ),
          ]),
      ...receipt.gaps.map((gap) =>
        notification(
          isGapIncomplete(gap) ? "warning" : "note",
          `Not checked: ${describeGap(gap)}`,
          pathsOfGap(gap).paths,
        ),
      ),
      ...change.notes.map((note) => notification("note", note)),
      ...publication.memory.suppressions.map((each) =>
        notification("note", `Suppressed by feedback: ${describeInForce(each)}`),
      ),
      ...details.sarif.map((file) => notification("note", `Included SARIF: ${describeSarif(file)}`)),
    ],
    toolConfigurationNotifications: details.configProblems.map((problem) => notification("warning", problem)),
  };
}

function describeOmission(omission: Omission): string {
  return omission.isReadByRules
    ? `Reviewed by built-in rules only: ${describeAmount(omission)} (${whyRulesAlone(omission)})`
    : `Skipped: ${describeAmount(omission)} (${omission.label})`;
}

function notification(level: "warning" | "note", text: string, paths: readonly string[] = []): Json {
  return {
    level,
    message: { text: plain(text) },
    ...(paths.length === 0
      ? {}
      : { locations: paths.map((path) => ({ physicalLocation: { artifactLocation: locate(path) } })) }),
  };
}

function locate(path: string): Json {
  return { uri: encodePath(path), uriBaseId: "SRCROOT" };
}

/** Percent-encoded per segment; an undecodable byte becomes that byte again. */
function encodePath(path: string): string {
  return path.split("/").map(encodeSegment).join("/");
}

function encodeSegment(segment: string): string {
  const encoded: string[] = [];
  let position = 0;
  for (const { 0: unit, index } of segment.matchAll(LONE_SURROGATE)) {
    const code = unit.charCodeAt(0);
    encoded.push(encodeURIComponent(segment.slice(position, index)));
    encoded.push(
      code >= 0xdc80 && code <= 0xdcff ? `%${(code - 0xdc00).toString(16).toUpperCase()}` : "%EF%BF%BD",
    );
    position = index + 1;
  }
  return [...encoded, encodeURIComponent(segment.slice(position))].join("");
}

/** Plain text: every line is printable, and `[text](target)` is broken up, because SARIF viewers render it as a link. */
function plain(text: string): string {
  return text
    .split(/\r\n|\n|\r/)
    .map(printable)
    .join("\n")
    .replaceAll("](", "] (");
}
