/** Reads the classes of a PHP file with their constructors and static methods. */
import type { CallSignature, ClassMembers } from "../exports/export-change.ts";
import { readClassMembers } from "../exports/class-members.ts";
import { callSignature, constructorOf, type ModuleReader, topLevelOf } from "../exports/module-reader.ts";
import type { Declaration, DeclaredParameter } from "../outline/outline.ts";
import { phpNamespaceOf } from "./php-references.ts";

/** Too many arguments are no error. */
const MORE: DeclaredParameter = { name: "", isOptional: true, isRest: true, by: "position" };

/** Methods that the class doesn't declare. */
const HAS_OTHERS = /^\s+use\s+[\w\\]+|\b__callStatic\b/m;

export const readPhpModule: ModuleReader = (root, outline, { text }) => {
  const names = new Map<string, Declaration | null>();
  const calls = new Map<string, CallSignature>();
  const members = new Map<string, ClassMembers>();
  const inNamespace = phpNamespaceOf(root);
  for (const [name, declarations] of topLevelOf(outline)) {
    const [only] = declarations;
    if (only?.kind !== "class" || declarations.length > 1) continue;
    names.set(name, only);
    const signature = callSignature(constructorOf(outline, name, "__construct"), only, true);
    if (signature !== null && !/\b(?:private|protected)\b[^(]*__construct/.test(signature.text))
      calls.set(name, withMore(signature));
    const own = readClassMembers(outline, only, text);
    if (/\bextends\b/.test(only.signature) || HAS_OTHERS.test(own.text)) continue;
    const methods = [...own.methods].map(
      ([method, found]) => [method, { ...found, ...withMore(found) }] as const,
    );
    members.set(name, { ...own, methods: new Map(methods) });
  }
  // A class that is gone can have an alias, which is made when the program runs. One without a namespace can have a double.
  return { names, calls, members, isOpen: true, package: inNamespace };
};

function withMore(signature: CallSignature): CallSignature {
  return { ...signature, parameters: [...signature.parameters, MORE] };
}
