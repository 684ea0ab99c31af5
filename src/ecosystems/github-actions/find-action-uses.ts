/** Where a workflow uses an action: the inputs that its steps pass, and the outputs that later steps read. */
import type { FileUses, UsePlace, UsingFile, WantedUses } from "../../languages/uses/package-uses.ts";
import { readFlowMapping, readYamlLines, type YamlLine } from "../formats/yaml-lines.ts";
import { readActionName } from "./action-names.ts";
import { workflow } from "./workflow.ts";

/** GitHub updates these by itself, so that they can run the newest Node.js. */
const HOSTED = /^(?:ubuntu|windows|macos)-[\w.-]+$|^\$\{\{.*\}\}$/;

type Step = {
  readonly uses: YamlLine;
  readonly id: string | null;
  /** Line of each input that is passed, by its name in lower case. */
  readonly inputs: ReadonlyMap<string, number>;
  /** True when more inputs can be passed than were read. */
  readonly isOpen: boolean;
};

export function findActionUses(file: UsingFile, wanted: WantedUses): FileUses | null {
  if (!workflow.path.test(file.path)) return null;
  const lines = readYamlLines(file.text);
  const steps = lines.flatMap((_, at) => readStep(lines, at, wanted.package) ?? []);
  const texts = file.text.split(/\r\n?|\n/);
  const placeAt = (line: number, name: string): UsePlace => {
    const whole = texts[line - 1] ?? "";
    const text = whole.trim();
    const [path, symbol, role] = [file.path, wanted.package, "use"] as const;
    const [isTypeOnly, isTest] = [false, false];
    return { path, line, column: whole.indexOf(text) + 1, text, name, symbol, role, isTypeOnly, isTest };
  };
  const places = steps.flatMap((step) =>
    wanted.names.flatMap(({ name }) => linesOf(step, name, texts).map((line) => placeAt(line, name))),
  );
  const areOutputsOpen = steps.some(
    ({ id }) => id !== null && texts.some((text) => outputsAsWhole(id).test(text)),
  );
  const isOpen =
    areOutputsOpen ||
    steps.some((step) => step.isOpen) ||
    file.text.includes("self-hosted") ||
    lines.some(({ key, value }) => key === "runs-on" && !HOSTED.test(value));
  return {
    path: file.path,
    isTest: false,
    imports: steps.map(({ uses }) => ({ specifier: wanted.package, line: uses.line, isTypeOnly: false })),
    useCount: steps.length,
    places,
    isOpen: steps.length > 0 && isOpen,
    problem: null,
  };
}

function linesOf({ uses, id, inputs }: Step, wanted: string, texts: readonly string[]): readonly number[] {
  const named = readActionName(wanted);
  if (named === null) return [];
  if (named.part === "output") {
    if (id === null) return [];
    const read = new RegExp(
      `\\bsteps\\.${RegExp.escape(id)}\\.outputs\\.${RegExp.escape(named.name)}(?![\\w-])`,
      "i",
    );
    return texts.flatMap((text, at) => (read.test(text) ? [at + 1] : []));
  }
  const line = inputs.get(named.name);
  if (named.isMissing) return line === undefined ? [uses.line] : [];
  return line === undefined ? [] : [line];
}

/** `toJSON(steps.id.outputs)`, `steps.id.outputs[name]`. */
const outputsAsWhole = (id: string): RegExp =>
  new RegExp(`\\bsteps\\.${RegExp.escape(id)}\\.outputs(?!\\.[\\w-])`, "i");

/** Null when the line isn't a `uses:` of this action. */
function readStep(lines: readonly YamlLine[], at: number, action: string): Step | null {
  const uses = lines[at];
  if (uses === undefined) return null;
  const flow = readFlowMapping(uses.value);
  const isFlow = uses.key !== "uses";
  const [, name, path] =
    /^([^/@]+\/[^/@]+)(\/[^@]*)?@/.exec((isFlow ? flow.get("uses") : uses.value) ?? "") ?? [];
  if (name?.toLowerCase() !== action.toLowerCase()) return null;
  // Another action of the same repository has a description of its own, which wasn't read.
  const isOther = path !== undefined;
  if (isFlow) {
    const inputs = new Map([...flow.keys()].map((key) => [key.toLowerCase(), uses.line]));
    return { uses, id: flow.get("id") ?? null, inputs, isOpen: isOther || isOpenText(uses.value) };
  }
  const own = stepAround(lines, at);
  const given = own.find(({ key, indent }) => key === "with" && indent === uses.indent);
  const inputs = given === undefined ? [] : passedBelow(own, given);
  return {
    uses,
    id: own.find(({ key, indent }) => key === "id" && indent === uses.indent)?.value ?? null,
    inputs: new Map(inputs),
    isOpen:
      isOther || (given !== undefined && isOpenText(given.value)) || inputs.some(([key]) => key === "<<"),
  };
}

/** Aliases and mappings over several lines aren't followed. */
const isOpenText = (value: string): boolean =>
  /^[*$]/.test(value) || (value.startsWith("{") && !value.endsWith("}"));

function passedBelow(own: readonly YamlLine[], given: YamlLine): readonly (readonly [string, number])[] {
  if (given.value !== "")
    return [...readFlowMapping(given.value).keys()].map((key) => [key.toLowerCase(), given.line] as const);
  const below = own.slice(own.indexOf(given) + 1);
  const end = below.findIndex(({ indent }) => indent <= given.indent);
  const inside = end === -1 ? below : below.slice(0, end);
  const indent = inside[0]?.indent;
  return inside.flatMap((line) =>
    line.key !== null && line.indent === indent ? [[line.key.toLowerCase(), line.line] as const] : [],
  );
}

/** The lines of the list item around a line. */
function stepAround(lines: readonly YamlLine[], at: number): readonly YamlLine[] {
  const indent = lines[at]?.indent ?? 0;
  const startsItem = (line: YamlLine): boolean => line.dash !== null && line.indent === indent;
  const isOutside = (line: YamlLine): boolean => line.indent < indent;
  let start = at;
  while (start > 0 && !startsItem(lines[start] as YamlLine) && !isOutside(lines[start - 1] as YamlLine))
    start--;
  let end = at + 1;
  while (end < lines.length && !startsItem(lines[end] as YamlLine) && !isOutside(lines[end] as YamlLine))
    end++;
  return lines.slice(start, end);
}
