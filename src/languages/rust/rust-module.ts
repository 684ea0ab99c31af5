/** Reads the functions and types of a Rust file, with the functions of its types. */
import type { CallSignature, ClassMembers, MemberSignature } from "../exports/export-change.ts";
import { callSignature, type ModuleReader, topLevelOf } from "../exports/module-reader.ts";
import type { Declaration, Outline } from "../outline/outline.ts";
import { declaresUnknown, passedOnBy, rustModuleOf } from "./rust-references.ts";

export const readRustModule: ModuleReader = (root, outline, { path, text }) => {
  const names = new Map<string, Declaration | null>();
  const calls = new Map<string, CallSignature>();
  const members = new Map<string, ClassMembers>();
  for (const [name, declarations] of topLevelOf(outline)) {
    const [only] = declarations;
    if (only === undefined || /\bmacro_rules\b/.test(only.signature)) continue;
    names.set(name, only);
    // One for each system or feature.
    if (declarations.length > 1) continue;
    const signature = only.kind === "function" ? callSignature(only, only, false) : null;
    if (signature !== null) calls.set(name, signature);
    if (only.kind === "class") members.set(name, { methods: functionsOf(name, outline), text });
  }
  const items = root.namedChildren();
  for (const name of items.flatMap(passedOnBy)) if (!names.has(name)) names.set(name, null);
  for (const item of items) if (item.kind() === "mod_item") names.set(item.field("name")?.text() ?? "", null);
  const isOpen = items.some(declaresUnknown);
  return { names, calls, members, isOpen, package: rustModuleOf(path) };
};

/** Those that are called on the type: `Cart::new(1)`. */
function functionsOf(type: string, outline: Outline): ReadonlyMap<string, MemberSignature> {
  const own = outline.filter(({ containers }) => containers.length === 1 && containers[0] === type);
  const found = new Map<string, MemberSignature>();
  for (const [name, declarations] of Map.groupBy(own, (each) => each.name)) {
    const [only] = declarations;
    if (only?.kind !== "function" || declarations.length > 1) continue;
    const signature = callSignature(only, only, false);
    if (signature !== null) found.set(name, { ...signature, isStatic: true, declaration: only });
  }
  return found;
}
