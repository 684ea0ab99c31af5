/**
 * Has doubtful findings read a second time by a model that tries to refute them, before anyone sees them. Findings without a verdict are
 * shown as they were found. A review that is taken up again asks about no claim twice.
 */
import { count } from "../../base/count.ts";
import type { Verification, VerificationReport } from "../../review/context/verification.ts";
import type { ContextSources } from "../../review/context/context.ts";
import type { Finding } from "../../review/findings/finding.ts";
import type { Judgement } from "../../review/findings/judge-findings.ts";
import { MODEL_PROBLEM } from "../../review/publication/model-problem.ts";
import type { Reviewed } from "../../review/publication/reviewed.ts";
import { createConcurrencyLimit } from "../../tools/concurrency-limit.ts";
import type { NumberedEntry } from "../../tools/notebook.ts";
import type { PreparedReview } from "../gathering/prepared-review.ts";
import type { ModelDeps } from "../model-review/model-review-task.ts";
import type { ModelSession } from "../model-review/model-session.ts";
import { findCutOffUsd, reportPasses } from "../model-review/report-passes.ts";
import { chooseClaims, type CheckedClaim, groupClaims, MAX_CLAIMS } from "./choose-claims.ts";
import { keepFailed, runSecondReading, type SecondReading } from "./run-second-reading.ts";
import { openShare } from "./verification-share.ts";

/** Each conversation with Claude's own program is a process of a few hundred megabytes. */
const MAX_CLAUDE_TALKS = 4;

export type VerificationInput = {
  readonly prepared: PreparedReview;
  readonly sources: ContextSources;
  readonly session: ModelSession;
  readonly reviewed: Reviewed;
  readonly judge: (findings: readonly Finding[]) => Judgement;
};

export type VerifiedReview = { readonly reviewed: Reviewed; readonly judgement: Judgement };

export async function verifyFindings(input: VerificationInput, deps: ModelDeps): Promise<VerifiedReview> {
  const { prepared, session, reviewed, judge } = input;
  const settings = prepared.config.tree.root.values.review;
  let { findings } = reviewed;
  let judgement = judge(findings);
  let claims = chooseClaims(judgement, settings);
  if (claims.length === 0) return { reviewed, judgement };
  const ask = await openReading(input, deps);
  const asked = new Set<string>();
  // A finding can take the place of a withdrawn one, and is checked in its turn.
  while (claims.length > 0 && asked.size < MAX_CLAIMS) {
    const now = claims.slice(0, MAX_CLAIMS - asked.size);
    for (const { key } of now) asked.add(key);
    await ask(now.filter(({ key }) => !verdictsIn(session.notebook.entries()).has(key)));
    findings = withVerdicts(findings, now, session);
    judgement = judge(findings);
    claims = chooseClaims(judgement, settings);
  }
  const entries = session.notebook.entries();
  const spentUsd = await prepared.degradations.optional("cost", () => session.spending.spentUsd());
  const verification = reportOf(asked, claims.length, entries);
  if (claims.length > 0)
    prepared.degradations.note(
      "second reading",
      `${count(claims.length, "finding")} beyond the limit of ${MAX_CLAIMS} for one review: shown as found`,
    );
  return {
    judgement,
    reviewed: {
      ...reviewed,
      findings,
      verification,
      passes: [...reviewed.passes.filter(({ step }) => step === "floor"), ...reportPasses(entries)],
      cutOffUsd: findCutOffUsd(spentUsd ?? 0, entries),
    },
  };
}

type Ask = (claims: readonly CheckedClaim[]) => Promise<void>;

/** Asks about claims, those of different files at the same time. */
async function openReading(input: VerificationInput, deps: ModelDeps): Promise<Ask> {
  const { prepared, sources, session } = input;
  const models = await chooseVerifiers(input);
  const { notebook, spending } = session;
  const share = await openShare(spending, notebook.entries(), models[0].id);
  const places = Math.min(
    session.access.concurrency,
    models[0].id.startsWith("claude:") ? MAX_CLAUDE_TALKS : Infinity,
  );
  const limit = createConcurrencyLimit(places);
  return async (claims) => {
    if (claims.length === 0) return;
    if (share === null) {
      const why = "too little of the review's budget is left";
      prepared.degradations.note("second reading", `findings are shown as found: ${why}`);
      return keepFailed(
        claims.map(({ key }) => key),
        models[0].id,
        session,
      );
    }
    const reading: SecondReading = {
      prepared,
      sources,
      session: { ...session, spending: share },
      models,
      isLastTry: false,
      deps,
    };
    let waiting = groupClaims(claims);
    for (;;) {
      const ends = await Promise.all(
        waiting.map((group) => limit(async () => [group, await runSecondReading(group, reading)] as const)),
      );
      const left = ends.flatMap(([group, end]) => (end === "unaffordable" ? [group] : []));
      // A conversation reserves more than it costs: the others may fit when it has ended.
      if (left.length === waiting.length) break;
      waiting = left;
    }
    for (const group of waiting) await runSecondReading(group, { ...reading, isLastTry: true });
  };
}

/** `review.verifierModel`, or the models that review. */
async function chooseVerifiers({ prepared, session }: VerificationInput): Promise<ModelSession["models"]> {
  const config = prepared.config.tree.root.values;
  const { verifierModel } = config.review;
  if (verifierModel === undefined) return session.models;
  const named = await session.access.choice.loadNamed(verifierModel, { effort: config.review.effort });
  if (named.kind === "loaded") return [named.model];
  prepared.degradations.note(MODEL_PROBLEM, `review.verifierModel: ${named.problem}`);
  return session.models;
}

function verdictsIn(entries: readonly NumberedEntry[]): ReadonlyMap<string, Verification> {
  return new Map(
    entries.flatMap((entry) => (entry.kind === "verdict" ? [[entry.claim, entry.verification]] : [])),
  );
}

/** Each report that a claim was made of gets its verdict. */
function withVerdicts(
  findings: readonly Finding[],
  claims: readonly CheckedClaim[],
  { notebook }: ModelSession,
): readonly Finding[] {
  const verdicts = verdictsIn(notebook.entries());
  const byReport = new Map<Finding, Verification>();
  for (const { key, judged } of claims) {
    const verification = verdicts.get(key);
    if (verification !== undefined)
      for (const report of judged.sources ?? [judged.finding]) byReport.set(report, verification);
  }
  return findings.map((finding) => {
    const verification = byReport.get(finding);
    return verification === undefined ? finding : { ...finding, verification };
  });
}

function reportOf(
  asked: ReadonlySet<string>,
  leftOut: number,
  entries: readonly NumberedEntry[],
): VerificationReport {
  const given = [...verdictsIn(entries)].filter(([key]) => asked.has(key));
  const countOf = (wanted: Verification["verdict"]): number =>
    given.filter(([, { verdict }]) => verdict === wanted).length;
  return {
    asked: asked.size,
    confirmed: countOf("confirmed"),
    refuted: countOf("refuted"),
    unsure: countOf("unsure"),
    failed: countOf("failed"),
    leftOut,
  };
}
