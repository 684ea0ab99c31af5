/** Input of a web request in a file path of C and C++: `std::ifstream file(dir + req.get_param_value("name"))`. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { nearestAncestor } from "../syntax/ancestors.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Reads of a request: crow, cpp-httplib, drogon, Pistache, oat++, Poco, mongoose and CGI. */
const REQUEST =
  /\b(?:req|request)\w*(?:\.|->)(?:url_params\.get|get_param_value|get_header_value|getParameter|getOptionalParameter|getHeader|getQueryParameter|getPathVariable|getURI|path_params|matches|param|params|query\(\)\.get|body|path|raw_url|url|target)\b|\bmg_http_get_var\s*\(|\bgetenv\s*\(\s*"(?:QUERY_STRING|PATH_INFO|REQUEST_URI|HTTP_\w+)"\s*\)/;

/** Code that keeps the path inside its folder. */
const CLEANED =
  /"\.\."|'\.\.'|canonical|realpath|\.filename\(\)|lexically_|basename|sanitiz|is_?safe|is_?valid|allow|find_first_not_of|find\('\/'\)|isalnum|regex_match|starts_with|contains\(|stoi|stol|atoi|from_chars/i;

const OPENERS =
  /^(?:std::)?(?:fopen|open|freopen|remove|unlink|rename|opendir)$|^(?:std::)?(?:filesystem|fs)::(?:remove|remove_all|rename|copy|copy_file|create_director(?:y|ies)|directory_iterator)$|\.(?:open|set_static_file_info|set_static_file_info_unsafe)$/;
const STREAM = /^(?:std::)?(?:basic_)?[io]?fstream$/;

/** A longer function isn't read. */
const MAX_CHARS = 20_000;

/** The value of a request in an expression: itself, or a variable that the function took from one. */
function requestIn(text: string, before: string): string | null {
  if (REQUEST.test(text)) return "";
  const names = new Set(
    text.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").match(/(?<![\w.>])[a-z_]\w*\b(?!\s*(?:\(|::))/gi) ?? [],
  );
  for (const name of names) {
    const set = new RegExp(`\\b${escapePattern(name)}\\s*(?:\\+?=|\\{|\\()\\s*([^;]{1,300});`, "g");
    for (const [, value = ""] of before.matchAll(set)) {
      if (REQUEST.test(value)) return name;
      const [first] = value.match(/[a-z_]\w*/gi) ?? [];
      const inner = first === undefined || first === name ? null : joined(value, name, before);
      if (inner !== null) return inner;
    }
  }
  return null;
}

/** One step further: `path = dir + name`, where `name` was read from the request. */
function joined(value: string, name: string, before: string): string | null {
  for (const part of value
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, "")
    .match(/(?<![\w.>])[a-z_]\w*\b(?!\s*(?:\(|::))/gi) ?? []) {
    if (part === name) continue;
    const set = new RegExp(`\\b${escapePattern(part)}\\s*(?:=|\\{|\\()\\s*([^;]{1,300});`).exec(before);
    if (set !== null && REQUEST.test(set[1] ?? "")) return part;
  }
  return null;
}

/** The expressions that name a file: arguments of calls, and of the constructors of file streams. */
function* pathsIn(root: SyntaxNode): Iterable<{ readonly node: SyntaxNode; readonly text: string }> {
  for (const node of root.findAll({ rule: { kind: "call_expression" } })) {
    const callee = node.field("function")?.text() ?? "";
    if (callee.length > 100 || !(OPENERS.test(callee) || STREAM.test(callee))) continue;
    const [first] = node.field("arguments")?.namedChildren() ?? [];
    if (first !== undefined) yield { node, text: first.text() };
  }
  for (const node of root.findAll({ rule: { kind: "declaration" } })) {
    if (!STREAM.test(node.field("type")?.text() ?? "")) continue;
    const text = node.text();
    const from = text.search(/[({]/);
    if (from > 0 && text.length < 500) yield { node, text: text.slice(from) };
  }
}

export const cPathFromRequest: TreeRule = {
  kind: "tree",
  id: "c-path-from-request",
  title: "Path traversal: request input in a file path",
  severity: "must-fix",
  category: "security",
  why: "With `../` in the value, a client reads or overwrites files outside the intended folder.",
  fix: "Accept only known names, or resolve the path with `weakly_canonical` or `realpath` and check that it stays in the folder.",
  confidence: 0.9,
  languages: ["c", "cpp"],
  inTests: false,
  trigger:
    /fstream\b|\bf?open\s*\(|\bfs::|\bfilesystem::|\b(?:remove|unlink|rename|opendir)\s*\(|\bset_static_file_info|\breq\w*(?:\.|->)/,
  *check(root): Iterable<RuleMatch> {
    if (!REQUEST.test(root.text())) return;
    for (const { node, text } of pathsIn(root)) {
      const scope =
        nearestAncestor(node, (one) => one.kind() === "lambda_expression") ??
        nearestAncestor(node, (one) => one.kind() === "function_definition");
      if (scope === null) continue;
      const { start, end } = scope.range();
      if (end.index - start.index > MAX_CHARS) continue;
      const whole = scope.text();
      if (CLEANED.test(whole)) continue;
      const value = requestIn(text, whole.slice(0, node.range().start.index - start.index));
      if (value === null) continue;
      yield {
        line: linesOf(node).line,
        title: `Path traversal: ${nameOr(value, "a value")} comes from a request and names the file`,
      };
    }
  },
  examples: {
    bad: [
      bad(
        "src/files.cpp",
        4,
        'void routes(crow::SimpleApp& app) {\n  CROW_ROUTE(app, "/asset")([](const crow::request& request) {\n    const char* name = request.url_params.get("name");\n    std::ifstream file("/srv/assets/" + std::string(name), std::ios::binary);\n    return read(file);\n  });\n}\n',
      ),
      bad(
        "src/serve.cpp",
        4,
        'void serve(httplib::Server& server) {\n  server.Get("/file", [](const httplib::Request& req, httplib::Response& res) {\n    std::string path = root + "/" + req.get_param_value("name");\n    std::ifstream in(path);\n    res.set_content(read(in), "text/plain");\n  });\n}\n',
      ),
      bad(
        "src/cgi.c",
        5,
        'int main(void) {\n  char path[256];\n  char *name = getenv("PATH_INFO");\n  snprintf(path, sizeof(path), "/srv/%s", name);\n  FILE *f = fopen(name, "r");\n  return send_file(f);\n}\n',
      ),
    ],
    good: [
      good(
        "src/files.cpp",
        'void serve(const httplib::Request& req) {\n  auto name = std::filesystem::path(req.get_param_value("name")).filename();\n  std::ifstream in(root / name);\n}\n',
      ),
      good(
        "src/checked.cpp",
        'void serve(const httplib::Request& req) {\n  std::string name = req.get_param_value("name");\n  if (name.find("..") != std::string::npos) return;\n  std::ifstream in("/srv/" + name);\n}\n',
      ),
      good(
        "src/fixed.cpp",
        'void serve(const httplib::Request& req) {\n  log(req.get_param_value("name"));\n  std::ifstream in("/srv/index.html");\n}\n',
      ),
    ],
  },
};
