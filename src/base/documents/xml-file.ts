/** XML files as elements with lines. Entities of a document type are never expanded. */
import { parseXml, XmlElement } from "@rgrove/parse-xml";
import { createLineIndex } from "./line-index.ts";

export type XmlNode = {
  readonly name: string;
  readonly attributes: { readonly [name: string]: string };
  readonly children: readonly XmlNode[];
  /** The text directly inside it, trimmed. */
  readonly text: string;
  /** 1-based. */
  readonly line: number;
};

/** Larger than any project file that people or tools write. The parser keeps a tree of all of it in memory. */
const MAX_XML_CHARS = 8 * 1024 * 1024;
/** Project files have fewer than 20. The parser itself gives up by exception when the stack is full. */
const MAX_DEPTH = 100;

/** The root element; null for a text that isn't XML, is too large or nested too deeply. */
export function parseXmlFile(text: string): XmlNode | null {
  if (text.length > MAX_XML_CHARS) return null;
  // The parser's own normalization of line ends takes quadratic time. A lone carriage return is no line end here.
  const normalized = text.replaceAll("\r\n", "\n").replaceAll("\r", " ");
  try {
    const { root } = parseXml(normalized, { includeOffsets: true, ignoreUndefinedEntities: true });
    const { lineAt } = createLineIndex(normalized);
    return root === null ? null : convert(root, lineAt, 0);
  } catch {
    return null;
  }
}

function convert(element: XmlElement, lineAt: (offset: number) => number, depth: number): XmlNode {
  if (depth > MAX_DEPTH) throw new RangeError("XML nested too deeply");
  const children: XmlNode[] = [];
  let text = "";
  for (const child of element.children) {
    if (child instanceof XmlElement) children.push(convert(child, lineAt, depth + 1));
    else if ("text" in child && typeof child.text === "string") text += child.text;
  }
  const { name, attributes } = element;
  return { name, attributes, children, text: text.trim(), line: lineAt(element.start) };
}

export function childOf(node: XmlNode, name: string): XmlNode | null {
  return node.children.find((child) => child.name === name) ?? null;
}

/** The text of a child; "" when it's missing or empty. */
export function childText(node: XmlNode, name: string): string {
  return childOf(node, name)?.text ?? "";
}
