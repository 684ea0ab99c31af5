/**
 * A process that measures rules on slow inputs and sends the results to its parent. A rule that hangs blocks only this process, and the
 * parent kills it.
 */
import { yieldToEventLoop } from "../../src/base/event-loop.ts";
import { languageOf } from "../../src/languages/language-of.ts";
import type { FloorRule } from "../../src/rules/rule.ts";
import { ALL_RULES } from "../../src/rules/all-rules.ts";
import { isAll } from "./extent.ts";
import { hostileExamples } from "./hostile-examples.ts";
import { type BadExample, readExamples } from "./rule-examples.ts";
import { prepareRule, type RuleRun } from "./run-rule.ts";

export type Measurement = {
  readonly input: string;
  /** CPU time of the rule alone. */
  readonly cpuMs: number;
  /** Whether the rule reached its work limit. */
  readonly isStopped: boolean;
};

/** `measured` is null before the input is measured; `input` is null after all inputs of the rule were measured. */
export type MeasureMessage = {
  readonly rule: string;
  readonly input: string | null;
  readonly measured: Measurement | null;
};

/** Other processes disturb a measurement, so a rule that seems slow is measured again. The least of a few is its own time. */
const TRIES = 3;

/** Languages of a rule that are measured in every shape. A rule has one code for all its languages, so the others get a few shapes. */
const LANGUAGES_IN_FULL = isAll ? Infinity : 1;

/** Nestings of a language differ in their syntax, and rules share the code that walks it, so rules take turns with them. */
const NESTING = /^(?:deep inside|at each level of|inside itself after line) /;

/** One of so many nested inputs is measured. Odd, so that both shapes of each nesting have their turn. */
const NESTINGS_PER_TURN = 3;

const FEW_SHAPES: ReadonlySet<string> = new Set(["repeated", "on one line", "inside itself after line 1"]);

const [chars, fastMs, ...ids] = process.argv.slice(2);

async function measureRule(rule: FloorRule): Promise<void> {
  const turn = ALL_RULES.indexOf(rule);
  const { bad: all } = readExamples(rule.id);
  for (const [index, bad] of firstOfLanguages(all).entries()) {
    let nestings = 0;
    for (const { name, example } of hostileExamples(rule.kind, bad, Number(chars))) {
      if (index >= LANGUAGES_IN_FULL && !FEW_SHAPES.has(name)) continue;
      if (!isAll && NESTING.test(name) && (nestings++ + turn) % NESTINGS_PER_TURN !== 0) continue;
      const input = `bad example ${all.indexOf(bad) + 1}, ${name}`;
      const run = prepareRule(rule, example);
      send({ rule: rule.id, input, measured: null });
      send({ rule: rule.id, input, measured: { input, ...measure(run) } });
      await yieldToEventLoop();
    }
  }
  send({ rule: rule.id, input: null, measured: null });
}

/** Uses the first example of each language, because the others exercise the same code. */
function firstOfLanguages(examples: readonly BadExample[]): readonly BadExample[] {
  const byLanguage = Map.groupBy(examples, ({ files }) => languageOf(files[0]?.path ?? ""));
  return [...byLanguage.values()].flatMap((same) => same.slice(0, 1));
}

function measure(run: () => RuleRun): Omit<Measurement, "input"> {
  let cpuMs = Infinity;
  let isStopped = false;
  for (let count = 0; count < TRIES && cpuMs > Number(fastMs); count++) {
    const before = process.cpuUsage();
    isStopped = run().isStopped;
    const { user, system } = process.cpuUsage(before);
    cpuMs = Math.min(cpuMs, (user + system) / 1000);
  }
  return { cpuMs, isStopped };
}

function send(message: MeasureMessage): void {
  process.send?.(message);
}

for (const rule of ALL_RULES) if (ids.includes(rule.id)) await measureRule(rule);
process.disconnect?.();
