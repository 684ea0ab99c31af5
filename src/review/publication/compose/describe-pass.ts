/** One line about one attempt of a model, for the details of a review. */
import { count } from "../../../base/count.ts";
import type { PassReport } from "../publication.ts";
import { LENS_NAMES } from "../lens-names.ts";
import { describeCost } from "../words.ts";
import { describeStopReason } from "./describe-stop-reason.ts";

const STEPS: Readonly<Record<PassReport["step"], string>> = {
  full: "",
  lean: ", shorter prompt",
  reduced: ", riskiest half",
  floor: "",
  verify: "",
  triage: "",
};

const OUTCOMES: Readonly<Record<PassReport["outcome"], string>> = {
  completed: "completed",
  "timed-out": "timed out",
  "stopped-by-budget": "stopped by the budget",
  overloaded: "provider overloaded",
  refused: "refused",
  failed: "failed",
  stopped: "stopped",
};

/** "part 2 of 3 (anthropic:x, shorter prompt): timed out (hit the time limit), 12 files, 4 turns, 3 findings, 35 s". */
export function describePass(pass: PassReport): string {
  const why = pass.outcome === "completed" ? "" : ` (${describeStopReason(pass.stopReason)})`;
  const facts = [
    `${OUTCOMES[pass.outcome]}${why}`,
    count(pass.files, "file"),
    count(pass.turns, "turn"),
    count(pass.findings, "finding"),
    describeCost(pass.costUsd),
    `${(pass.ms / 1_000).toFixed(1)} s`,
  ];
  const lens = pass.round === undefined ? "" : `, ${LENS_NAMES[pass.round.lens]}`;
  return `${pass.name}${lens} (${pass.model}${STEPS[pass.step]}): ${facts.join(", ")}`;
}
