/** The methods of a class that other files call by the type of a variable, as far as the file alone says which they are. */
import type { Declaration, Outline } from "../outline/outline.ts";
import type { ClassMembers, MemberSignature } from "./export-change.ts";
import { callSignature } from "./module-reader.ts";

/** Other files may not use them, or they are no calls. */
const UNUSABLE = /\b(?:private|protected|get|set)\b|#\s*$/;

/** Methods with several declarations accept more than one list of arguments, and are left out. */
export function readClassMembers(outline: Outline, declaration: Declaration, text: string): ClassMembers {
  const place = [...declaration.containers, declaration.name].join("\n");
  const own = outline.filter(
    ({ containers, startLine, endLine }) =>
      containers.join("\n") === place && startLine >= declaration.startLine && endLine <= declaration.endLine,
  );
  const methods = new Map<string, MemberSignature>();
  for (const [name, declared] of Map.groupBy(own, (each) => each.name)) {
    const [only] = declared;
    if (only === undefined || declared.length > 1 || only.kind !== "method" || name === declaration.name)
      continue;
    const modifiers = only.signature.slice(0, Math.max(0, only.signature.indexOf(name)));
    const signature = UNUSABLE.test(modifiers) ? null : callSignature(only, only, false);
    if (signature !== null)
      methods.set(name, { ...signature, isStatic: /\bstatic\b/.test(modifiers), declaration: only });
  }
  const lines = text.split("\n").slice(declaration.startLine - 1, declaration.endLine);
  return { methods, text: lines.join("\n") };
}
