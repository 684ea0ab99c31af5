/** How reports name the parts of an action that its new version takes away, and how the search for them reads these names. */

export const ACTION_NAMES = {
  /** A removed one. */
  input: (name: string): string => `input ${name}`,
  output: (name: string): string => `output ${name}`,
  /** One that has to be passed now. */
  required: (name: string): string => `required input ${name}`,
  /** One that does something else now if it isn't passed. */
  fallback: (name: string): string => `default of input ${name}`,
};

/** `isMissing`: the steps that don't pass the input are meant. */
export function readActionName(
  text: string,
): { readonly part: "input" | "output"; readonly name: string; readonly isMissing: boolean } | null {
  const [, prefix, part, name] = /^(required |default of )?(input|output) (.+)$/s.exec(text) ?? [];
  if (name === undefined) return null;
  return { part: part === "output" ? "output" : "input", name, isMissing: prefix !== undefined };
}
