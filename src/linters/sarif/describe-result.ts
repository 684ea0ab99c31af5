/** The title and the text of a result. All of it is untrusted: it is cut, and outputs render it like a model's text. */
import { firstSentence } from "../../base/first-sentence.ts";
import type { JsonObject } from "./json-values.ts";
import { listOf, numberOf, objectOf, stringOf } from "./json-values.ts";
import type { ResolvedRule, SarifTool } from "./resolve-rule.ts";

const MAX_TITLE_CHARS = 120;

/** A message of a tool is a sentence or two; its rule's description a paragraph. */
const MAX_MESSAGE_CHARS = 1_200;
const MAX_RULE_TEXT_CHARS = 600;
const MAX_URL_CHARS = 300;

export type ResultText = { readonly title: string; readonly body: string };

export function describeResult(message: string, rule: ResolvedRule, tool: SarifTool): ResultText {
  const { descriptor } = rule;
  const summary = cleanText(textIn(descriptor["shortDescription"]), MAX_TITLE_CHARS * 2);
  const title = titleOf(message, summary, rule);
  const description = cleanText(
    textIn(descriptor["fullDescription"]) || textIn(descriptor["help"]) || summary,
    MAX_RULE_TEXT_CHARS,
  );
  const isRepeated = [title, message].some((shown) => shown.includes(withoutPeriod(description)));
  const parts = [
    withoutPeriod(message) === title ? "" : message,
    isRepeated ? "" : description,
    origin(rule, tool),
  ];
  return { title, body: parts.filter((part) => part !== "").join("\n\n") };
}

/** A tool that finds secrets may quote them, so only the names of the tool and its rule are shown. */
export function describeSecret(rule: ResolvedRule, tool: SarifTool): ResultText {
  return {
    title: `Possible secret in the code: ${rule.name}`,
    body: `${tool.name} found a text that looks like a credential. If it's real, anyone who can read the repository can use it, also after a later commit removes it.\n\nRevoke it, and read the new one from the environment or a secret store.\n\n${origin(rule, tool)}`,
  };
}

function origin({ name, descriptor }: ResolvedRule, { name: tool, version }: SarifTool): string {
  const url = URL.parse(stringOf(descriptor["helpUri"]));
  const isLink = url !== null && /^https?:$/.test(url.protocol) && url.href.length <= MAX_URL_CHARS;
  const link = isLink ? ` See ${url.href}` : "";
  return `Reported by ${tool}${version === null ? "" : ` ${version}`}, rule \`${name}\`.${link}`;
}

/** The message's first sentence, unless it's too long or only points at the code ("This query depends on …"). */
function titleOf(message: string, summary: string, { name }: ResolvedRule): string {
  const first = withoutPeriod(firstSentence(message));
  const isOwn = first !== "" && first.length <= MAX_TITLE_CHARS && !/^(?:This|These|Here|It)\b/.test(first);
  const short = withoutPeriod(firstSentence(summary));
  if (!isOwn && short !== "" && short.length <= MAX_TITLE_CHARS) return short;
  return cut(first || short || `Rule ${name}`, MAX_TITLE_CHARS);
}

function withoutPeriod(text: string): string {
  return text.endsWith(".") ? text.slice(0, -1) : text;
}

/** The message of a result: its text, or a template of its rule with the arguments filled in. */
export function readMessage(result: JsonObject, { descriptor }: ResolvedRule): string {
  const message = objectOf(result["message"]);
  const template =
    stringOf(message["text"]) || textIn(objectOf(descriptor["messageStrings"])[stringOf(message["id"])]);
  const values = listOf(message["arguments"]).map(stringOf);
  // Cut first: a template with many placeholders and long arguments could become very long.
  const filled = template
    .slice(0, MAX_MESSAGE_CHARS)
    .replace(/\{(\d{1,3})\}/g, (whole, index: string) => values[Number(index)]?.slice(0, 200) ?? whole);
  return cleanText(withoutLinks(filled, result), MAX_MESSAGE_CHARS);
}

/** `[value](1)` points to a related location. Its line is shown instead, where it's known. */
function withoutLinks(text: string, result: JsonObject): string {
  const related = listOf(result["relatedLocations"]).slice(0, MAX_RELATED).map(objectOf);
  return text.replace(/\[([^\][\n]{1,200})\]\((\d{1,4})\)/g, (_, label: string, id: string) => {
    const location = related.find((each) => numberOf(each["id"]) === Number(id));
    const region = objectOf(objectOf(location?.["physicalLocation"])["region"]);
    const line = numberOf(region["startLine"]);
    return line === null ? label : `${label} (line ${line})`;
  });
}

const MAX_RELATED = 100;

function textIn(message: unknown): string {
  return stringOf(objectOf(message)["text"]);
}

/** Line breaks stay; other control characters become spaces. */
function cleanText(text: string, maxChars: number): string {
  const clean = text
    .slice(0, maxChars * 2)
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[^\P{C}\n]/gu, " ")
    .replaceAll(/[ \t]{2,}/g, " ")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
  return cut(clean, maxChars);
}

function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1).trimEnd()}…`;
}
