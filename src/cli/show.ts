/** `kodiai show`: one finding of the last review of this branch, with its code as it is now. Reviews nothing. */
import { KodiaiError } from "../base/errors.ts";
import { placesSince } from "../review/context/decide-scope.ts";
import type { PriorReview } from "../review/context/prior-review.ts";
import { withSeenAt } from "../review/findings/seen-at.ts";
import { anchorFinding } from "../review/findings/anchor-finding.ts";
import { carryPrior, type CheckProof } from "../review/findings/carry-prior.ts";
import { locatePrior } from "../review/findings/match-prior.ts";
import { publishFinding } from "../review/publication/compose/compose-publication.ts";
import type { Change } from "../review/change/change.ts";
import { RULES_URL } from "../version.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { usage } from "./parse-arguments.ts";
import { DEFAULT_WIDTH, usesColor } from "./print-review.ts";

export const show: Command = {
  name: "show",
  argumentNames: "NUMBER",
  positionals: { min: 1, max: 1 },
  description:
    "Shows one finding of the last review of this branch in full: its code as it is now, why it matters and how to fix it. The\nnumber is the one that the review shows in parentheses. Reviews nothing; run kodiai review for that.",
  options: {
    base: { type: "string", value: "REF", help: "the base of that review, if it wasn't detected" },
    staged: { type: "boolean", help: "of the last review of staged changes" },
  },
  examples: [
    { line: "kodiai show 3", comment: "show finding (3) with its code" },
    { line: "kodiai show 1 --staged", comment: "of `kodiai review --staged`" },
  ],
  run,
};

/** Nothing is checked, so every finding is shown as the last review left it. */
const NO_PROOF: CheckProof = {
  couldFindAgain: () => false,
  isUnseen: () => false,
  answers: new Map(),
  ignoreReasonAt: () => null,
};

async function run({ positionals, options }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const [given = ""] = positionals;
  const number = /^\d{1,6}$/.test(given) ? Number(given) : 0;
  if (number < 1) throw usage(show, "the number of a finding is required, such as 3");
  const repository = await deps.code.openRepository();
  try {
    const base = typeof options["base"] === "string" ? options["base"] : null;
    const request =
      options["staged"] === true ? ({ kind: "staged" } as const) : ({ kind: "current", base } as const);
    const change = await repository.readChange(request);
    const { checkout } = repository;
    const { openReviewMemory } = await import("./review-memory.ts");
    const memory =
      checkout === null
        ? null
        : await openReviewMemory(
            { ...checkout, kind: request.kind },
            (line) => deps.stderr.write(line),
            deps,
          );
    const prior = memory?.recall(change) ?? null;
    if (prior === null || prior.runs.length === 0)
      throw new KodiaiError("not-found", "no review of this branch is remembered", {
        hint: "Run `kodiai review` first.",
      });
    deps.stdout.write(await render(number, { prior, change }, deps));
    return EXIT.ok;
  } finally {
    repository.close();
  }
}

async function render(
  number: number,
  { prior, change }: { readonly prior: PriorReview; readonly change: Change },
  deps: CliDeps,
): Promise<string> {
  const located = locatePrior(prior, placesSince(change.files, prior));
  const found = located.find((each) => each.prior.number === number);
  if (found === undefined) {
    const numbers = prior.findings.map((each) => each.number).toSorted((a, b) => a - b);
    throw new KodiaiError("not-found", `the last review has no finding (${number})`, {
      hint:
        numbers.length === 0 ? "It had none." : `It has ${numbers.map((each) => `(${each})`).join(", ")}.`,
    });
  }
  const { identity: id, severity, state } = found.prior;
  const live = { ...found.prior, state: "open" } as const;
  const carried = carryPrior([{ ...found, prior: live }], change.files, NO_PROOF).get(live);
  const [first] = carried !== undefined && Array.isArray(carried) ? carried : [];
  if (first === undefined)
    throw new KodiaiError("not-found", `the code of finding (${number}) is no longer part of the change`, {
      hint: "Run `kodiai review` to review the change as it is now.",
    });
  const { finding } = first;
  const file = change.files.find(({ path }) => path === finding.path) ?? null;
  const anchor = anchorFinding(finding, file);
  const plain = { suggestion: { kind: "none" }, placement: "details", priority: 0, notes: [] } as const;
  const published = publishFinding(
    { id, finding: withSeenAt(finding, anchor), anchor, severity, ...plain },
    number,
    change.files,
  );
  const { renderShownFinding } = await import("../review/publication/render/render-terminal.ts");
  return renderShownFinding(published, {
    color: usesColor(deps),
    width: deps.stdout.columns ?? DEFAULT_WIDTH,
    rulesUrl: RULES_URL,
    note: state === "open" ? null : state,
  });
}
