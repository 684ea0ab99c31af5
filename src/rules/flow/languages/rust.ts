/** Rust: axum, actix-web, rocket and warp. */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import { type FlowLanguage, type Parameter, type ParameterRole, sinksOf } from "../language.ts";

const EXTRACTOR =
  /^(?:\w+::)*(?:(?:Query|Path|Json|Form|RawForm|TypedHeader)\s*<|(?:RawQuery|Multipart|CookieJar|HeaderMap)\b)/;
const NUMBERS = /<\s*(?:[iu](?:8|16|32|64|128|size)|Uuid|uuid::Uuid|bool)\s*>/;
const SHELL = /Command::new\(\s*"(?:\/bin\/)?(?:ba|z|da)?sh"\s*\)/;

function roleOf({ name, type, fn }: Parameter): ParameterRole {
  if (/\bHttpRequest\b/.test(type)) return "request";
  if (EXTRACTOR.test(type)) return NUMBERS.test(type) ? "harmless" : "outside";
  if (!routeOf(fn).includes(`<${name}`)) return "unknown";
  // Rocket refuses a path that leaves its folder.
  if (/^(?:\w+::)*PathBuf$/.test(type)) return "segment";
  return /^&?\s*(?:'\w+\s+)?(?:str|String)$/.test(type) ? "outside" : "unknown";
}

/** The text of the attributes before a function, such as `#[get("/file/<name>")]`. */
function routeOf(fn: SyntaxNode): string {
  const before: string[] = [];
  for (let prior = fn.prev(); prior?.kind() === "attribute_item"; prior = prior.prev())
    before.push(prior.text());
  return before.filter((text) => /#\[\s*(?:\w+::)?(?:get|post|put|delete|patch|head)\b/.test(text)).join(" ");
}

const QUERIES =
  "query query_as query_scalar query_with execute query_row query_map prepare raw_sql sql_query batch_execute query_one query_opt simple_query";

export const rust: FlowLanguage = {
  requestNames: null,
  requestReads: /^\.(?:query_string|match_info|headers|uri|cookie|path)\([^()]*\)(?:\.get\([^()]*\))?$/,
  outside: /^$/,
  weak: /^(?:(?:std::)?env::args\(\)|(?:std::)?env::var\([^()]*\))$/,
  roleOf,
  sinks: sinksOf({
    "sql statement": [{ names: QUERIES }],
    "shell shell": [
      { names: "arg", on: new RegExp(`${SHELL.source}[^]*\\.arg\\(\\s*"-\\w*c"\\s*\\)$`) },
      { names: "args", on: new RegExp(`${SHELL.source}$`) },
    ],
    "shell argv": [{ names: "new", on: /(?:^|::)Command$/ }],
    "path any": [
      {
        names: "read read_to_string write remove_file remove_dir_all create_dir_all read_dir",
        on: /(?:^|::)fs$/,
      },
      { names: "copy rename", on: /(?:^|::)fs$/, args: [0, 1] },
      { names: "open create", on: /(?:^|::)(?:File|NamedFile)$/ },
      { names: "open_async", on: /NamedFile$/ },
    ],
    "redirect target": [
      { names: "to temporary permanent see_other found", on: /(?:^|::)Redirect$/ },
      { names: "append_header insert_header", when: /LOCATION|"Location"/ },
    ],
    "request target": [
      { names: "get", on: /(?:^|::)(?:reqwest|blocking|ureq|surf)$/ },
      { names: "get post put delete head", on: /(?:^|\.)(?:\w*client|http)$|Client::new\(\)$/ },
    ],
    "html any": [{ names: "Html RawHtml PreEscaped", on: /^(?:|axum::response|response|content|maud)$/ }],
    "html markup": [{ names: "body", on: /text\/html|ContentType::html/ }],
  }),
  placedKinds: new Set(),
  placed: () => null,
};
