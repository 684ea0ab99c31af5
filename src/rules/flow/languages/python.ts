/** Python: Flask, Django, FastAPI, Starlette, aiohttp and Tornado. */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import {
  type FlowLanguage,
  type Parameter,
  type ParameterRole,
  type PlacedSink,
  sinksOf,
} from "../language.ts";

const ROUTE = /@\s*\w[\w.]*\.(?:route|get|post|put|delete|patch|head|options|websocket|api_route)\s*\(/;

function decoratorsOf(fn: SyntaxNode): string {
  const around = fn.parent();
  if (around?.kind() !== "decorated_definition") return "";
  return around
    .namedChildren()
    .filter((child) => child.kind() === "decorator")
    .map((child) => child.text())
    .join("\n");
}

function roleOf({ name, type, marks, fn }: Parameter): ParameterRole {
  if (name === "request" || name === "req") return "request";
  if (/\bRequest$/.test(type)) return "request";
  const decorators = decoratorsOf(fn);
  if (!ROUTE.test(decorators) || /^(?:self|cls)$/.test(name) || /\b(?:Depends|Security)\(/.test(marks + type))
    return "unknown";
  // `<name>` and `{name}` in the route; Flask's converters other than `string` and `path` allow no harmful text.
  const parts = decorators.matchAll(new RegExp(`[<{](?:(\\w+):)?${name}(?::(\\w+))?[>}]`, "g"));
  const kinds = [...parts].map(([, before, after]) => before ?? after ?? "string");
  if (kinds.includes("path")) return "outside";
  if (kinds.length > 0)
    return kinds.some((kind) => /^(?:string|str|any)$/.test(kind)) ? "segment" : "harmless";
  // FastAPI reads other parameters from the query or the body by their types.
  if (/^(?:Annotated\[)?\s*(?:Optional\[)?\s*(?:list\[|List\[)?\s*str\b/.test(type)) return "outside";
  return /\b(?:Query|Body|Form|Header|Cookie|Path)\(/.test(marks + type) ? "outside" : "unknown";
}

function placed(node: SyntaxNode): PlacedSink | null {
  // Flask sends the returned text as HTML.
  const [value] = node.namedChildren();
  if (value === undefined) return null;
  for (let around = node.parent(); around !== null; around = around.parent()) {
    if (around.kind() !== "function_definition") continue;
    return /\.route\s*\(/.test(decoratorsOf(around)) ? { kind: "html", form: "markup", value } : null;
  }
  return null;
}

const SHELL_TRUE = /\bshell\s*=\s*True/;
const YAML_IMPORT = /^import (?:\w[\w, ]{0,200}, ?)?yaml\b/m;
const OTHER_CONTENT = /content_type\s*=\s*["'](?!text\/html)|mimetype\s*=\s*["'](?!text\/html)/;

export const python: FlowLanguage = {
  requestNames: /^(?:request|req|flask_request)$/,
  requestReads:
    /^\.(?:args|form|values|json|data|cookies|headers|files|GET|POST|COOKIES|META|FILES|body|query_params|path_params|query|match_info|QUERY_STRING|query_string|get_json\([^()]*\)|get_data\([^()]*\)|json\(\)|form\(\)|body\(\)|post\(\)|stream\(\)|param|params|rel_url|full_path)$/,
  outside:
    /^(?:self\.(?:get_argument|get_query_argument|get_body_argument|get_arguments|get_cookie)\([^()]*\)|\w*(?:sock|socket|conn|connection|client|websocket|ws)\.(?:recv|receive_text|receive_json|recv_json|receive_bytes)\([^()]*\))$/,
  segment: /\.path_params$/,
  wideRoute: /[{<]\w+:path[}>]|[{<]path:\w/,
  weak: /^(?:sys\.argv|os\.environ|os\.getenv\([^()]*\)|input\([^()]*\)|raw_input\([^()]*\))$/,
  roleOf,
  sinks: sinksOf({
    "sql statement": [
      "execute executemany executescript read_sql read_sql_query fetch fetchrow fetchval fetch_all mogrify",
      { names: "raw", on: /objects$/ },
    ],
    "sql fragment": [
      { names: "text RawSQL literal_column", on: /^(?:|sa|sqlalchemy|db|sql)$/, file: /sqlalchemy|RawSQL/ },
      { names: "extra", args: "all", on: /objects|queryset|qs|filter\(/i },
    ],
    "shell shell": [
      { names: "system popen", on: /^os$/ },
      {
        names: "system popen getoutput getstatusoutput",
        on: "none",
        file: /from (?:os|subprocess|commands) import/,
      },
      { names: "getoutput getstatusoutput", on: /^(?:subprocess|commands)$/ },
      { names: "run call Popen check_call check_output create_subprocess_shell", when: SHELL_TRUE },
      "create_subprocess_shell",
    ],
    "shell argv": [
      {
        names: "run call Popen check_call check_output",
        on: /^(?:subprocess|sp|)$/,
        unless: SHELL_TRUE,
        file: /subprocess/,
      },
    ],
    "path any": [
      { names: "open", on: /^(?:|io|codecs|aiofiles|gzip|os)$/ },
      "send_file FileResponse",
      { names: "remove unlink rmdir listdir makedirs mkdir removedirs scandir rename", on: /^os$/ },
      { names: "rmtree copy copyfile copy2 move", on: /^shutil$/, args: [0, 1] },
      {
        names: "read_text read_bytes write_text write_bytes unlink rmdir iterdir open",
        args: "receiver",
        unless: /^http/,
      },
      { names: "save", on: /file|upload|image|photo|avatar|attachment/i },
    ],
    "redirect target": [
      {
        names:
          "redirect HttpResponseRedirect HttpResponsePermanentRedirect RedirectResponse HTTPFound HTTPSeeOther",
        on: /^(?:|self|flask|web|responses|http|shortcuts)$/,
      },
    ],
    "request target": [
      {
        names: "get post put patch delete head options",
        on: /^(?:requests|httpx|aiohttp|urllib3|http|client|c|s|\w*(?:session|client)|requests\.Session\(\)|httpx\.\w+\(\))$/i,
        file: /requests|httpx|aiohttp|urllib3/,
      },
      {
        names: "request",
        args: [1],
        on: /^(?:requests|httpx|\w*session|\w*client)$/i,
        file: /requests|httpx|aiohttp/,
      },
      {
        names: "urlopen urlretrieve Request",
        on: /^(?:|urllib|request|urllib\.request|urllib2)$/,
        file: /urllib/,
      },
    ],
    "html any": ["mark_safe Markup SafeString SafeText"],
    "html markup": [
      {
        names: "HttpResponse HTMLResponse make_response Response",
        on: /^(?:|web|responses|flask|http)$/,
        unless: OTHER_CONTENT,
      },
    ],
    "eval any": [
      { names: "eval exec", on: "none", isForParameters: true },
      {
        names: "render_template_string from_string",
        on: /^(?:|flask|\w*env\w*|\w*environment|jinja2?\.Environment\(.*\)|Environment\(.*\))$/i,
      },
      { names: "Template", on: /^(?:|jinja2|mako\.template)$/, file: /jinja2|mako/ },
      { names: "import_module __import__", on: /^(?:|importlib)$/ },
    ],
    "deserialize any": [
      {
        names: "load loads",
        on: /^(?:c?[pP]ickle|dill|cloudpickle|marshal|_pickle|jsonpickle|joblib|shelve)$/,
      },
      { names: "decode", on: /^jsonpickle$/ },
      {
        names: "load unsafe_load",
        on: /^yaml$/,
        unless: /,\s*(?:Loader\s*=\s*)?(?!(?:yaml\.)?(?:Unsafe)?Loader\b)\w/,
        file: YAML_IMPORT,
        isAlways: true,
      },
    ],
  }),
  placedKinds: new Set(["return_statement"]),
  placed,
};
