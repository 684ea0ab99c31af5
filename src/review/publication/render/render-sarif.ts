/**
 * The review as SARIF 2.1.0 for code scanning. Locations are lines at the head: a finding about removed code is on the
 * nearest remaining line, with a note; one that couldn't be placed is on its file; one about the description of the change
 * has no location.
 */
import { printable } from "../../../base/printable.ts";
import { SEVERITY_LABELS, type Category, type Severity } from "../../../base/severity.ts";
import type { DroppedFinding, Finding } from "../../findings/finding.ts";
import type { Publication, PublishedFinding } from "../publication.ts";
import { LONE_SURROGATE, stringifySafe } from "./safe-json.ts";
import {
  describeAmount,
  describeSarif,
  isComplete,
  isAboutDescription,
  isAboutFile,
  listOmissions,
  type Omission,
  whyRulesAlone,
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
  const suppressed = publication.dropped.filter(({ reason }) => reason.startsWith("suppressed:"));
  const descriptors = listRules(rules, [...publication.findings, ...suppressed]);
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
          ...publication.findings.map((finding) => describeResult(finding, indexes)),
          ...suppressed.map((dropped) => describeSuppressed(dropped, indexes)),
        ],
        properties: {
          verdict: publication.verdict,
          summary: plain(publication.change.summary),
          overview: publication.overview.map(({ pass, text }) => ({ pass, text: plain(text) })),
          coverage: publication.receipt.coverage,
        },
      },
    ],
  });
}

function ruleIdOf(finding: Finding): string {
  return finding.rule ?? `${finding.source}/${finding.category}`;
}

/** The given rules, then one for each finding without a rule among them. */
function listRules(
  rules: readonly SarifRule[],
  found: readonly { readonly finding: Finding; readonly severity: Severity }[],
): SarifRule[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  for (const { finding, severity } of found) {
    const id = ruleIdOf(finding);
    if (byId.has(id)) continue;
    const isModel = finding.rule === null;
    byId.set(id, {
      id,
      title: isModel ? `Model finding: ${finding.category}` : finding.title,
      why: isModel ? "Found by a model that read the change, not by a built-in rule." : finding.body,
      fix: "See the message of the result.",
      severity,
      category: finding.category,
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

type Found = Pick<PublishedFinding, "id" | "finding" | "anchor" | "severity"> & {
  readonly headLine: number | null;
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
  return {
    ruleId,
    ruleIndex: indexes.get(ruleId) ?? -1,
    level: LEVELS[severity],
    message: { text: plain(`${finding.title}. ${placeNote(found)}${finding.body}`) },
    ...(isAboutDescription(found) ? {} : { locations: [describeLocation(found)] }),
    partialFingerprints: { "kodiai/v1": found.id },
    properties: {
      severity: SEVERITY_LABELS[severity],
      category: finding.category,
      confidence: finding.confidence,
      side: anchor?.side ?? finding.sideHint,
    },
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
  if (found.anchor?.side === "old")
    return `About removed code (line ${found.anchor.startLine} before the change). `;
  return found.anchor === null && !isAboutFile(found) ? "Couldn't be placed on a line. " : "";
}

/** Removed code isn't at the head, so only findings on the new side have a snippet and a full range. */
function describeRegion({ anchor }: Found, headLine: number): Json {
  if (anchor === null || anchor.side === "old") return { startLine: headLine };
  return { startLine: anchor.startLine, endLine: anchor.endLine, snippet: { text: anchor.lines.join("\n") } };
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
  const unread = listOmissions(receipt).filter(({ reason }) => makesIncomplete(reason));
  return {
    executionSuccessful: isComplete(publication),
    toolExecutionNotifications: [
      ...publication.notices.map((notice) => notification("warning", notice)),
      ...degradations.map(({ what, message }) => notification("warning", `${what}: ${message}`)),
      ...unread.map((omission) => notification("warning", describeOmission(omission), omission.paths)),
      ...change.notes.map((note) => notification("note", note)),
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
