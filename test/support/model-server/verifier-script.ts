/** Models that check findings: the claims of a prompt, and a verdict for each. */
import type { ModelScript, ModelTurn, ScriptedCall, ScriptedRequest } from "./script.ts";

export type ReadClaim = {
  readonly number: number;
  readonly path: string;
  /** Null for a claim about a whole file. */
  readonly line: number | null;
  readonly title: string;
};

const CLAIM =
  /^# Claim (\d+)\n<data-[^>]*>\nPlace: (.+?)(?::(\d+)(?:-\d+)?)?(?: \(removed code[^)]*\))?\nClaim: (.*)$/gm;

export function claimsIn({ prompt }: Pick<ScriptedRequest, "prompt">): readonly ReadClaim[] {
  return [...prompt.matchAll(CLAIM)].map(([, number, path = "", line, title = ""]) => ({
    number: Number(number),
    path,
    line: line === undefined ? null : Number(line),
    title,
  }));
}

export type ScriptedVerdict = {
  readonly verdict?: string;
  readonly isNew?: boolean;
  readonly severity?: string;
  readonly evidence?: string;
  readonly because?: string;
};

/** Confirms what the claim says, at its own line. */
export function verdictOn({ number, path, line }: ReadClaim, more: ScriptedVerdict = {}): ScriptedCall {
  return {
    name: "give_verdict",
    args: {
      claim: number,
      verdict: "confirmed",
      isNew: true,
      severity: "critical",
      evidence: `${path}:${line ?? 1}`,
      because: "The line does what is claimed.",
      ...more,
    },
  };
}

/** Gives all verdicts in one turn. */
export function verifying(decide: (claim: ReadClaim) => ScriptedVerdict, turn: ModelTurn = {}): ModelScript {
  return (request) => ({
    ...turn,
    toolCalls: claimsIn(request).map((claim) => verdictOn(claim, decide(claim))),
  });
}

/** Changes nothing and costs nothing, for scenes that aren't about it. */
export const CONFIRMING: ModelScript = verifying(() => ({}), { usage: { input: 1, output: 1 } });
