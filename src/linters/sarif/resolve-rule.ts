/** Finds the rule of a result: in the tool itself or in one of its extensions, by index or by id. */
import { type JsonObject, listOf, objectOf, stringOf, wholeNumberOf } from "./json-values.ts";

const MAX_TOOL_CHARS = 40;
const MAX_RULE_CHARS = 120;

export type SarifTool = {
  /** As the tool writes it: "Semgrep OSS". */
  readonly name: string;
  readonly version: string | null;
};

export type ToolRules = SarifTool & {
  /** The first part of rule ids: "semgrep". */
  readonly slug: string;
  readonly components: readonly RuleComponent[];
};

type RuleComponent = {
  readonly name: string;
  readonly guid: string;
  readonly rules: readonly JsonObject[];
  readonly byId: ReadonlyMap<string, JsonObject>;
};

export type ResolvedRule = {
  /** `tool/rule`, with safe characters only. */
  readonly id: string;
  /** The id without the tool. */
  readonly name: string;
  /** The tool's description of the rule; empty when it has none. */
  readonly descriptor: JsonObject;
};

/** The driver comes first, then the extensions in their order. */
export function toolRulesOf(run: JsonObject): ToolRules {
  const tool = objectOf(run["tool"]);
  const driver = objectOf(tool["driver"]);
  const name = oneLine(stringOf(driver["name"]), MAX_TOOL_CHARS) || "unknown tool";
  const version = oneLine(stringOf(driver["semanticVersion"]) || stringOf(driver["version"]), MAX_TOOL_CHARS);
  return {
    name,
    version: version === "" ? null : version,
    slug: slugOf(name),
    components: [driver, ...listOf(tool["extensions"]).map(objectOf)].map(componentOf),
  };
}

export function resolveRule(result: JsonObject, tool: ToolRules): ResolvedRule {
  const reference = objectOf(result["rule"]);
  const given = stringOf(result["ruleId"]) || stringOf(reference["id"]);
  const index = wholeNumberOf(reference["index"], 0) ?? wholeNumberOf(result["ruleIndex"], 0);
  const component = componentFor(objectOf(reference["toolComponent"]), tool.components);
  const indexed = index === null ? undefined : component?.rules[index];
  // An index that names another rule than the id is wrong.
  const isSame = indexed !== undefined && (given === "" || isRuleOf(given, stringOf(indexed["id"])));
  const descriptor = isSame ? indexed : findById(given, tool.components);
  const name = cleanId(given || stringOf(descriptor["id"]), tool.slug);
  return { id: `${tool.slug}/${name}`, name, descriptor };
}

function componentOf(component: JsonObject): RuleComponent {
  const rules = listOf(component["rules"]).map(objectOf);
  return {
    name: stringOf(component["name"]),
    guid: stringOf(component["guid"]),
    rules,
    byId: new Map(rules.toReversed().map((rule) => [stringOf(rule["id"]), rule])),
  };
}

function componentFor(
  reference: JsonObject,
  [driver, ...extensions]: readonly RuleComponent[],
): RuleComponent | undefined {
  const index = wholeNumberOf(reference["index"], 0);
  if (index !== null) return extensions[index];
  const { name, guid } = { name: stringOf(reference["name"]), guid: stringOf(reference["guid"]) };
  const named = (each: RuleComponent) => (guid !== "" ? each.guid === guid : each.name === name);
  return guid === "" && name === "" ? driver : (extensions.find(named) ?? driver);
}

/** The id of a result may be more specific than its rule's: "CA1711/1". */
function isRuleOf(given: string, ruleId: string): boolean {
  return given === ruleId || given.startsWith(`${ruleId}/`);
}

function findById(id: string, components: readonly RuleComponent[]): JsonObject {
  for (const { byId } of components) {
    const found = byId.get(id) ?? byId.get(id.slice(0, Math.max(0, id.lastIndexOf("/"))));
    if (found !== undefined) return found;
  }
  return {};
}

/** "Semgrep OSS" → "semgrep", "golangci-lint" → "golangci-lint". */
function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/\s+(?:oss|pro|cli|community|enterprise)\b.*$/, "")
    .replace(/[^a-z0-9.]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  return slug === "" ? "unknown-tool" : slug;
}

/** Only characters that a comment in code and a configuration file can name. */
function cleanId(id: string, slug: string): string {
  const clean = id
    .slice(0, MAX_RULE_CHARS * 2)
    .replace(/[^\w@./:-]+/g, "-")
    .slice(0, MAX_RULE_CHARS);
  const bare = [`${slug}::`, `${slug}/`].find((prefix) => clean.startsWith(prefix))?.length ?? 0;
  return clean.slice(bare).replace(/^[-/.:]+|[-/.:]+$/g, "") || "unknown-rule";
}

/** Without line breaks and control characters, cut to a length. */
function oneLine(text: string, maxChars: number): string {
  return text
    .slice(0, maxChars * 4)
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, maxChars);
}
