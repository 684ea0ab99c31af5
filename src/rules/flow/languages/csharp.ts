/** C#: ASP.NET controllers, minimal APIs and web forms. */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import {
  type FlowLanguage,
  type Parameter,
  type ParameterRole,
  type PlacedSink,
  sinksOf,
} from "../language.ts";

const INPUT = /\[\s*From(?:Query|Body|Route|Form|Header)\b|\[\s*BindProperty\b/;
const ROUTE = /\[\s*(?:Http(?:Get|Post|Put|Delete|Patch)|Route|AcceptVerbs)\b/;
/** `{*path}` takes the rest of the address. In any other part, the server leaves an encoded slash as it is. */
const WIDE_ROUTE = /\{\*/;

function roleOf({ type, marks, fn, name }: Parameter): ParameterRole {
  if (/\[\s*FromRoute\b/.test(marks)) return WIDE_ROUTE.test(routesOf(fn)) ? "outside" : "segment";
  if (INPUT.test(marks)) return "outside";
  if (/\bFromServices\b/.test(marks)) return "unknown";
  if (/^HttpRequest\b/.test(type)) return "request";
  if (/^IFormFile\b/.test(type)) return "outside";
  if (!/^(?:string\??|string\[\]|List<string>|IEnumerable<string>)$/.test(type)) return "unknown";
  const isInput = fn.kind() === "lambda_expression" ? isMapped(fn) : name !== "" && isAction(fn);
  if (!isInput) return "unknown";
  const routes = routesOf(fn);
  const isPart = /^\w+$/.test(name) && new RegExp(`\\{${name}[}:?=]`, "i").test(routes);
  return isPart && !WIDE_ROUTE.test(routes) ? "segment" : "outside";
}

/** The templates of the routes to a function: its attributes and those of its class, or the arguments of `MapGet`. */
function routesOf(fn: SyntaxNode): string {
  // The list of arguments, or the class.
  const around = fn.parent()?.parent();
  if (fn.kind() === "lambda_expression") return around?.namedChildren()[0]?.text() ?? "";
  return [fn, around]
    .flatMap((node) => node?.namedChildren() ?? [])
    .filter((child) => child.kind() === "attribute_list")
    .map((child) => child.text())
    .join(" ");
}

/** `app.MapGet("/x", (string q) => …)`. */
function isMapped(fn: SyntaxNode): boolean {
  const call = fn.parent()?.parent()?.parent();
  return (
    call?.kind() === "invocation_expression" &&
    /\.Map(?:Get|Post|Put|Delete|Patch)\s*$/.test(call.namedChildren()[0]?.text().slice(-20) ?? "")
  );
}

function isAction(fn: SyntaxNode): boolean {
  const marks = fn
    .namedChildren()
    .filter((child) => /attribute_list|modifier/.test(child.kind()))
    .map((child) => child.text())
    .join(" ");
  if (ROUTE.test(marks)) return true;
  if (!/\bpublic\b/.test(marks) || /\bstatic\b/.test(marks)) return false;
  const around = fn.parent()?.parent();
  if (around?.kind() !== "class_declaration") return false;
  const base = around.namedChildren().find((child) => child.kind() === "base_list");
  return (
    /\b(?:Controller|ControllerBase|ApiController)\b/.test(base?.text() ?? "") &&
    /(?:Action)?Result\b/.test(
      fn
        .namedChildren()
        .find((child) => /type|generic_name|identifier/.test(child.kind()))
        ?.text() ?? "",
    )
  );
}

function placed(node: SyntaxNode): PlacedSink | null {
  const [left, right] = node.namedChildren();
  if (left === undefined || right === undefined) return null;
  const target = left.text().slice(-40);
  if (/\.?CommandText$/.test(target)) return { kind: "sql", form: "statement", value: right };
  const created = node.parent()?.parent();
  if (
    target === "Content" &&
    created?.kind() === "object_creation_expression" &&
    /text\/html/.test(created.text().slice(0, 400))
  )
    return { kind: "html", form: "markup", value: right };
  if (/(?:^|\.)Arguments$/.test(target)) return { kind: "shell", form: "argv", value: right };
  return null;
}

export const csharp: FlowLanguage = {
  requestNames: /^(?:Request|request|req)$/,
  requestReads:
    /^\.(?:Query|Form|Headers|Cookies|Body|Path|QueryString|RouteValues|Params|RawUrl|Files|ReadFormAsync\(\)|Query\[[^\]]*\]|Form\[[^\]]*\])$|^\["\w+"\]$/,
  outside: /^(?:Request\["\w+"\]|RouteData\.Values\[[^\]]*\])$/,
  segment: /\.RouteValues$|^RouteData\.Values\[[^\]]*\]$/,
  wideRoute: WIDE_ROUTE,
  weak: /^(?:args|Environment\.GetEnvironmentVariable\([^()]*\)|Console\.ReadLine\(\)|Environment\.GetCommandLineArgs\(\))$/,
  roleOf,
  sinks: sinksOf({
    "sql statement": [
      "SqlCommand MySqlCommand NpgsqlCommand SqliteCommand SQLiteCommand OracleCommand OleDbCommand OdbcCommand SqlDataAdapter FromSqlRaw ExecuteSqlRaw ExecuteSqlRawAsync ExecuteSqlCommand SqlQuery SqlQueryRaw Query QueryAsync Execute ExecuteAsync ExecuteScalar ExecuteScalarAsync QueryFirst QueryFirstOrDefault QueryFirstAsync QueryFirstOrDefaultAsync QuerySingle QuerySingleAsync QuerySingleOrDefault QuerySingleOrDefaultAsync CreateSQLQuery",
    ],
    "shell argv": [{ names: "Start", on: /^(?:System\.Diagnostics\.)?Process$/ }, "ProcessStartInfo"],
    "path any": [
      {
        names:
          "ReadAllText ReadAllTextAsync ReadAllBytes ReadAllBytesAsync ReadAllLines ReadAllLinesAsync Open OpenRead OpenText OpenWrite Create Delete WriteAllText WriteAllTextAsync WriteAllBytes WriteAllBytesAsync AppendAllText",
        on: /^(?:System\.IO\.)?File$/,
      },
      { names: "Copy Move", on: /^(?:System\.IO\.)?File$/, args: [0, 1] },
      { names: "GetFiles Delete EnumerateFiles CreateDirectory", on: /^(?:System\.IO\.)?Directory$/ },
      "FileStream StreamReader StreamWriter FileInfo PhysicalFile PhysicalFileResult SendFileAsync",
      { names: "File", on: /^(?:Results|TypedResults)$/ },
    ],
    "redirect target": [
      {
        names: "Redirect RedirectPermanent RedirectPreserveMethod RedirectResult",
        on: /^(?:|Response|HttpContext\.Response|context\.Response|Results|TypedResults|this)$/,
      },
    ],
    "request target": [
      {
        names:
          "GetAsync GetStringAsync GetStreamAsync GetByteArrayAsync PostAsync PutAsync DeleteAsync GetFromJsonAsync PostAsJsonAsync",
        on: /client|http/i,
      },
      { names: "Create", on: /^(?:Http)?WebRequest$/ },
      { names: "DownloadString DownloadData DownloadFile DownloadStringTaskAsync OpenRead", on: /client/i },
      { names: "HttpRequestMessage", args: [1] },
    ],
    "html any": [
      { names: "Raw", on: /^@?Html$/ },
      "HtmlString MarkupString",
      { names: "Write", on: /^(?:\w*[cC]ontext\.|HttpContext\.Current\.)?Response$/ },
    ],
    "html markup": [
      { names: "WriteAsync", on: /Response$/ },
      {
        names: "Content",
        on: /^(?:|Results|TypedResults|this)$/,
        when: /text\/html|MediaTypeNames\.Text\.Html/,
      },
    ],
    "eval any": [
      { names: "EvaluateAsync RunAsync Create", on: /CSharpScript$/ },
      "CompileAssemblyFromSource",
    ],
    "deserialize any": [
      {
        names: "Deserialize UnsafeDeserialize",
        on: /new\s+(?:BinaryFormatter|SoapFormatter|NetDataContractSerializer|LosFormatter|ObjectStateFormatter)\b/,
        isAlways: true,
      },
      {
        names: "Deserialize UnsafeDeserialize",
        on: /^_?(?:\w*[fF]ormatter|bf|f|serializer)$/,
        file: /new\s+(?:BinaryFormatter|SoapFormatter|NetDataContractSerializer|LosFormatter)\b/,
        isAlways: true,
      },
      { names: "DeserializeObject", on: /^JsonConvert$/, when: /TypeNameHandling\.(?:All|Auto|Objects)/ },
    ],
  }),
  placedKinds: new Set(["assignment_expression"]),
  placed,
};
