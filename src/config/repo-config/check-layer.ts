/**
 * Checks the nodes of one file against the schema. Valid values are kept; an invalid value is dropped with a problem, so
 * an error affects only the key it's in. Other files play no part here.
 */
import { printable } from "../../base/printable.ts";
import type { ConfigNode, MapEntry, MapNode } from "./config-node.ts";
import { renderValue } from "./describe-shape.ts";
import { findMisplacedGlob } from "./glob-folder.ts";
import type { ProblemList } from "./problem-list.ts";
import { readValue, UNUSABLE, type ReadLimits } from "./read-value.ts";
import type { RuleMention } from "./repo-config.ts";
import { CONFIG_OUTLINE, type ConfigOutline, type RecordShape, type SectionShape } from "./schema-outline.ts";
import { describeUnknownKey } from "./unknown-key.ts";

/** A valid value from the file. */
type SetValue = { readonly path: readonly string[]; readonly value: unknown };

/** The values that one file sets. */
export type Layer = {
  readonly file: string;
  /** "" for the root; otherwise without a trailing slash. */
  readonly folder: string;
  readonly set: readonly SetValue[];
  readonly ruleMentions: readonly RuleMention[];
};

type Walk = {
  readonly folder: string;
  readonly problems: ProblemList;
  readonly limits: ReadLimits;
  readonly set: SetValue[];
  readonly ruleMentions: RuleMention[];
};

/** A `root` of null is an empty file. */
export function checkLayer(
  root: ConfigNode | null,
  folder: string,
  { problems, limits }: Pick<Walk, "problems" | "limits">,
): Layer {
  const walk: Walk = { folder, problems, limits, set: [], ruleMentions: [] };
  if (root?.kind === "map") walkSection(root, CONFIG_OUTLINE, [], walk);
  else if (root !== null) {
    problems.add("error", root, "", () => "isn't a mapping of keys to values, so Kodiai ignores it");
  }
  return {
    file: problems.file,
    folder,
    set: keepModelsOff(walk, keepWriteOff(walk)),
    ruleMentions: walk.ruleMentions,
  };
}

function walkSection(map: MapNode, section: SectionShape, path: readonly string[], walk: Walk): void {
  for (const entry of map.entries) {
    const entryPath = [...path, entry.key];
    const outline = section.keys.get(entry.key);
    if (outline !== undefined) checkEntry(entry, outline, entryPath, walk);
    else {
      const key = entryPath.map(printable).join(".");
      const known = [...section.keys.keys()];
      walk.problems.add("warning", entry, key, () => describeUnknownKey(entry.key, path.join("."), known));
    }
  }
}

/** Settings of the whole review. They can't differ by folder. */
const ROOT_ONLY_KEYS: ReadonlySet<string> = new Set([
  "model",
  "fallbackModels",
  "timeoutSeconds",
  "budget",
  "limits",
  "mentions",
  "prices",
  "telemetry",
  "write",
  "review.effort",
  "review.prompt",
  "review.pathInstructions",
  "review.patterns.customRules",
  "review.guidelines",
  "review.relatedCode",
  "review.passes",
  "review.triageModel",
  "review.chunked",
  "review.language",
]);

function checkEntry(entry: MapEntry, outline: ConfigOutline, path: readonly string[], walk: Walk): void {
  const { node } = entry;
  const { shape } = outline;
  const key = path.join(".");
  if (walk.folder !== "" && ROOT_ONLY_KEYS.has(key))
    walk.problems.add(
      "warning",
      entry,
      key,
      () => "applies to the whole review, so it's read only from the file at the root; ignored here",
    );
  if (shape.kind === "section" || shape.kind === "record") {
    // A section whose keys are all commented out is an empty section.
    if (isNull(node)) return;
    if (node.kind === "map") {
      if (shape.kind === "section") walkSection(node, shape, path, walk);
      else walkRecord(node, shape, path, walk);
      return;
    }
  }
  const value = readValue(node, outline, {
    key,
    consequence: describeConsequence(outline, walk),
    problems: walk.problems,
    limits: walk.limits,
  });
  if (value === UNUSABLE) return;
  walk.set.push({ path, value });
  const misplaced = findMisplacedGlob(key, value, walk.folder);
  if (misplaced !== null) walk.problems.add("warning", node, key, () => misplaced);
}

function isNull(node: ConfigNode): boolean {
  return node.kind === "scalar" && node.value === null;
}

function walkRecord(map: MapNode, shape: RecordShape, path: readonly string[], walk: Walk): void {
  for (const entry of map.entries) {
    const key = [...path, printable(entry.key)].join(".");
    // Assigning `__proto__` to an object changes its prototype instead of adding a key.
    if (entry.key === "__proto__" || !shape.name.schema.safeParse(entry.key).success) {
      walk.problems.add("error", entry, key, () => "isn't a valid name; the entry is ignored");
      continue;
    }
    if (path.join(".") === "floor.rules") {
      walk.ruleMentions.push({
        id: entry.key,
        file: walk.problems.file,
        line: entry.line,
        column: entry.column,
      });
    }
    const site = { key, consequence: "the entry is ignored", problems: walk.problems, limits: walk.limits };
    const value = readValue(entry.node, shape.value, site);
    if (value !== UNUSABLE) walk.set.push({ path: [...path, entry.key], value });
  }
}

/** For a nested file the fallback isn't known here: an outer file may have set the key. */
function describeConsequence({ shape, defaultValue }: ConfigOutline, { folder }: Walk): string {
  if (folder !== "") return "the value from the parent folders is used";
  if (shape.kind === "section") return "the section's defaults are used";
  if (defaultValue === undefined) return "the key is treated as not set";
  const shown = renderValue(defaultValue);
  return shown.length > 40 ? "the default is used" : `the default ${shown} is used`;
}

/**
 * An error must not widen the lists of editable files. With any problem under `write`, including a misspelled key, write
 * mode is off wherever this file applies.
 */
function keepWriteOff({ folder, problems, set }: Walk): readonly SetValue[] {
  const position = problems.firstIn("write");
  if (position === null) return set;
  const others = set.filter(({ path }) => path.join(".") !== "write.enabled");
  if (folder === "" && !set.some(({ path, value }) => path.join(".") === "write.enabled" && value === true)) {
    return set;
  }
  problems.add("warning", position, "write", () => "write mode stays off until this section is valid");
  return [...others, { path: ["write", "enabled"], value: false }];
}

/** An error must not remove a spending limit. With any problem under `budget`, including a misspelled key, the budget is 0. */
function keepModelsOff({ folder, problems }: Walk, set: readonly SetValue[]): readonly SetValue[] {
  const position = problems.firstIn("budget");
  if (position === null || folder !== "") return set;
  problems.add("warning", position, "budget", () => "no model is used until this section is valid");
  const others = set.filter(({ path }) => path.join(".") !== "budget.perReviewUsd");
  return [...others, { path: ["budget", "perReviewUsd"], value: 0 }];
}
