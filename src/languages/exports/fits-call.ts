/** Decides whether a call passes arguments that a parameter list accepts, by their number and names alone. */
import type { DeclaredParameter } from "../outline/outline.ts";
import type { CallArguments } from "./export-change.ts";

/** True when nothing speaks against it. */
export function fitsCall(parameters: readonly DeclaredParameter[], call: CallArguments): boolean {
  if (call.isOpen) return true;
  if (call.hasBlock === true) {
    const last = parameters.at(-1);
    if (last === undefined || last.isRest) return last !== undefined;
    return fitsCall(parameters.slice(0, -1), { ...call, hasBlock: false });
  }
  if (
    call.isHashOtherwise === true &&
    call.keywords.length > 0 &&
    !parameters.some(({ by }) => by === "name")
  )
    return fitsCall(parameters, { ...call, positional: call.positional + 1, keywords: [] });
  const inOrder = parameters.filter(({ by, isRest }) => by !== "name" && !isRest);
  const takesMore = parameters.some(({ by, isRest }) => isRest && by !== "name");
  if (call.positional > inOrder.length && !takesMore) return false;
  const keywords = new Set(call.keywords);
  const passed = new Set(inOrder.slice(0, call.positional));
  const isMissing = parameters.some(
    (each) => !each.isOptional && !passed.has(each) && (each.by === "position" || !keywords.has(each.name)),
  );
  if (isMissing) return false;
  if (parameters.some(({ by, isRest }) => isRest && by === "name")) return true;
  const known = new Set(parameters.filter(({ by }) => by !== "position").map(({ name }) => name));
  return call.keywords.every((name) => known.has(name));
}
