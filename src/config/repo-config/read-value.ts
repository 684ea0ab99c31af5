/**
 * One written value against its part of the schema. The schema decides; this says in words what was expected, and keeps
 * the good entries of a list when one of them is bad.
 */
import { count } from "../../base/count.ts";
import { nearest } from "../../base/nearest.ts";
import { printable } from "../../base/printable.ts";
import type { ConfigNode, ListNode, MapNode, ScalarNode } from "./config-node.ts";
import { describeShape, showValue } from "./describe-shape.ts";
import type { ProblemList } from "./problem-list.ts";
import type { ListShape, Outline, SectionShape } from "./schema-outline.ts";
import { describeUnknownKey } from "./unknown-key.ts";

/** A hostile pattern takes 20 ms to compile; a hundred stay within two seconds. */
export const MAX_PATTERNS = 100;

/** Stands for a value that cannot be used; its problem has been told. */
export const UNUSABLE: unique symbol = Symbol("unusable");

/** Shared by all files of a repository and counted down. */
export type ReadLimits = { patternsLeft: number };

export type ReadSite = {
  /** Dotted, with `[0]` for entries of lists. */
  readonly key: string;
  /** What happens instead when the value is bad: "the default auto is used". */
  readonly standIn: string;
  readonly problems: ProblemList;
  readonly limits: ReadLimits;
};

export function readValue(node: ConfigNode, outline: Outline, site: ReadSite): unknown {
  const { shape } = outline;
  if (node.kind === "refused") return refuse(node, outline, node.what, site);
  if (shape.kind === "list" && node.kind === "list") return readList(node, shape, outline, site);
  if (shape.kind === "section" && node.kind === "map") return readObject(node, shape, outline, site);
  if (node.kind !== "scalar") {
    const got = node.kind === "map" ? "a mapping" : "a list";
    return refuse(node, outline, got, site);
  }
  if (shape.kind === "list" && node.value !== null) {
    const got = showValue(node.value);
    return refuse(node, outline, `${got} alone; put it in brackets, as in [${got}]`, site);
  }
  return readScalar(node, outline, site);
}

function readScalar(node: ScalarNode, outline: Outline, site: ReadSite): unknown {
  // Compiling is what costs, and the schema's check compiles.
  if (typeof node.value === "string" && node.value.startsWith("regex:") && site.limits.patternsLeft-- <= 0) {
    return refuse(
      node,
      outline,
      "one more",
      site,
      `at most ${MAX_PATTERNS} regular expressions in all files`,
    );
  }
  const result = outline.schema.safeParse(node.value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  if (issue?.code === "custom") return refuse(node, outline, showValue(node.value), site, issue.message);
  return refuse(node, outline, `${showGot(node, outline)}${hintFor(node, outline)}`, site);
}

function readList(node: ListNode, shape: ListShape, outline: Outline, site: ReadSite): unknown {
  const kept: unknown[] = [];
  for (const [index, item] of node.items.entries()) {
    const key = `${site.key}[${index}]`;
    if (kept.length === shape.max) {
      const message = () => `only ${shape.max} entries are read; this and those after it are left out`;
      site.problems.add("error", item, key, message);
      break;
    }
    const value = readValue(item, shape.item, { ...site, key, standIn: "the entry is left out" });
    if (value !== UNUSABLE) kept.push(value);
  }
  if (kept.length >= shape.min) return kept;
  const expected = `a list of at least ${shape.min} ${shape.min === 1 ? "entry" : "entries"}`;
  return refuse(node, outline, `${kept.length} that can be used`, site, expected);
}

/** A mapping inside a list or record. Sections of the file itself are walked key by key instead. */
function readObject(node: MapNode, shape: SectionShape, outline: Outline, site: ReadSite): unknown {
  const values = new Map<string, unknown>();
  for (const entry of node.entries) {
    const key = `${site.key}.${printable(entry.key)}`;
    const inner = shape.keys.get(entry.key);
    if (inner === undefined) {
      const known = [...shape.keys.keys()];
      site.problems.add("warning", entry, key, () => describeUnknownKey(entry.key, null, known));
      continue;
    }
    const standIn = inner.isRequired ? site.standIn : "the key is left out";
    const value = readValue(entry.node, inner, { ...site, key, standIn });
    if (value !== UNUSABLE) values.set(entry.key, value);
    else if (inner.isRequired) return UNUSABLE;
  }
  const missing = [...shape.keys].find(([name, inner]) => inner.isRequired && !values.has(name))?.[0];
  if (missing !== undefined) {
    site.problems.add("error", node, site.key, () => `needs the key "${missing}"; ${site.standIn}`);
    return UNUSABLE;
  }
  // Only names of the schema are in the map, so none can reach a prototype. The schema fills in the defaults.
  const result = outline.schema.safeParse(Object.fromEntries(values));
  return result.success ? result.data : refuse(node, outline, "a mapping", site);
}

/** Too long or too short says so by number; everything else is shown. */
function showGot(node: ScalarNode, { shape }: Outline): string {
  if (shape.kind === "text" && typeof node.value === "string" && node.value !== "") {
    return count(node.value.length, "character");
  }
  return showValue(node.value);
}

/** "; did you mean …?", or how to write it, or nothing. */
function hintFor({ value }: ScalarNode, { shape }: Outline): string {
  if (shape.kind === "text" && (typeof value === "number" || typeof value === "boolean")) {
    return "; put it in quotes";
  }
  if (typeof value !== "string") return "";
  if (shape.kind === "boolean") {
    const meant = BOOLEAN_WORDS.get(value.toLowerCase());
    return meant === undefined ? "" : `; did you mean ${meant}?`;
  }
  if (shape.kind === "number" && /^-?[\d.]+$/.test(value)) return "; write it without quotes";
  const near = shape.kind === "choice" ? nearest(value, shape.values) : null;
  return near === null ? "" : `; did you mean "${near}"?`;
}

/** YAML 1.2 reads these as text; people who know older YAML mean a boolean. */
const BOOLEAN_WORDS: ReadonlyMap<string, boolean> = new Map([
  ["yes", true],
  ["on", true],
  ["y", true],
  ["true", true],
  ["no", false],
  ["off", false],
  ["n", false],
  ["false", false],
]);

function refuse(
  node: ConfigNode,
  outline: Outline,
  got: string,
  site: ReadSite,
  expected = describeShape(outline.shape),
): typeof UNUSABLE {
  const end = got.endsWith("?") ? ` (${site.standIn})` : `; ${site.standIn}`;
  site.problems.add("error", node, site.key, () => `expected ${expected}, got ${got}${end}`);
  return UNUSABLE;
}
