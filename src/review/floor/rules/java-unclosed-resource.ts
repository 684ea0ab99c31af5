/**
 * Files and sockets opened into a local variable and never closed. A variable that is handed to anything else, in
 * whole, may be closed there and does not count.
 */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { bad, good, type RuleMatch, type TreeRule } from "../rule.ts";

const OPENED =
  /\bnew\s+(?:FileInputStream|FileOutputStream|FileReader|FileWriter|RandomAccessFile|ZipFile|JarFile|Socket|ServerSocket)\s*\(|\bFiles\.(?:newInputStream|newOutputStream|newBufferedReader|newBufferedWriter|lines|list|walk|newDirectoryStream)\s*\(/;
/** Wrappers that own the stream they are given: closing them closes it. */
const WRAPPER =
  /^new\s+(?:Buffered|Input|Output|Data|Object|Print|GZIP|Zip|Line|Push|Deflater|Inflater)\w*(?:Stream|Reader|Writer)\s*\(/;
const RESOURCE_TYPE =
  /^(?:var|(?:java\.\w+\.)*(?:\w*(?:Stream|Reader|Writer)(?:<.*>)?|RandomAccessFile|ZipFile|JarFile|Socket|ServerSocket))$/;

/** Closes it, or gives something that keeps it open and may be closed in its place. */
const CLOSES_OR_LENDS =
  /^(?:close|getChannel|getFD|getInputStream|getOutputStream|stream|map|mapToObj|filter|flatMap|sorted|distinct|limit|skip|peek|iterator|spliterator|onClose|parallel|accept)$/;

/** The value opens something itself: directly, or wrapped. */
function opens(value: SyntaxNode): boolean {
  const text = value.text();
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

/** True when every mention after its declaration is a call on the variable, and none of them closes it. */
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
  // A method or field of that name on something else.
  if (parent.field("name")?.range().start.index === index) return true;
  if (parent.field("object")?.range().start.index !== index) return false;
  return !CLOSES_OR_LENDS.test(parent.field("name")?.text() ?? "");
}

export const javaUnclosedResource: TreeRule = {
  kind: "tree",
  id: "java-unclosed-resource",
  title: "A file or socket is opened and never closed",
  severity: "major",
  category: "reliability",
  why: "Each call keeps a descriptor until the garbage collector happens to run; under load the process runs out of them, and buffered output may be lost.",
  fix: "Open it in a try-with-resources statement.",
  languages: ["java"],
  inTests: false,
  trigger:
    /\bnew\s+(?:File|RandomAccessFile|ZipFile|JarFile|Socket|ServerSocket|Buffered|Input|Output|Data|Object|Print)|\bFiles\.(?:new|lines|list|walk)/,
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
      yield { line: declarator.range().start.line + 1, detail: `Nothing closes \`${name}\`.` };
    }
  },
  examples: {
    bad: [
      bad(
        "src/Load.java",
        3,
        "class Load {\n  int first(File f) throws IOException {\n    FileInputStream in = new FileInputStream(f);\n    return in.read();\n  }\n}\n",
      ),
      bad(
        "src/Load.java",
        3,
        "class Load {\n  String first(String f) throws IOException {\n    BufferedReader reader = new BufferedReader(new FileReader(f));\n    return reader.readLine();\n  }\n}\n",
      ),
      bad(
        "src/Load.java",
        3,
        "class Load {\n  long count(Path p) throws IOException {\n    Stream<String> lines = Files.lines(p);\n    return lines.count();\n  }\n}\n",
      ),
    ],
    good: [
      good(
        "src/Load.java",
        "class Load {\n  int first(File f) throws IOException {\n    try (FileInputStream in = new FileInputStream(f)) {\n      return in.read();\n    }\n  }\n}\n",
      ),
      good(
        "src/Load.java",
        "class Load {\n  int first(File f) throws IOException {\n    FileInputStream in = new FileInputStream(f);\n    try {\n      return in.read();\n    } finally {\n      in.close();\n    }\n  }\n}\n",
      ),
      good(
        "src/Load.java",
        "class Load {\n  Parser open(File f) throws IOException {\n    FileInputStream in = new FileInputStream(f);\n    return new Parser(in);\n  }\n  InputStream raw(File f) throws IOException {\n    InputStream in = new FileInputStream(f);\n    return in;\n  }\n}\n",
      ),
      good(
        "src/Load.java",
        'class Load {\n  FileChannel open(File f) throws IOException {\n    RandomAccessFile file = new RandomAccessFile(f, "rw");\n    return file.getChannel();\n  }\n}\n',
      ),
      good(
        "src/Load.java",
        "class Load {\n  int first(byte[] b) {\n    ByteArrayInputStream in = new ByteArrayInputStream(b);\n    return in.read();\n  }\n}\n",
      ),
      good(
        "src/Load.java",
        "class Load {\n  String text(File f) throws IOException {\n    String text = read(new FileInputStream(f));\n    return text.trim();\n  }\n}\n",
      ),
    ],
  },
};
