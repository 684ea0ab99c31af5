/** PHP: superglobals, Laravel, Symfony and PSR-7. */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import {
  type FlowLanguage,
  type Parameter,
  type ParameterRole,
  type PlacedSink,
  sinksOf,
} from "../language.ts";

function roleOf({ type, name }: Parameter): ParameterRole {
  return /(?:^|\\)(?:\w*Request|RequestInterface|ServerRequestInterface)$/.test(type) || name === "$request"
    ? "request"
    : "unknown";
}

function placed(node: SyntaxNode): PlacedSink | null {
  const kind = node.kind();
  if (kind === "shell_command_expression") return { kind: "shell", form: "shell", value: node };
  const [value] = node.namedChildren();
  if (value === undefined) return null;
  if (/^(?:include|require)/.test(kind)) return { kind: "path", form: "any", value };
  if (kind === "expression_statement") {
    const before = node.prev();
    const tag = before?.kind() === "text_interpolation" ? before.children().at(-1) : before;
    return tag?.text() === "<?=" ? { kind: "html", form: "any", value } : null;
  }
  return { kind: "html", form: "any", value };
}

export const php: FlowLanguage = {
  requestNames: /^\$(?:request|req)$/,
  requestReads:
    /^->(?:(?:input|get|query|post|all|cookie|header|json|string|only|except|validated_raw|route|getContent|getQueryParams|getParsedBody|getCookieParams|getBody|getPost|getGet|getVar|getParam|getQueryParam|getUri|getQuery|server|file|getHeaderLine|getHeader|param|params)\([^()]*\)|(?:query|request|cookies|headers|attributes|files|server)->(?:get|all|getString|getAlpha_raw)\([^()]*\)|(?!user\b|session\b|route\b|method\b|app\b)\w{2,}(?![\w(]))$/,
  outside:
    /^(?:\$_(?:GET|POST|REQUEST|COOKIE|FILES)|\$_SERVER\[["'](?:HTTP_\w+|QUERY_STRING|REQUEST_URI|PATH_INFO|PHP_SELF)["']\]|file_get_contents\(["']php:\/\/input["']\)|filter_input\((?![^)]*(?:VALIDATE|SANITIZE))[^()]*\)|request\([^()]+\)|request\(\)->(?:input|get|query|post|all|cookie|header)\([^()]*\)|(?:Input|Request)::(?:input|get|query|post|all|cookie)\([^()]*\)|\$this->(?:input->(?:get|post|get_post|cookie)|request->(?:getPost|getGet|getVar|getQuery|getData))\([^()]*\))$/,
  segment:
    /->route\(["'](?!(?:\w*path|rest|any|all|wildcard)["'])\w+["'](?:,[^()]*)?\)$|->attributes->get\(["'](?!\w*path["'])\w+["']\)$/i,
  wideRoute: /->where\w*\([^;]{0,200}\.[*+]|\brequirements\b[^;]{0,200}\.[*+]/,
  weak: /^(?:\$argv|getenv\([^()]*\)|\$_ENV)$/,
  roleOf,
  sinks: sinksOf({
    "sql statement": [
      "query exec prepare execute executeQuery executeStatement fetchAll fetchOne fetchAssoc fetchAssociative fetchAllAssociative real_query multi_query get_results get_row get_var get_col select statement unprepared update insert delete affectingStatement createQuery createNativeQuery",
      { names: "mysqli_query mysqli_multi_query mysqli_real_query pg_query pg_send_query", args: [0, 1] },
      { names: "mysql_query sqlite_query odbc_exec mssql_query", args: [0, 1] },
    ],
    "sql fragment": [
      "whereRaw orWhereRaw havingRaw orderByRaw groupByRaw selectRaw fromRaw",
      { names: "raw", on: /^(?:\\?(?:Illuminate\\Support\\Facades\\)?DB|\$this->db|\$db)$/ },
    ],
    "sql builder": [
      { names: "where andWhere orWhere having andHaving orderBy addOrderBy", file: /Doctrine|QueryBuilder/ },
    ],
    "shell shell": [{ names: "exec shell_exec system passthru popen proc_open", on: "none" }],
    "path any": [
      {
        names:
          "fopen file_get_contents readfile file unlink file_put_contents rmdir scandir opendir mkdir show_source highlight_file parse_ini_file simplexml_load_file",
        on: "none",
      },
      { names: "move_uploaded_file copy rename", on: "none", args: [1] },
      { names: "download file", on: /response\(\)$|Response$/ },
      "BinaryFileResponse SplFileObject",
    ],
    "redirect target": [
      { names: "header", on: "none", when: /^["']\s*location/i },
      { names: "redirect wp_redirect RedirectResponse", on: /^(?:|\$this)$/ },
      { names: "to away", on: /^redirect\(\)$|^Redirect$/ },
    ],
    "request target": [
      { names: "curl_init", on: "none" },
      { names: "curl_setopt", on: "none", args: [2], when: /CURLOPT_URL/ },
      {
        names: "get post put patch delete head",
        on: /^(?:\\?(?:Illuminate\\Support\\Facades\\)?Http|\$(?:this->)?(?:http|guzzle|httpClient|http_client)|new \\?(?:GuzzleHttp\\)?Client\(.*\))$/,
      },
      { names: "request", on: /^\$(?:this->)?(?:client|http|guzzle|httpClient|http_client)$/, args: [1] },
      { names: "wp_remote_get wp_remote_post get_headers", on: "none" },
    ],
    "html any": [{ names: "printf", on: "none", args: "result" }],
    "html markup": [{ names: "Response write", args: [0] }],
    "eval any": [
      { names: "eval create_function assert", on: "none", args: "all", isForParameters: true },
      { names: "call_user_func call_user_func_array", on: "none" },
      { names: "createTemplate renderString", on: /twig|blade|smarty/i },
    ],
    "deserialize any": [{ names: "unserialize", on: "none", unless: /allowed_classes/ }],
  }),
  placedKinds: new Set([
    "shell_command_expression",
    "include_expression",
    "include_once_expression",
    "require_expression",
    "require_once_expression",
    "echo_statement",
    "print_intrinsic",
    "exit_statement",
    "expression_statement",
  ]),
  placed,
};
