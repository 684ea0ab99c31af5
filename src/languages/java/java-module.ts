/** Reads the types of a Java file that other files can name, with their constructors and methods. */
import type { CallSignature, ClassMembers } from "../exports/export-change.ts";
import { readClassMembers } from "../exports/class-members.ts";
import { callSignature, constructorOf, type ModuleReader, topLevelOf } from "../exports/module-reader.ts";
import type { Declaration, Outline } from "../outline/outline.ts";
import { javaPackageOf } from "./java-references.ts";

/** Its annotations add constructors and methods. */
const GENERATES_MEMBERS = /\blombok\b/;

export const readJavaModule: ModuleReader = (root, outline, { text }) => {
  const names = new Map<string, Declaration | null>();
  const calls = new Map<string, CallSignature>();
  const members = new Map<string, ClassMembers>();
  for (const [name, declarations] of topLevelOf(outline)) {
    const [only] = declarations;
    if (only === undefined || only.kind !== "class" || !only.isExported) continue;
    names.set(name, only);
    if (declarations.length > 1 || GENERATES_MEMBERS.test(text)) continue;
    const signature = constructorSignature(outline, only);
    if (signature !== null) calls.set(name, signature);
    // A method of a base class or a default method can have the same name.
    if (!/\b(?:extends|implements)\b/.test(only.signature))
      members.set(name, readClassMembers(outline, only, text));
  }
  return { names, calls, members, isOpen: false, package: javaPackageOf(root) };
};

/** Null when there are several, or when only some files may call it. */
function constructorSignature(outline: Outline, declaration: Declaration): CallSignature | null {
  const { name, signature } = declaration;
  if (!/\b(?:class|record)\b/.test(signature)) return null;
  const constructors = outline.filter(
    ({ containers, name: own }) => containers.length === 1 && containers[0] === name && own === name,
  );
  if (/\brecord\b/.test(signature))
    return constructors.length === 0 ? callSignature(declaration, declaration, true) : null;
  if (constructors.length === 0) return { parameters: [], isClass: true, text: signature };
  const only = constructorOf(outline, name, name);
  if (only === undefined || /\b(?:private|protected)\b/.test(only.signature)) return null;
  return callSignature(only, declaration, true);
}
