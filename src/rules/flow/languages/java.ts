/** Java: Spring, servlets and JAX-RS. */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import {
  type FlowLanguage,
  type Parameter,
  type ParameterRole,
  type PlacedSink,
  sinksOf,
} from "../language.ts";

const INPUT =
  /@(?:RequestParam|PathVariable|RequestBody|RequestHeader|CookieValue|ModelAttribute|RequestPart|QueryParam|PathParam|FormParam|HeaderParam|CookieParam|MatrixParam|QueryValue|Body)\b/;

/** A JAX-RS method takes the body as a parameter without an annotation. */
function isBody(type: string, marks: string, fn: SyntaxNode): boolean {
  if (marks !== "" || !/^(?:java\.io\.)?(?:InputStream|Reader|String|byte\[\])$/.test(type)) return false;
  return /@(?:POST|PUT|PATCH)\b/.test(
    fn
      .namedChildren()
      .find((child) => child.kind() === "modifiers")
      ?.text() ?? "",
  );
}

const PART = /@(?:PathVariable|PathParam)\b/;

/** A route that takes several parts of the address, or a server that decodes a part after it has found it. Tomcat and Jetty refuse such a request. */
const WIDE_ROUTE =
  /\{\*\w|@Path\([^)\n]*:\s*\.[*+]|\b(?:Mono|Flux|Uni|Multi)<|\bio\.(?:micronaut|quarkus|vertx|helidon)\b|\bresteasy\.reactive\b|\bweb\.reactive\b/;

function roleOf({ type, marks, fn }: Parameter, hasFile: (pattern: RegExp) => boolean): ParameterRole {
  if (
    /\b(?:HttpServletRequest|ServletRequest|WebRequest|NativeWebRequest|ServerHttpRequest|ServerRequest|RoutingContext|HttpExchange|HttpServerRequest|Socket)$/.test(
      type,
    )
  )
    return "request";
  if (PART.test(marks)) return hasFile(WIDE_ROUTE) ? "outside" : "segment";
  return INPUT.test(marks) || isBody(type, marks, fn) ? "outside" : "unknown";
}

function placed(node: SyntaxNode): PlacedSink | null {
  const [value] = node.namedChildren();
  if (value === undefined) return null;
  const text = value.text().slice(0, 40);
  if (text.startsWith('"redirect:')) return { kind: "redirect", form: "target", value };
  for (let around = node.parent(); around !== null; around = around.parent()) {
    if (around.kind() === "lambda_expression") return null;
    if (around.kind() !== "method_declaration") continue;
    const marks = around.namedChildren()[0];
    const isRoute =
      marks?.kind() === "modifiers" && /@(?:Get|Post|Put|Request|Delete)Mapping/.test(marks.text());
    return isRoute ? { kind: "html", form: "markup", value } : null;
  }
  return null;
}

export const java: FlowLanguage = {
  requestNames: /^(?:request|req|httpRequest|servletRequest|httpServletRequest)$/,
  requestReads:
    /^\.(?:getParameter(?:Values|Map)?|getHeaders?|getQueryString|getCookies|getInputStream|getReader|getPathInfo|getRequestURI|getPart|getRequestURL|queryParam|queryParams|pathParam|pathVariable|getParam|getFormAttribute|getRequestBody|body|bodyToMono|getBody)\([^()]*\)$/,
  outside: /^(?:\w*[sS]ocket|client|conn|connection)\.getInputStream\(\)$/,
  weak: /^(?:args|System\.getenv\([^()]*\)|System\.getProperty\([^()]*\))$/,
  roleOf,
  sinks: sinksOf({
    "sql statement": [
      "executeQuery executeUpdate execute addBatch prepareStatement prepareCall createQuery createNativeQuery createSQLQuery queryForObject queryForList queryForMap queryForRowSet query update batchUpdate rawQuery execSQL sql",
    ],
    "sql fragment": ["whereRaw orderByRaw literal"],
    "shell shell": [{ names: "exec", on: /untime/ }],
    "shell argv": ["ProcessBuilder command"],
    "path any": [
      "FileInputStream FileOutputStream FileReader FileWriter RandomAccessFile FileSystemResource UrlResource PrintWriter",
      {
        names:
          "readAllBytes readString readAllLines lines newInputStream newOutputStream newBufferedReader newBufferedWriter delete deleteIfExists write writeString createDirectories createFile",
        on: /^(?:java\.nio\.file\.)?Files$/,
      },
      {
        names: "readFileToString readFileToByteArray writeStringToFile deleteDirectory forceDelete copyFile",
        on: /FileUtils$/,
      },
      { names: "transferTo", on: /file|upload|part/i },
      { names: "copy move", on: /^(?:java\.nio\.file\.)?Files$/, args: [0, 1] },
    ],
    "redirect target": [
      "sendRedirect RedirectView",
      { names: "setHeader addHeader header", when: /^"Location"/i, args: [1] },
    ],
    "request target": [
      { names: "openStream openConnection", args: "receiver" },
      {
        names: "getForObject getForEntity postForObject postForEntity exchange headForHeaders",
        on: /[rR]est/,
      },
      {
        names: "uri newBuilder",
        on: /HttpRequest|[wW]ebClient|[rR]estClient|\.(?:get|post|put|delete)\(\)$/,
      },
      { names: "HttpGet HttpPost HttpPut connect", on: /^(?:|Jsoup)$/ },
    ],
    "html markup": [
      {
        names: "write print println printf append",
        on: /getWriter\(\)|^(?:out|writer|pw|printWriter)$|getOutputStream\(\)/,
        args: "all",
      },
    ],
    "eval any": [
      { names: "eval", on: /engine|script/i },
      { names: "parseExpression", on: /pars/i },
      { names: "evaluate parse", on: /shell|groovy/i },
    ],
    "deserialize any": [
      "ObjectInputStream XMLDecoder",
      { names: "fromXML", on: /xstream/i },
      { names: "load loadAs", on: /yaml/i, file: /snakeyaml/, unless: /SafeConstructor/ },
    ],
  }),
  placedKinds: new Set(["return_statement"]),
  placed,
};
