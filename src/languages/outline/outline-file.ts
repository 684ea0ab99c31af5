/** Reads the outline of a file: every named function, method, class, type and top-level variable. */
import { hashWord } from "../file-facts.ts";
import type { Syntax, SyntaxNode } from "../../syntax/syntax.ts";
import { cOutline, cppOutline } from "../c/c-outline.ts";
import { csharpOutline } from "../csharp/csharp-outline.ts";
import { goOutline } from "../go/go-outline.ts";
import { javaOutline } from "../java/java-outline.ts";
import { javascriptOutline } from "../javascript/javascript-outline.ts";
import { kotlinOutline } from "../kotlin/kotlin-outline.ts";
import { phpOutline } from "../php/php-outline.ts";
import { pythonOutline } from "../python/python-outline.ts";
import { rubyOutline } from "../ruby/ruby-outline.ts";
import { rustOutline } from "../rust/rust-outline.ts";
import type { FoundDeclaration, OutlineFrame, OutlineReader } from "./outline-reader.ts";
import type { Declaration, Outline } from "./outline.ts";

const READERS: Readonly<Record<string, OutlineReader>> = {
  // The grammar with types and JSX reads plain JavaScript as well.
  javascript: { ...javascriptOutline, grammar: "tsx" },
  typescript: javascriptOutline,
  tsx: { ...javascriptOutline, grammar: "tsx" },
  python: pythonOutline,
  go: goOutline,
  rust: rustOutline,
  java: javaOutline,
  kotlin: kotlinOutline,
  c: cOutline,
  cpp: cppOutline,
  csharp: csharpOutline,
  ruby: rubyOutline,
  php: phpOutline,
};

/** A file with more is generated. Finding a node's parent takes time in wide trees. */
const MAX_DECLARATIONS = 5_000;

/** Longer signatures are cut. */
const MAX_SIGNATURE_CHARS = 2_000;

/** Attributes before a declaration. */
const MAX_ATTRIBUTES = 50;

/** Null without a reader or parser for the language, and for a file that is too large or has too many declarations. */
export function outlineFile(language: string, text: string, syntax: Syntax): Outline | null {
  const reader = Object.hasOwn(READERS, language) ? READERS[language] : undefined;
  if (reader === undefined || !syntax.supports(reader.grammar)) return null;
  const root = syntax.parse(reader.grammar, text);
  return root === null ? null : outlineWith(reader, root, text);
}

/** The outline of a tree that the caller parsed, with the language's grammar as above. */
export function outlineTree(language: string, root: SyntaxNode, text: string): Outline | null {
  const reader = Object.hasOwn(READERS, language) ? READERS[language] : undefined;
  return reader === undefined ? null : outlineWith(reader, root, text);
}

type Frame = OutlineFrame & { readonly end: number; readonly names: readonly string[] };

function outlineWith(reader: OutlineReader, root: SyntaxNode, text: string): Outline | null {
  const exports = reader.readExports?.(root) ?? null;
  const nodes = root.findAll({ rule: { any: reader.wanted } });
  if (nodes.length > MAX_DECLARATIONS) return null;
  const outline: Declaration[] = [];
  const frames: Frame[] = [];
  for (const node of nodes) {
    const { start, end } = node.range();
    while ((frames.at(-1)?.end ?? Infinity) <= start.index) frames.pop();
    const around = frames.at(-1) ?? null;
    const part = reader.read(node, { around, exports });
    if (part === null) continue;
    if (part.kind === "section") {
      if (around !== null) around.isSectionHidden = part.isHidden;
      continue;
    }
    const containers = part.kind === "container" ? [] : (part.owner ?? []);
    const names = containers.length > 0 ? containers : (around?.names ?? []);
    if (part.kind !== "container") outline.push(declarationFrom(part, { node, text, containers: names }));
    frames.push({
      kind: part.kind,
      isExported: part.isExported,
      isSectionHidden: false,
      end: end.index,
      names: part.name === "" ? names : [...names, part.name],
    });
  }
  return outline.toSorted((one, other) => one.startLine - other.startLine || other.endLine - one.endLine);
}

function declarationFrom(
  found: FoundDeclaration,
  at: { readonly node: SyntaxNode; readonly text: string; readonly containers: readonly string[] },
): Declaration {
  const whole = found.whole ?? at.node;
  const range = whole.range();
  const { end } = range;
  const isFollowing = mayFollowAttribute(at.text, range.start.index);
  const start = isFollowing ? withAttributes(whole).range().start : range.start;
  const body = found.body ?? null;
  const inner = body?.range() ?? null;
  const cut = (found.value?.range() ?? inner)?.start.index ?? end.index;
  return {
    name: found.name,
    containers: at.containers,
    kind: found.kind,
    startLine: start.line + 1,
    // Ruby and Python can end a node at the start of the next line.
    endLine: end.column === 0 && end.line > start.line ? end.line : end.line + 1,
    bodyLine: inner === null ? null : inner.start.line + 1,
    signature: signatureOf(at.text.slice(start.index, cut)),
    isExported: found.isExported,
    parameters: found.parameters ?? null,
    ...(inner === null ? {} : { bodyHash: hashBody(at.text.slice(inner.start.index, inner.end.index)) }),
  };
}

/** False at the start and after `;`, `{` and `}`, where no attribute ends. To find a node's sibling, the parser searches from the root. */
function mayFollowAttribute(text: string, index: number): boolean {
  let before = index - 1;
  while (before >= 0 && /\s/.test(text.charAt(before))) before--;
  return before >= 0 && !/[;{}]/.test(text.charAt(before));
}

/** Decorators and attributes can be siblings before the declaration. */
function withAttributes(node: SyntaxNode): SyntaxNode {
  let first = node;
  for (let step = 0; step < MAX_ATTRIBUTES; step++) {
    const before = first.prev();
    if (before === null || !/^(?:decorator|attribute_item)$/.test(before.kind())) break;
    first = before;
  }
  return first;
}

function signatureOf(text: string): string {
  const start = text.slice(0, MAX_SIGNATURE_CHARS).replaceAll(/\s+/g, " ").trim();
  return start.replace(/(?: ?(?:=>|[:={;]))+$/, "");
}

function hashBody(body: string): string {
  const words = body.replaceAll(/\s+/g, " ");
  return `${words.length}:${hashWord(words)}`;
}
