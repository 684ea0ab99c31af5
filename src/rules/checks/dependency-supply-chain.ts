/** Reports signs that a changed dependency deserves a closer look: scripts at installation, names close to popular ones, lost pins. */
import { isTampering, type Signal, type SignalKind } from "../../ecosystems/supply-chain/signal.ts";
import { groupSignals } from "../lines/group-signals.ts";
import type { ChangeRule } from "../rule.ts";

/** The others are facts for the table: they happen every day, and mean something only together with these. */
const WORTH_A_FINDING: ReadonlySet<SignalKind> = new Set([
  "close-name",
  "unpinned",
  "unknown-host",
  "redirected",
  "insecure-url",
  "integrity-weakened",
  "withdrawn",
  "unpublished",
]);

const isWorth = (signal: Signal): boolean => !isTampering(signal) && WORTH_A_FINDING.has(signal.kind);

export const dependencySupplyChain: ChangeRule = {
  kind: "change",
  id: "dependency-supply-chain",
  title: "Supply-chain risk: a dependency deserves a closer look",
  severity: "medium",
  category: "security",
  why: "Attacks through dependencies look like this, and code that runs at installation or build has the rights of the person or machine that runs it.",
  fix: "Check the package's page and source before merging.",
  confidence: 0.7,
  *check({ dependencies, files }) {
    // Where a manifest lags behind its lockfile, it doesn't name what the lockfile already has.
    const isLagging = (dependencies?.disagreements ?? []).length > 0;
    const isWanted = (signal: Signal): boolean =>
      isWorth(signal) || (signal.kind === "unneeded" && !isLagging);
    for (const { path, line, names, problem, detail } of groupSignals(dependencies, files, isWanted))
      yield { path, line, title: `${problem ?? "Supply-chain risk"}: ${names}`, detail };
  },
};
