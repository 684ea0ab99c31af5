/** Files and connections in a C# local that is never disposed. A value that is returned, stored or passed on may be disposed elsewhere. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Hold a handle of the system from the start. */
const HANDLES =
  /^(?:FileStream|\w*SqlConnection|SqliteConnection|OracleConnection|OleDbConnection|OdbcConnection|TcpClient|UdpClient|Socket|FileSystemWatcher|ZipArchive)$/;
/** Own a file only when they open it themselves. */
const READERS = /^(?:StreamReader|StreamWriter|BinaryReader|BinaryWriter|XmlTextWriter)$/;
const PATH_ARGUMENT = /^\(\s*(?:[@$]?"|\w*(?:[pP]ath|[fF]ile|[fF]ile[nN]ame)\w*\s*[,)]|Path\.)/;
const OPENING_CALL = /^File\.(?:OpenRead|OpenWrite|OpenText|Open|Create|CreateText|AppendText)\(/;

function opens(value: SyntaxNode, type: string): string | null {
  const text = value.text();
  if (value.kind() === "invocation_expression") return OPENING_CALL.test(text) ? "File" : null;
  if (!/^(?:implicit_)?object_creation_expression$/.test(value.kind())) return null;
  const created = value.field("type")?.text() ?? type;
  if (HANDLES.test(created)) return created;
  const list =
    value
      .namedChildren()
      .find((child) => child.kind() === "argument_list")
      ?.text() ?? "";
  return READERS.test(created) && PATH_ARGUMENT.test(list) && !/[sS]tream/.test(list) ? created : null;
}

/** True when the value may be disposed elsewhere. A command doesn't dispose its connection, nor does a reader that isn't disposed itself. */
function isKept(name: string, after: string): boolean {
  const rest = after
    .replaceAll(/new\s+\w*Command\([^;]{0,400};/g, "")
    .replaceAll(
      /^\s*(?:var|\w+)\s+(\w+)\s*=\s*new\s+\w*(?:Reader|Writer)\([^;]{0,200};/gm,
      (wrapper: string, own: string) =>
        new RegExp(`\\b${own}\\s*\\??\\.(?:Dispose|Close)|return\\s+${own}\\s*;`).test(after) ? wrapper : "",
    );
  if (new RegExp(`\\b${name}\\s*\\??\\.(?:Dispose|DisposeAsync|Close|CloseAsync)\\b`).test(rest)) return true;
  return new RegExp(`(?<![.\\w])${name}\\b(?!\\s*[?!]?\\.)`).test(rest);
}

export const csharpUndisposed: TreeRule = {
  kind: "tree",
  id: "csharp-undisposed",
  title: "Resource leak: a file or connection is never disposed",
  severity: "major",
  category: "reliability",
  why: "The handle stays open until the garbage collector runs. Files stay locked, and under load the connection pool runs empty.",
  fix: "Declare it with `using var`.",
  confidence: 0.9,
  languages: ["csharp"],
  afterRemoval: true,
  trigger: /\bnew\b|\bFile\.(?:Open|Create|Append)|\.(?:Dispose|Close)\b/,
  *check(root): Iterable<RuleMatch> {
    for (const declaration of root.findAll({ rule: { kind: "local_declaration_statement" } })) {
      if (declaration.text().startsWith("using") || /^await\s+using/.test(declaration.text())) continue;
      const variable = declaration.find({ rule: { kind: "variable_declarator" } });
      const [named, value] = variable?.namedChildren() ?? [];
      if (named === undefined || value === undefined) continue;
      const type = declaration.namedChildren()[0]?.namedChildren()[0]?.text() ?? "";
      const opened = opens(value, type);
      const body = functionAround(declaration);
      if (opened === null || body === null) continue;
      const after = body.text().slice(declaration.range().end.index - body.range().start.index);
      const name = named.text();
      if (isKept(name, after)) continue;
      yield {
        line: declaration.range().start.line + 1,
        missingIn: linesOf(body),
        title: `Resource leak: ${nameOr(name, "a value")} (${nameOr(opened, "a handle")}) is never disposed`,
      };
    }
  },
};
