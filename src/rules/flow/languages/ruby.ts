/** Ruby: Rails, Sinatra and Rack. */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import { type FlowLanguage, type PlacedSink, sinksOf } from "../language.ts";

function placed(node: SyntaxNode): PlacedSink | null {
  if (node.kind() === "subshell") return { kind: "shell", form: "shell", value: node };
  const [key, value] = node.namedChildren();
  if (value === undefined || !/^(?:html|inline|file):?$/.test(key?.text() ?? "")) return null;
  const call = node.parent()?.parent();
  if (call?.namedChildren()[0]?.text() !== "render") return null;
  const name = key?.text() ?? "";
  if (name.startsWith("html")) return { kind: "html", form: "markup", value };
  return { kind: name.startsWith("inline") ? "eval" : "path", form: "any", value };
}

const FILE = /^(?:::)?(?:File|IO|Pathname)$/;
const URL_CLIENT = /^(?:Net::HTTP|HTTParty|Faraday|RestClient|HTTP|Excon|Typhoeus|OpenURI|HTTPX)$/;

export const ruby: FlowLanguage = {
  requestNames: /^request$/,
  requestReads:
    /^\.(?:params|query_parameters|request_parameters|path_parameters|headers|body|raw_post|query_string|cookies|GET|POST|referer|referrer|user_agent|env|path_info|fullpath|original_url|url|path|body\.read)$/,
  outside: /^(?:params|cookies|env\[["'](?:QUERY_STRING|PATH_INFO|HTTP_\w+|REQUEST_URI|rack\.input)["']\])$/,
  weak: /^(?:ARGV|ENV|gets|STDIN\.(?:gets|read)|\$stdin\.(?:gets|read))$/,
  roleOf: () => "unknown",
  sinks: sinksOf({
    "sql statement": [
      "execute exec_query select_all select_value select_values select_rows select_one exec_update exec_delete find_by_sql count_by_sql query async_exec exec exec_params",
    ],
    "sql builder": [
      {
        names:
          "where having order reorder group joins from select pluck find_by delete_all update_all exists? not rewhere sum average lock",
        unless: /^\[/,
      },
    ],
    "sql fragment": [{ names: "sql", on: /^Arel$/ }],
    "shell shell": [
      { names: "system exec spawn", on: /^(?:|Kernel|Process)$/, unless: /,/ },
      { names: "popen", on: /^IO$/, unless: /^\[/ },
      { names: "capture2 capture2e capture3 popen2 popen3 popen2e pipeline", on: /^Open3$/, unless: /,/ },
    ],
    "shell argv": [
      { names: "system exec spawn", on: /^(?:|Kernel|Process)$/, when: /,/ },
      { names: "capture2 capture2e capture3 popen2 popen3 popen2e", on: /^Open3$/, when: /,/ },
    ],
    "path any": [
      { names: "open read write delete readlines new unlink foreach binread binwrite rename", on: FILE },
      { names: "open", on: /^(?:|Kernel)$/ },
      { names: "send_file", on: /^(?:|self)$/ },
      { names: "rm rm_rf rm_f cp mv mkdir_p", on: /^FileUtils$/, args: [0, 1] },
      { names: "glob entries children mkdir", on: /^Dir$/ },
      { names: "load require require_relative", on: /^(?:|Kernel)$/ },
    ],
    "redirect target": [
      {
        names: "redirect_to redirect",
        on: /^(?:|self|r|response)$/,
        unless: /only_path:\s*true|allow_other_host:\s*false/,
      },
    ],
    "request target": [
      { names: "get get_response post post_form put delete head get_print", on: URL_CLIENT },
      { names: "open", on: /^URI$/ },
    ],
    "html any": [
      { names: "html_safe", args: "receiver" },
      { names: "raw", on: /^(?:|helpers|view_context)$/ },
    ],
    "eval any": [
      { names: "eval instance_eval class_eval module_eval", isForParameters: true },
      { names: "constantize safe_constantize", args: "receiver" },
      { names: "send public_send __send__ const_get", unless: /^["':]/ },
      { names: "new", on: /^(?:ERB|Liquid::Template|Haml::Engine|Slim::Template)$/ },
    ],
    "deserialize any": [
      { names: "load restore", on: /^Marshal$/ },
      {
        names: "load unsafe_load load_stream",
        on: /^(?:YAML|Psych)$/,
        unless: /permitted_classes|safe:\s*true/,
      },
      { names: "load object_load", on: /^Oj$/, unless: /mode:\s*:(?:strict|compat|null|json|rails)/ },
    ],
  }),
  placedKinds: new Set(["subshell", "pair"]),
  placed,
};
