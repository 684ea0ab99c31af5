/** Reads the classes and modules of a Ruby file with their constructors and the methods that are called on them. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { CallSignature, ClassMembers, MemberSignature } from "../exports/export-change.ts";
import { readClassMembers } from "../exports/class-members.ts";
import { callSignature, type ModuleReader } from "../exports/module-reader.ts";
import type { Declaration, Outline } from "../outline/outline.ts";

/** Methods that aren't written there as such. */
const HAS_OTHERS =
  /\bmethod_missing\b|\bdefine_(?:singleton_)?method\b|_eval\b|_exec\b|\bdelegate\b|\bdef_\w+\b|\b(?:extend|include|prepend|attr_\w+|[mc]attr_\w+|alias\w*|module_function)\b|\bclass\s*<</;

/** Another method than `initialize` may receive what `new` is called with. */
const MAKES_OTHERWISE = /\bdef\s+(?:self\.)?new\b|\b(?:prepend|extend)\b|:new\b/;

export const readRubyModule: ModuleReader = (_root, outline, { text }) => {
  const names = new Map<string, Declaration | null>();
  const calls = new Map<string, CallSignature>();
  const members = new Map<string, ClassMembers>();
  for (const declared of outline) {
    if (declared.kind !== "class" || outline.some((one) => isNamesake(one, declared))) continue;
    const name = [...declared.containers, declared.name].join("::");
    const own = readClassMembers(outline, declared, text);
    names.set(name, declared);
    const made = MAKES_OTHERWISE.test(own.text) ? null : constructorSignature(outline, declared);
    if (made !== null) calls.set(name, made);
    const methods = [...own.methods].flatMap(([method, found]): readonly [string, MemberSignature][] => {
      const signature = found.text.startsWith("def self.") ? exact(found) : null;
      // Wrapped, replaced, hidden.
      const isHandled = new RegExp(`[:"']${escapePattern(method)}(?![\\w?!])`).test(own.text);
      return signature === null || isHandled ? [] : [[method, { ...found, ...signature, isStatic: true }]];
    });
    const isOpen = HAS_OTHERS.test(own.text) || declared.signature.includes("<");
    members.set(name, { ...own, methods: new Map(methods), isOpen });
  }
  // A constant that is gone can come from a gem, or be made when the program runs.
  return { names, incidental: new Set(names.keys()), calls, members, isOpen: false, package: "" };
};

function isNamesake(one: Declaration, declared: Declaration): boolean {
  return one !== declared && lastOf(one.name) === lastOf(declared.name) && /^[A-Z]/.test(one.name);
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf(":") + 1);
}

function constructorSignature(outline: Outline, { name, containers }: Declaration): CallSignature | null {
  const place = [...containers, name].join("\n");
  const [only, ...others] = outline.filter(
    (one) => one.name === "initialize" && one.containers.join("\n") === place,
  );
  const signature = only === undefined || others.length > 0 ? null : callSignature(only, only, false);
  const made = signature === null ? null : exact(signature);
  return made === null || only === undefined ? null : { ...made, isClass: true, declaration: only };
}

/** Null for `...`, which takes what another method takes. */
function exact(signature: CallSignature): CallSignature | null {
  if (signature.text.includes("...")) return null;
  const parameters = signature.parameters.map((one) => ({ ...one, by: one.by ?? ("position" as const) }));
  return { ...signature, parameters };
}
