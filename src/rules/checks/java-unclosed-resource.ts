/**
 * Files and sockets that are assigned to a local variable and never closed. A variable that is passed on may be closed
 * elsewhere and is ignored.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** A connection of a pool that is never closed is lost to the pool. */
const CONNECTED = /^(?:\w*[dD]ata[sS]ource|ds|pool|\w*Pool|DriverManager)\.getConnection\(/;
const OPENED =
  /\bnew\s+(?:FileInputStream|FileOutputStream|FileReader|FileWriter|RandomAccessFile|ZipFile|JarFile|Socket|ServerSocket)\s*\(|\bFiles\.(?:newInputStream|newOutputStream|newBufferedReader|newBufferedWriter|lines|list|walk|newDirectoryStream)\s*\(/;
/** Wrappers that own their stream: closing the wrapper closes the stream. */
const WRAPPER =
  /^new\s+(?:Buffered|Input|Output|Data|Object|Print|GZIP|Zip|Line|Push|Deflater|Inflater)\w*(?:Stream|Reader|Writer)\s*\(/;
const RESOURCE_TYPE =
  /^(?:var|(?:java\.\w+\.)*(?:\w*(?:Stream|Reader|Writer)(?:<.*>)?|RandomAccessFile|ZipFile|JarFile|Socket|ServerSocket|Connection))$/;

/** Closes the resource, or returns an object that may be closed instead. */
const CLOSES_OR_LENDS =
  /^(?:close|getChannel|getFD|getInputStream|getOutputStream|stream|map|mapToObj|filter|flatMap|sorted|distinct|limit|skip|peek|iterator|spliterator|onClose|parallel|accept)$/;

/** True when the value opens a resource, directly or inside a wrapper. */
function opens(value: SyntaxNode): boolean {
  const text = value.text();
  if (value.kind() === "method_invocation" && CONNECTED.test(text)) return true;
  const found = OPENED.exec(text);
  if (found === null) return false;
  if (found.index === 0)
    return (
      value.kind() === "object_creation_expression" ||
      value.field("name")?.text() === /\.(\w+)/.exec(found[0])?.[1]
    );
  return (
    value.kind() === "object_creation_expression" &&
    WRAPPER.test(text) &&
    /^[^()]*\(\s*(?:new\s+\w+\(\s*){0,3}$/.test(text.slice(0, found.index))
  );
}

function* within(body: SyntaxNode, nodes: readonly SyntaxNode[]): Generator<SyntaxNode> {
  const { start, end } = body.range();
  for (const node of nodes) {
    const { index } = node.range().start;
    if (index >= end.index) return;
    if (index >= start.index) yield node;
  }
}

/** True when every use of the variable is a call on it, and none of the calls closes it. */
function isNeverClosed(declarator: SyntaxNode, mentions: Iterable<SyntaxNode>): boolean {
  const declaredAt = declarator.range().start.index;
  for (const mention of mentions) {
    const { index } = mention.range().start;
    if (index !== declaredAt && !isPlainUse(mention.parent(), index)) return false;
  }
  return true;
}

function isPlainUse(parent: SyntaxNode | null, index: number): boolean {
  if (parent === null || !/^(?:field_access|method_invocation)$/.test(parent.kind())) return false;
  // A method or field with that name on another object.
  if (parent.field("name")?.range().start.index === index) return true;
  if (parent.field("object")?.range().start.index !== index) return false;
  return !CLOSES_OR_LENDS.test(parent.field("name")?.text() ?? "");
}

export const javaUnclosedResource: TreeRule = {
  kind: "tree",
  id: "java-unclosed-resource",
  title: "Resource leak: a file or socket is never closed",
  severity: "major",
  category: "reliability",
  why: "Each call holds a file descriptor until the garbage collector runs. Under load the process runs out of descriptors, and buffered output can be lost.",
  fix: "Open it in a try-with-resources statement.",
  languages: ["java"],
  trigger:
    /\bnew\s+(?:File|RandomAccessFile|ZipFile|JarFile|Socket|ServerSocket|Buffered|Input|Output|Data|Object|Print)|\bFiles\.(?:new|lines|list|walk)|\.getConnection\(/,
  *check(root): Iterable<RuleMatch> {
    const declarations = root.findAll({ rule: { kind: "local_variable_declaration" } });
    let identifiers: ReadonlyMap<string, readonly SyntaxNode[]> | null = null;
    for (const declaration of declarations) {
      const declarator = declaration.field("declarator");
      const [name, value] = [declarator?.field("name")?.text(), declarator?.field("value")];
      if (declarator === null || name === undefined || value === null || value === undefined || !opens(value))
        continue;
      if (!RESOURCE_TYPE.test(declaration.field("type")?.text() ?? "")) continue;
      const body = functionAround(declaration);
      if (body === null) continue;
      identifiers ??= Map.groupBy(root.findAll({ rule: { kind: "identifier" } }), (node) => node.text());
      if (!isNeverClosed(declarator, within(body, identifiers.get(name) ?? []))) continue;
      yield {
        line: declarator.range().start.line + 1,
        title: `Resource leak: ${nameOr(name, "a file or socket")} is never closed`,
      };
    }
  },
};
