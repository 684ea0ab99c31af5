/** Compares action.yml of two versions of an action: what workflows pass to it, what they read from it, and what runs it. */
import { parse } from "yaml";
import { type JsonTable, tableOf } from "../../base/documents/json-file.ts";
import type { ApiChange, ApiDifference, ApiFact } from "../../languages/api/api-difference.ts";
import type { PackageSource } from "../../languages/api/package-source.ts";
import type { ApiGap } from "../../languages/api/surface.ts";
import { ACTION_NAMES } from "./action-names.ts";

type Input = { readonly isRequired: boolean; readonly fallback: string | null };

type Action = {
  /** By their names in lower case, because workflows can write them either way. */
  readonly inputs: ReadonlyMap<string, Input>;
  readonly outputs: ReadonlySet<string>;
  /** "node20", "docker", "composite". */
  readonly using: string;
};

export function compareAction(
  name: string,
  { before, after }: { readonly before: PackageSource; readonly after: PackageSource },
): Omit<ApiDifference, "omittedCount"> {
  const [was, is] = [readAction(before), readAction(after)];
  const rest = { facts: [], addedCount: 0, comparedCount: 0, basis: "declarations" } as const;
  if (was === null || is === null)
    return { ...rest, changes: [], gaps: [{ reason: "syntax", where: "action.yml" }] };
  const changes: ApiChange[] = [];
  const remove = (named: string): void =>
    void changes.push({ entry: name, name: named, kind: "value", change: { kind: "removed" } });
  const change = (named: string, from: string, to: string): void =>
    void changes.push({
      entry: name,
      name: named,
      kind: "value",
      change: { kind: "changed", aspect: "parameters", before: from, after: to },
    });
  for (const [input, old] of was.inputs) {
    const now = is.inputs.get(input);
    if (now === undefined) remove(ACTION_NAMES.input(input));
    else if (!isNeeded(now) && switched(old) !== switched(now))
      change(ACTION_NAMES.fallback(input), old.fallback ?? "", now.fallback ?? "");
  }
  for (const [input, now] of is.inputs) {
    const old = was.inputs.get(input);
    if (isNeeded(now) && (old === undefined || !isNeeded(old)))
      change(ACTION_NAMES.required(input), old?.fallback ?? "", "");
  }
  for (const output of was.outputs) if (!is.outputs.has(output)) remove(ACTION_NAMES.output(output));
  return {
    ...rest,
    changes,
    facts: runtimeFacts(was, is),
    addedCount: [...is.inputs.keys()].filter((input) => !was.inputs.has(input)).length,
    comparedCount: was.inputs.size + was.outputs.size + 1,
    gaps: runtimeGaps(was, is),
  };
}

const isNeeded = ({ isRequired, fallback }: Input): boolean => isRequired && fallback === null;

/** Without a default, an input is as empty as one that is off. */
const switched = ({ fallback }: Input): string => (fallback === "false" ? "" : (fallback ?? ""));

const NODE = /^node(\d+)$/;
const kindOf = (using: string): string => (NODE.test(using) ? "node" : using);

/** A container runs on fewer machines than a script, so that one can't stand for the other. */
const runtimeGaps = (was: Action, is: Action): readonly ApiGap[] =>
  kindOf(was.using) === kindOf(is.using) ? [] : [{ reason: "no-common-form", where: "runs.using" }];

function runtimeFacts(was: Action, is: Action): readonly ApiFact[] {
  const [from, to] = [was, is].map(({ using }) => NODE.exec(using)?.[1]);
  if (from === undefined || to === undefined || Number(to) <= Number(from)) return [];
  return [{ kind: "engine-raised", engine: "a runner with Node.js", from, to }];
}

function readAction(files: PackageSource): Action | null {
  const text = files.get("action.yml") ?? files.get("action.yaml");
  const root = text === undefined ? null : parsed(text);
  const using = tableOf(root?.["runs"])?.["using"];
  if (root === null || typeof using !== "string") return null;
  const [inputs, outputs] = [namesOf(root["inputs"]), namesOf(root["outputs"])];
  if (inputs === null || outputs === null) return null;
  return {
    inputs: new Map(
      inputs.map(([input, value]) => {
        const { required, default: fallback } = tableOf(value) ?? {};
        const isRequired = required === true || required === "true";
        return [input, { isRequired, fallback: fallback == null ? null : plainText(fallback) }] as const;
      }),
    ),
    outputs: new Set(outputs.map(([output]) => output)),
    using: using.toLowerCase(),
  };
}

function parsed(text: string): JsonTable | null {
  try {
    return tableOf(parse(text, { maxAliasCount: 0 }));
  } catch {
    return null;
  }
}

/** Null for something else than a table. */
function namesOf(value: unknown): readonly (readonly [string, unknown])[] | null {
  if (value == null) return [];
  const table = tableOf(value);
  return table === null ? null : Object.entries(table).map(([key, each]) => [key.toLowerCase(), each]);
}

const plainText = (value: unknown): string =>
  (typeof value === "string" ? value : JSON.stringify(value)).trim();
