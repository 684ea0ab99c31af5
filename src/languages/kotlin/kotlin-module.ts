/** Reads what other files can name of a Kotlin file: its functions, properties and classes, and functions of objects. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { readClassMembers } from "../exports/class-members.ts";
import type { CallSignature, ClassMembers } from "../exports/export-change.ts";
import { callSignature, type ModuleReader, topLevelOf } from "../exports/module-reader.ts";
import type { Declaration, Outline } from "../outline/outline.ts";
import { kotlinPackageOf, receiverOf } from "./kotlin-references.ts";
import { kotlinName } from "./kotlin-outline.ts";

/** Every file has them. A call that ours doesn't take can be one of theirs. */
const BUILT_IN =
  /^(?:assert|check(?:NotNull)?|error|lazy|print(?:ln)?|read(?:Line|ln)|repeat|require(?:NotNull)?|run|sequence|synchronized|TODO|with)$/;

export const readKotlinModule: ModuleReader = (root, outline, { text }) => {
  const names = new Map<string, Declaration | null>();
  const calls = new Map<string, CallSignature>();
  const members = new Map<string, ClassMembers>();
  const inPackage = kotlinPackageOf(root);
  const extensions = new Set(extensionsIn(root));
  for (const [name, [only, ...others]] of inPackage === "" ? [] : topLevelOf(outline)) {
    if (only === undefined || !only.isExported || BUILT_IN.test(name)) continue;
    names.set(name, only);
    if (others.length > 0 || isDeclaredTwice(outline, only) || /\b(?:expect|actual)\b/.test(headOf(only)))
      continue;
    if (only.kind === "class") {
      const made = constructorSignature(outline, only, text);
      if (made !== null) calls.set(name, made);
      const own = readObjectMembers(outline, only, text);
      if (own !== null) members.set(name, own);
    } else if (only.kind === "function") {
      const signature = callSignature(only, only, false);
      if (signature !== null) calls.set(name, { ...signature, isExtension: extensions.has(name) });
    }
  }
  return { names, calls, members, isOpen: false, package: inPackage };
};

/** Names of functions with a receiver. Its type isn't known where they are called. */
function extensionsIn(root: SyntaxNode): readonly string[] {
  return root
    .namedChildren()
    .flatMap((node) =>
      node.kind() === "function_declaration" && receiverOf(node) !== null ? [kotlinName(node)] : [],
    );
}

function isDeclaredTwice(outline: Outline, declaration: Declaration): boolean {
  return outline.some((one) => one !== declaration && one.name === declaration.name);
}

/** The part of the signature before the name. */
function headOf({ name, signature }: Declaration): string {
  return signature.slice(0, Math.max(0, signature.search(new RegExp(String.raw`[\s.\x60]${name}\b`))));
}

/** Null when there may be several, or when only some files may call it. */
function constructorSignature(outline: Outline, declared: Declaration, text: string): CallSignature | null {
  const { name, signature } = declared;
  const head = headOf(declared);
  if (!/\bclass$/.test(head.trimEnd()) || /\b(?:enum|inner)\b/.test(head)) return null;
  if (/\b(?:private|protected)\s+constructor\b/.test(signature)) return null;
  const hasOthers = outline.some(
    ({ name: own, containers }) => own === "constructor" && containers.length === 1 && containers[0] === name,
  );
  // `operator fun invoke` of the companion makes another `Name(…)`.
  const lines = text.split("\n").slice(declared.startLine - 1, declared.endLine);
  if (hasOthers || lines.some((line) => /\bfun\b.*\binvoke\b/.test(line))) return null;
  return { parameters: declared.parameters ?? [], isClass: true, text: signature };
}

/** Functions of an object or of a companion without other types. Null when there is neither. */
function readObjectMembers(outline: Outline, declared: Declaration, text: string): ClassMembers | null {
  const isObject = /\bobject$/.test(headOf(declared).trimEnd());
  const lines = text.split("\n").slice(declared.startLine - 1, declared.endLine);
  if (isObject && declared.signature.includes(":")) return null;
  if (!isObject && !lines.some((line) => /\bcompanion\s+object\s*(?:\{|$)/.test(line))) return null;
  const place = isObject
    ? declared
    : { ...declared, containers: [...declared.containers, declared.name], name: "Companion" };
  const own = readClassMembers(outline, place, text);
  const methods = [...own.methods].flatMap(([name, one]) => {
    const isExtension = new RegExp(String.raw`\.\s*\x60?${name}\x60?\s*[(<]`).test(one.text);
    return isExtension ? [] : [[name, { ...one, isStatic: true }] as const];
  });
  return { ...own, methods: new Map(methods) };
}
