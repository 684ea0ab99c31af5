/** Real GitHub objects from its published webhook examples, with the fake's addresses and names. */
import { createRequire } from "node:module";
import { isObject, type JsonObject } from "./json.ts";

type EventExamples = { readonly name: string; readonly examples: readonly JsonObject[] };

let loaded: readonly EventExamples[] | null = null;

function eventExamples(): readonly EventExamples[] {
  // Loaded on demand, because the file has four megabytes. The package declares this shape.
  loaded ??= createRequire(import.meta.url)(
    "@octokit/webhooks-examples/api.github.com/index.json",
  ) as readonly EventExamples[];
  return loaded;
}

/** A payload of this event, preferably one with an installation. */
export function examplePayload(event: string, action: string | null): JsonObject {
  const ofEvent = eventExamples().find(({ name }) => name === event)?.examples ?? [];
  const ofAction = ofEvent.filter((each) => action === null || each["action"] === action);
  const candidates = ofAction.length > 0 ? ofAction : ofEvent;
  const chosen = candidates.find((each) => isObject(each["installation"])) ?? candidates[0];
  if (chosen === undefined) throw new Error(`there is no example of the event ${event}`);
  return chosen;
}

/** Replaces parts of every string in a value. */
export function relocate(value: unknown, replacements: readonly (readonly [string, string])[]): unknown {
  if (typeof value === "string")
    return replacements.reduce((text, [from, to]) => text.replaceAll(from, to), value);
  if (Array.isArray(value)) return value.map((item) => relocate(item, replacements));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, relocate(item, replacements)]));
}
