/**
 * The review as JSON: a documented contract with a version. Fields are added under the same version; a field is removed
 * or changes its meaning only under the next. docs/json-output.md and schema/review-output.schema.json describe it.
 */
import type { PriorFinding } from "../../context/prior-review.ts";
import type { Anchor, DroppedFinding } from "../../findings/finding.ts";
import type { HiddenFinding, ResolvedFinding } from "../../findings/settle-prior.ts";
import { describeStopReason } from "../compose/describe-stop-reason.ts";
import { alsoReported } from "../also-reported.ts";
import type { OpenFinding, Publication, PublishedFinding } from "../publication.ts";
import { describeContents } from "../describe-contents.ts";
import { describeModelNote } from "../describe-details.ts";
import { unresolvedOf } from "../words.ts";
import { stringifySafe } from "./safe-json.ts";

const CONTRACT_VERSION = 1;

export function renderJson(publication: Publication): string {
  const { change, verdict, findings, dropped, receipt, degradations, usage, details, version } = publication;
  const { conclusion, passes, notices, overview, hidden, resolved, scope, dependencies } = publication;
  return stringifySafe({
    version: CONTRACT_VERSION,
    tool: {
      name: "kodiai",
      version,
      reviewer: details.reviewer,
      rulesRun: details.rulesRun,
      analysers: details.analysers,
      modelNote: describeModelNote(details),
    },
    change: {
      kind: change.kind,
      description: change.description,
      title: change.title,
      base: change.base,
      head: change.head,
      files: details.scale.files,
      addedLines: details.scale.addedLines,
      removedLines: details.scale.removedLines,
      languages: details.languages,
      riskSignals: details.riskSignals,
      notes: change.notes,
      summary: describeContents(change.contents, details.riskSignals).join("\n"),
    },
    verdict,
    overview,
    scope,
    findings: findings.map(describeFinding),
    stillOpen: unresolvedOf(publication).map(describeOpen),
    hidden: hidden.map(describeResolved),
    resolved: resolved.map(describeResolved),
    dependencies,
    dropped: dropped.map(describeDropped),
    verification: publication.verification,
    memory: describeMemory(publication),
    receipt: {
      files: receipt.entries.map(({ path, status, reason, readBy, isSkimmed, carried, lines, hunks }) => ({
        path,
        status,
        ...(reason === null ? {} : { reason }),
        ...(readBy === undefined ? {} : { readBy }),
        ...(isSkimmed === undefined ? {} : { isSkimmed }),
        ...(carried === undefined ? {} : { carried }),
        lines,
        ...(hunks === undefined ? {} : { hunks }),
      })),
      gaps: receipt.gaps.map(({ rules: _rules, ...gap }) => gap),
      coverage: receipt.coverage,
    },
    config: {
      origin: details.configOrigin,
      problems: details.configProblems,
      mode: details.mode.mode,
      modeOrigin: details.mode.origin,
      minLevel: details.mode.minLevel,
      shownFrom: details.mode.shownFrom,
    },
    sarif: details.sarif,
    degradations,
    conclusion,
    notices,
    passes: passes.map(({ sections: _sections, ...pass }) => ({
      ...pass,
      stopReason: describeStopReason(pass.stopReason),
    })),
    usage,
  });
}

function describeFinding(published: PublishedFinding): Readonly<Record<string, unknown>> {
  const { finding, anchor, suggestion } = published;
  return {
    id: published.id,
    number: published.number,
    ...(published.reopens === undefined ? {} : { isBack: true }),
    title: finding.title,
    body: finding.body,
    severity: published.severity,
    reportedSeverity: finding.severity,
    category: finding.category,
    path: anchor?.path ?? finding.path,
    side: anchor?.side ?? finding.sideHint,
    ...describePlace(anchor),
    headLine: published.headLine,
    ...(published.others === undefined
      ? {}
      : { otherLines: published.others.map(({ startLine }) => startLine) }),
    ...(finding.seenAt === undefined ? {} : { seenAt: finding.seenAt }),
    quote: anchor === null ? finding.quote : anchor.lines.join("\n"),
    ...(suggestion.kind === "verified" ? { suggestion: suggestion.replacement } : {}),
    ...(suggestion.kind === "prose" ? { advice: suggestion.text, adviceReason: suggestion.reason } : {}),
    confidence: finding.confidence,
    priority: published.priority,
    source: finding.source,
    ...(finding.rule === null ? {} : { rule: finding.rule }),
    placement: published.placement,
    evidence: finding.evidence,
    ...describeAlso(published),
    ...(finding.disputed === undefined ? {} : { disputed: finding.disputed }),
    notes: published.notes,
    verification: finding.verification ?? null,
    frame: published.frame,
  };
}

/** Without a field when no other reviewer reports it. */
function describeAlso(published: PublishedFinding): Readonly<Record<string, unknown>> {
  const also = alsoReported(published).map(({ source, rule, title, body, severity }) => ({
    source,
    ...(rule === null ? {} : { rule }),
    title,
    body,
    severity,
  }));
  return also.length === 0 ? {} : { alsoReportedBy: also };
}

function describeOpen({ prior, judged, state, carriedAs }: OpenFinding): Readonly<Record<string, unknown>> {
  return {
    ...describeFinding(judged),
    state,
    checked: carriedAs ?? "found",
    threadUrl: prior.thread?.url ?? null,
  };
}

/** Without lines: those of an earlier commit would be mistaken for lines of this one. */
function describeResolved({
  prior,
  state,
  because,
}: ResolvedFinding | HiddenFinding): Readonly<Record<string, unknown>> {
  return { ...describePrior(prior), path: prior.path, state, because };
}

function describePrior(prior: PriorFinding): Readonly<Record<string, unknown>> {
  const { identity, number, title, severity, category, source, rule, thread } = prior;
  return {
    id: identity,
    number,
    title,
    severity,
    category,
    source,
    ...(rule === null ? {} : { rule }),
    threadUrl: thread?.url ?? null,
  };
}

function describeDropped(dropped: DroppedFinding): Readonly<Record<string, unknown>> {
  const { finding, anchor } = dropped;
  return {
    id: dropped.id,
    title: finding.title,
    path: anchor?.path ?? finding.path,
    side: anchor?.side ?? finding.sideHint,
    ...describePlace(anchor),
    severity: dropped.severity,
    category: finding.category,
    source: finding.source,
    ...(finding.rule === null ? {} : { rule: finding.rule }),
    reason: dropped.reason,
    detail: dropped.detail,
    ...(finding.verification === undefined ? {} : { verification: finding.verification }),
  };
}

/** Without the texts of earlier findings: `kodiai memory show` has them. */
function describeMemory({
  memory: { similar, learnings, suppressions },
}: Publication): Readonly<Record<string, unknown>> {
  return {
    similar: similar.map(({ id, title, path, outcome, repository, pullRequest, url, distance, method }) => ({
      id: `m${id}`,
      title,
      path,
      outcome,
      repository,
      pullRequest,
      url,
      distance,
      method,
    })),
    learnings: learnings.map(({ id, text, kind, source, confidence, paths, provenance, owner }) => ({
      id: id === null ? null : `l${id}`,
      text,
      kind,
      source,
      confidence,
      paths,
      provenance,
      owner,
    })),
    suppressions: suppressions.map(({ id, title, expiresAt, hidden }) => ({
      id: `s${id}`,
      title,
      expires: new Date(expiresAt).toISOString(),
      hidden,
    })),
  };
}

/** Lines are null, not left out, when the finding has no place, so that readers handle the case explicitly. */
function describePlace(anchor: Anchor | null): { startLine: number | null; endLine: number | null } {
  return { startLine: anchor?.startLine ?? null, endLine: anchor?.endLine ?? null };
}
