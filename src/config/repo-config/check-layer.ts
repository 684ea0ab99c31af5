/**
 * One file's nodes against the schema: what is good is kept with its key, what is bad is left out with a problem, so a
 * mistake costs only the key it is in. It knows nothing of other files.
 */
import { printable } from "../../base/printable.ts";
import type { ConfigNode, MapEntry, MapNode } from "./config-node.ts";
import { renderValue } from "./describe-shape.ts";
import { findMisplacedGlob } from "./glob-folder.ts";
import type { ProblemList } from "./problem-list.ts";
import { readValue, UNUSABLE, type ReadLimits } from "./read-value.ts";
import type { RuleMention } from "./repo-config.ts";
import { CONFIG_OUTLINE, type Outline, type RecordShape, type SectionShape } from "./schema-outline.ts";
import { describeUnknownKey } from "./unknown-key.ts";

/** A value that was written and is good. */
type SetValue = { readonly path: readonly string[]; readonly value: unknown };

/** What one file sets. */
export type Layer = {
  readonly file: string;
  /** "" for the root, else without a slash at the end. */
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
    problems.add("error", root, "", () => "is not a mapping of keys to values; all of it is ignored");
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

/** What a model is and is told, what it may cost and how long it may take does not depend on the file that it reads. */
const OF_THE_WHOLE: ReadonlySet<string> = new Set([
  "model",
  "fallbackModels",
  "timeoutSeconds",
  "budget",
  "limits",
  "prices",
  "review.effort",
  "review.prompt",
  "review.pathInstructions",
  "review.patterns.customRules",
  "review.guidelines",
  "review.chunked",
  "review.language",
]);

function checkEntry(entry: MapEntry, outline: Outline, path: readonly string[], walk: Walk): void {
  const { node } = entry;
  const { shape } = outline;
  const key = path.join(".");
  if (walk.folder !== "" && OF_THE_WHOLE.has(key))
    walk.problems.add(
      "warning",
      entry,
      key,
      () => "holds for a review as a whole and is read from the file at the root only; here it does nothing",
    );
  if (shape.kind === "section" || shape.kind === "record") {
    // A section whose keys are all commented out is an empty section.
    if (node.kind === "scalar" && node.value === null) return;
    if (node.kind === "map") {
      if (shape.kind === "section") walkSection(node, shape, path, walk);
      else walkRecord(node, shape, path, walk);
      return;
    }
  }
  const value = readValue(node, outline, {
    key,
    standIn: describeStandIn(outline, walk),
    problems: walk.problems,
    limits: walk.limits,
  });
  if (value === UNUSABLE) return;
  walk.set.push({ path, value });
  const misplaced = findMisplacedGlob(key, value, walk.folder);
  if (misplaced !== null) walk.problems.add("warning", node, key, () => misplaced);
}

function walkRecord(map: MapNode, shape: RecordShape, path: readonly string[], walk: Walk): void {
  for (const entry of map.entries) {
    const key = [...path, printable(entry.key)].join(".");
    // The one name that, assigned to an object, is not just another key.
    if (entry.key === "__proto__" || !shape.name.schema.safeParse(entry.key).success) {
      walk.problems.add("error", entry, key, () => "is not a usable name; the entry is left out");
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
    const site = { key, standIn: "the entry is left out", problems: walk.problems, limits: walk.limits };
    const value = readValue(entry.node, shape.value, site);
    if (value !== UNUSABLE) walk.set.push({ path: [...path, entry.key], value });
  }
}

/** In a nested file what stands in is not known here: an outer file may have set the key. */
function describeStandIn({ shape, defaultValue }: Outline, { folder }: Walk): string {
  if (folder !== "") return "the value from outside this folder is used";
  if (shape.kind === "section") return "the defaults of the section are used";
  if (defaultValue === undefined) return "the key counts as not set";
  const shown = renderValue(defaultValue);
  return shown.length > 40 ? "the default is used" : `the default ${shown} is used`;
}

/**
 * Lists of what may be edited must not get wider by a mistake: with any problem under `write`, a misspelt key included,
 * write mode is off where this file holds.
 */
function keepWriteOff({ folder, problems, set }: Walk): readonly SetValue[] {
  const place = problems.firstIn("write");
  if (place === null) return set;
  const others = set.filter(({ path }) => path.join(".") !== "write.enabled");
  if (folder === "" && !set.some(({ path, value }) => path.join(".") === "write.enabled" && value === true)) {
    return set;
  }
  problems.add("warning", place, "write", () => "write mode stays off until this section is correct");
  return [...others, { path: ["write", "enabled"], value: false }];
}

/** A ceiling must not vanish by a mistake: with any problem under `budget`, a misspelt key included, nothing may be spent. */
function keepModelsOff({ folder, problems }: Walk, set: readonly SetValue[]): readonly SetValue[] {
  const place = problems.firstIn("budget");
  if (place === null || folder !== "") return set;
  problems.add("warning", place, "budget", () => "no model is used until this section is correct");
  const others = set.filter(({ path }) => path.join(".") !== "budget.perReviewUsd");
  return [...others, { path: ["budget", "perReviewUsd"], value: 0 }];
}
