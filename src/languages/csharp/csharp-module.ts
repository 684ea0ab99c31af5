/** Reads the classes of a C# file with their constructors and static methods. */
import type { CallSignature, ClassMembers } from "../exports/export-change.ts";
import { readClassMembers } from "../exports/class-members.ts";
import { callSignature, type ModuleReader } from "../exports/module-reader.ts";
import type { Declaration, Outline } from "../outline/outline.ts";
import { namespacesIn } from "./csharp-references.ts";

/** Code that only some builds have. */
const IS_CONDITIONAL = /^\s*#\s*if\b/m;

export const readCsharpModule: ModuleReader = (root, outline, { text }) => {
  const names = new Map<string, Declaration | null>();
  const calls = new Map<string, CallSignature>();
  const members = new Map<string, ClassMembers>();
  // Other files see no overload that is private.
  const open = outline.filter(({ isExported }) => isExported);
  const [inNamespace = "", ...others] = namespacesIn(root);
  for (const declared of others.length > 0 || inNamespace === "" ? [] : outline) {
    const { name, containers, kind, signature } = declared;
    const isTop = containers.length === 0 || containers.join(".") === inNamespace;
    if (kind !== "class" || !isTop || !/\b(?:class|record)\b/.test(signature)) continue;
    // The other parts can be generated.
    if (/\bpartial\b/.test(signature) || outline.some((one) => isNamesake(one, declared))) continue;
    const own = readClassMembers(open, declared, text);
    if (IS_CONDITIONAL.test(own.text)) continue;
    names.set(name, declared);
    const made = constructorSignature(outline, declared);
    if (made !== null) calls.set(name, made);
    // A base class can have a method of the same name.
    if (signature.includes(":")) continue;
    const methods = [...own.methods].filter(([, one]) => one.isStatic);
    members.set(name, { ...own, methods: new Map(methods) });
  }
  // A class that is gone can come from another package of the build now.
  return { names, incidental: new Set(names.keys()), calls, members, isOpen: false, package: inNamespace };
};

function isNamesake(one: Declaration, declared: Declaration): boolean {
  return one !== declared && one.name === declared.name && one.kind !== "method";
}

/** Null when there are several, or when only some files may call it. */
function constructorSignature(outline: Outline, declared: Declaration): CallSignature | null {
  const { name, containers, parameters, signature } = declared;
  if (/\b(?:struct|static|abstract)\b/.test(signature)) return null;
  const place = [...containers, name].join("\n");
  const all = outline.filter(
    (one) =>
      one.name === name &&
      one.containers.join("\n") === place &&
      !/^(?:\[.*\] )?static\b/.test(one.signature),
  );
  if (all.length === 0)
    return parameters === null
      ? { parameters: [], isClass: true, text: signature }
      : callSignature(declared, declared, true);
  const [only, ...others] = all.filter((one) => one.isExported);
  if (only?.parameters == null || others.length > 0 || parameters !== null) return null;
  if (/\bprotected\b/.test(only.signature)) return null;
  const text = only.signature.replace(/\) : (?:base|this)\(.*$/, ")");
  return { parameters: only.parameters, isClass: true, text, declaration: only };
}
