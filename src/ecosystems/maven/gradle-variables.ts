/** Variables of a Gradle script that get a literal text. One with several values depends on what runs, so it's left out. */
import { collectProperties, type Property } from "../formats/resolve-properties.ts";
import type { GradleStatement } from "./gradle-statements.ts";
import type { GradleToken } from "./gradle-tokens.ts";

/** Objects that hold a project's own properties. */
const HOLDERS = /^(?:(?:rootProject|project|ext|extra|this)\.)+/;

export function plainName(name: string): string {
  return name.replace(HOLDERS, "");
}

export const collectVariables = (statements: readonly GradleStatement[]): ReadonlyMap<string, Property> =>
  collectProperties(statements.flatMap(({ tokens }) => assignmentsIn(tokens)));

const is = (token: GradleToken | undefined, value: string): boolean =>
  token?.kind === "mark" && token.value === value;

function assignmentsIn(tokens: readonly GradleToken[]): readonly (readonly [string, GradleToken])[] {
  const equals = tokens.findIndex((token) => is(token, "="));
  if (equals === -1) return callsIn(tokens);
  const value = tokens[equals + 1];
  const name = nameBefore(tokens, equals);
  if (name === null || value === undefined) return [];
  if (value.kind === "text" && equals + 2 >= tokens.length) return [[name, value]];
  return is(value, "[") ? entriesOf(name, tokens.slice(equals + 2)) : [];
}

/** `def name =`, `val name: String =`, `ext.name =`, `extra["name"] =` */
function nameBefore(tokens: readonly GradleToken[], equals: number): string | null {
  if (is(tokens[equals - 1], "]") && tokens[equals - 2]?.kind === "text")
    return tokens[equals - 2]?.value ?? null;
  const at = is(tokens[equals - 2], ":") ? equals - 3 : equals - 1;
  const token = tokens[at];
  return token?.kind === "word" ? plainName(token.value) : null;
}

/** `versions = [name: "1.0", …]` */
function entriesOf(map: string, tokens: readonly GradleToken[]): readonly (readonly [string, GradleToken])[] {
  return tokens.flatMap((token, at) => {
    const value = tokens[at + 2];
    const isEntry = token.kind !== "mark" && is(tokens[at + 1], ":") && value?.kind === "text";
    return isEntry ? [[`${map}.${token.value}`, value] as const] : [];
  });
}

/** `set("name", "1.0")`, `extra.set("name", "1.0")`, `val name by extra("1.0")` */
function callsIn(tokens: readonly GradleToken[]): readonly (readonly [string, GradleToken])[] {
  const [first, second, third, fourth, fifth, sixth] = tokens;
  const isSet =
    first?.kind === "word" && /(?:^|\.)set$/.test(first.value) && is(second, "(") && is(fourth, ",");
  if (isSet && third?.kind === "text" && fifth?.kind === "text") return [[third.value, fifth]];
  const isDelegated = third?.value === "by" && fourth?.value === "extra" && is(fifth, "(");
  return isDelegated && second?.kind === "word" && sixth?.kind === "text" ? [[second.value, sixth]] : [];
}
