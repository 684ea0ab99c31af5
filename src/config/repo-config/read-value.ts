/**
 * Checks one value against its part of the schema. The schema decides; this file describes what was expected, and keeps
 * the valid entries of a list if another entry is invalid.
 */
import { count } from "../../base/count.ts";
import { nearest } from "../../base/nearest.ts";
import { printable } from "../../base/printable.ts";
import type { ConfigNode, ListNode, MapNode, ScalarNode } from "./config-node.ts";
import { describeShape, showValue } from "./describe-shape.ts";
import type { ProblemList } from "./problem-list.ts";
import type { ListShape, ConfigOutline, SectionShape } from "./schema-outline.ts";
import { describeUnknownKey } from "./unknown-key.ts";

/** A hostile pattern takes 20 ms to compile, so a hundred take at most two seconds. */
export const MAX_PATTERNS = 100;

/** Marks a value that can't be used. Its problem is already in the list. */
export const UNUSABLE: unique symbol = Symbol("unusable");

/** Countdown shared by all files of a repository. */
export type ReadLimits = { patternsLeft: number };

export type ReadSite = {
  /** Dotted, with `[0]` for entries of lists. */
  readonly key: string;
  /** The consequence of an invalid value: "the default auto is used". */
  readonly consequence: string;
  readonly problems: ProblemList;
  readonly limits: ReadLimits;
  /** True: an invalid part makes the whole value unusable. */
  readonly isStrict?: boolean;
};

export function readValue(node: ConfigNode, outline: ConfigOutline, site: ReadSite): unknown {
  const { shape } = outline;
  if (shape.kind === "either" && node.kind === "map") return readValue(node, shape.mapping, site);
  if (node.kind === "unsupported") return reject(node, outline, node.what, site);
  if (shape.kind === "list" && node.kind === "list") return readList(node, shape, outline, site);
  if (shape.kind === "section" && node.kind === "map") return readObject(node, shape, outline, site);
  if (node.kind !== "scalar") {
    const got = node.kind === "map" ? "a mapping" : "a list";
    return reject(node, outline, got, site);
  }
  if (shape.kind === "list" && node.value !== null) {
    const got = showValue(node.value);
    return reject(node, outline, `${got} alone; put it in brackets, as in [${got}]`, site);
  }
  return readScalar(node, outline, site);
}

function readScalar(node: ScalarNode, outline: ConfigOutline, site: ReadSite): unknown {
  // The schema's check compiles the pattern, which is expensive.
  if (typeof node.value === "string" && node.value.startsWith("regex:") && site.limits.patternsLeft-- <= 0) {
    return reject(
      node,
      outline,
      "another one",
      site,
      `at most ${MAX_PATTERNS} regular expressions in all files`,
    );
  }
  const result = outline.schema.safeParse(node.value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  if (issue?.code === "custom") return reject(node, outline, showValue(node.value), site, issue.message);
  return reject(node, outline, `${showGot(node, outline)}${hintFor(node, outline)}`, site);
}

function readList(node: ListNode, shape: ListShape, outline: ConfigOutline, site: ReadSite): unknown {
  const kept: unknown[] = [];
  for (const [index, item] of node.items.entries()) {
    const key = `${site.key}[${index}]`;
    if (kept.length === shape.max) {
      const message = () => `only ${shape.max} entries are allowed; this entry and all after it are ignored`;
      site.problems.add("error", item, key, message);
      break;
    }
    const consequence = site.isStrict === true ? site.consequence : "the entry is ignored";
    const value = readValue(item, shape.item, { ...site, key, consequence });
    if (value !== UNUSABLE) kept.push(value);
    else if (site.isStrict === true) return UNUSABLE;
  }
  if (kept.length >= shape.min) return kept;
  const expected = `a list of at least ${count(shape.min, "entry", "entries")}`;
  return reject(node, outline, `${kept.length} valid`, site, expected);
}

/** Reads a mapping inside a list or record. Sections of the file are checked key by key instead. */
function readObject(node: MapNode, shape: SectionShape, outline: ConfigOutline, site: ReadSite): unknown {
  const values = new Map<string, unknown>();
  for (const entry of node.entries) {
    const key = `${site.key}.${printable(entry.key)}`;
    const inner = shape.keys.get(entry.key);
    if (inner === undefined) {
      const known = [...shape.keys.keys()];
      site.problems.add("warning", entry, key, () => describeUnknownKey(entry.key, null, known));
      continue;
    }
    const isNeeded = inner.isRequired || site.isStrict === true;
    const consequence = isNeeded ? site.consequence : "the key is ignored";
    const value = readValue(entry.node, inner, { ...site, key, consequence });
    if (value !== UNUSABLE) values.set(entry.key, value);
    else if (isNeeded) return UNUSABLE;
  }
  const missing = [...shape.keys].find(([name, inner]) => inner.isRequired && !values.has(name))?.[0];
  if (missing !== undefined) {
    site.problems.add("error", node, site.key, () => `needs the key "${missing}"; ${site.consequence}`);
    return UNUSABLE;
  }
  // The map only has names from the schema, so none can reach a prototype. The schema fills in the defaults.
  const result = outline.schema.safeParse(Object.fromEntries(values));
  return result.success ? result.data : reject(node, outline, "a mapping", site);
}

/** Text of the wrong length is described by its length; any other value is shown. */
function showGot(node: ScalarNode, { shape }: ConfigOutline): string {
  if (shape.kind === "text" && typeof node.value === "string" && node.value !== "") {
    return count(node.value.length, "character");
  }
  return showValue(node.value);
}

/** "; did you mean …?", how to write the value, or "". */
function hintFor({ value }: ScalarNode, { shape }: ConfigOutline): string {
  if (shape.kind === "text" && (typeof value === "number" || typeof value === "boolean")) {
    return "; put it in quotes";
  }
  if (typeof value !== "string") return "";
  if (shape.kind === "boolean") {
    const meant = BOOLEAN_WORDS.get(value.toLowerCase());
    return meant === undefined ? "" : `; did you mean ${meant}?`;
  }
  if (shape.kind === "number" && /^-?[\d.]+$/.test(value)) return "; remove the quotes";
  const near = shape.kind === "choice" ? nearest(value, shape.values) : null;
  return near === null ? "" : `; did you mean "${near}"?`;
}

/** These are text in YAML 1.2, but booleans in older YAML. */
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

function reject(
  node: ConfigNode,
  outline: ConfigOutline,
  got: string,
  site: ReadSite,
  expected = describeShape(outline.shape),
): typeof UNUSABLE {
  const end = got.endsWith("?") ? ` (${site.consequence})` : `; ${site.consequence}`;
  site.problems.add("error", node, site.key, () => `expected ${expected}, got ${got}${end}`);
  return UNUSABLE;
}
