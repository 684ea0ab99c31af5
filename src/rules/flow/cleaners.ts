/** Functions that end a flow: casts, parsers, escapers and look-ups, by name. */
import type { CallShape } from "./shapes.ts";
import type { FlowKind } from "./value.ts";

const ALL: readonly FlowKind[] = [
  "sql",
  "shell",
  "path",
  "redirect",
  "request",
  "html",
  "eval",
  "deserialize",
];

/** Calls that return a number, a time, a hash, or an id of the program. */
const HARMLESS_CALL =
  /^(?:parseInt|parseFloat|Number|BigInt|Boolean|bool|int|float|len|intval|floatval|boolval|absint|Integer|Float|Decimal|to_i|to_f|to_sym|Atoi|ParseInt|ParseUint|ParseFloat|ParseBool|FormatInt|Itoa|parseLong|parseDouble|parseBoolean|ToInt32|ToInt64|Parse|TryParse|UUID|Guid|NewGuid|fromString|abs|round|floor|ceil|max|min|size|count|Count|length|time|now|Now|getTime|mktime|date|gmdate|strtotime|strftime|toISOString|isoformat|Unix|UnixNano|Format|getpid|cwd|getcwd|gettempdir|tmpdir|mkdtemp|mktemp|hexdigest|digest|md5|sha1|sha256|crc32|hash|Sum256|uuid4|randomUUID|nextval|indexOf|lastIndexOf|includes|contains|Contains|startsWith|startswith|endsWith|endswith|HasPrefix|HasSuffix|equals|Equals|equalsIgnoreCase|compareTo|hashCode|isEmpty|isBlank|isdigit|isalnum|test|has|isset|empty|is_null|is_numeric|in_array|array_key_exists|strpos|strlen|preg_match|present\?|blank\?|nil\?|empty\?|include\?|key\?|match\?|is_some|is_none|is_empty|exists|existsSync|toFixed|bin2hex|dechex|filesize|filemtime|is_array|is_string|isinstance|typeof|len_utf8|index_of|search|localeCompare|getTimezoneOffset|valid\?|ord|hex|urlsafe_b64encode|b64encode|base64_encode|btoa|encode64|strict_encode64|EncodeToString|encodeToString|ToBase64String)$/;

/** Numbers and facts about a value rather than the value. */
const HARMLESS_MEMBER: ReadonlySet<string> = new Set([
  "length",
  "Length",
  "Count",
  "size",
  "count",
  "Size",
  "byteLength",
  "lastModified",
  "HasValue",
  "mimetype",
  "content_length",
]);

const SHELL_QUOTE = /^(?:shellescape|escapeshellarg|escapeshellcmd|shellquote|shell_escape|shell_quote)$/i;
const HTML_ESCAPE =
  /^(?:htmlspecialchars|htmlentities|html_escape|HTMLEscapeString|HtmlEncode|HTMLEscaper|escapeHtml4?|escape_html|strip_tags|esc_html|esc_attr|linebreaks|h|nl2br_safe|escape_once|json_escape|encodeForHTML|htmlEscape)$/i;
const URL_ENCODE =
  /^(?:encodeURIComponent|encodeURI|urlencode|rawurlencode|http_build_query|QueryEscape|PathEscape|quote|quote_plus|UrlEncode|EscapeDataString|url_encode|encode_www_form|encode_www_form_component|encode)$/;
const FILE_NAME = /^(?:basename|secure_filename|Base|GetFileName|file_name|getFileName|file_stem)$/;
/** Names of the program's own checks. Their result was made harmless on purpose. */
const CLEANING =
  /escape|sanit|quot|purif|clean|valid|safe|allow|whitelist|slugif|parameteriz|permit_?list|placeholder|ident(?:ifier)?$|literal$|bleach|normali[sz]e_?(?:sort|order|path|url|file)|absolute_?url|^resolve_?url$/i;

/** True for a call whose result can't carry text that an attacker chose. */
export function isHarmlessCall({ name, args, receiver }: CallShape): boolean {
  // `time.Parse` and `Enum.Parse` return values of the program; `JSON.parse` has another name.
  if (!HARMLESS_CALL.test(name)) return false;
  return name !== "Format" || args.length === 0 || receiver?.text() === "time";
}

export function isHarmlessMember(name: string): boolean {
  return HARMLESS_MEMBER.has(name);
}

/** The kinds of sinks for which a call makes its arguments harmless. */
export function cleanedBy(call: CallShape): readonly FlowKind[] {
  const { name } = call;
  if (SHELL_QUOTE.test(name)) return ["shell"];
  if (name === "quote" && /^(?:shlex|pipes)$/.test(call.receiver?.text() ?? "")) return ["shell"];
  if (HTML_ESCAPE.test(name)) return ["html"];
  if (name === "escape" && /^(?:html|h|CGI|cgi|markupsafe)$/.test(call.receiver?.text() ?? ""))
    return ["html"];
  if (URL_ENCODE.test(name) && !isBytes(call)) return ["html", "path", "redirect", "request"];
  const isName = name === "getName" && /[fF]ile|[pP]ath/.test(call.receiver?.text().slice(-80) ?? "");
  if (FILE_NAME.test(name) || isName) return ["path"];
  if (REPLACES.test(name)) return cleanedByReplacing(call);
  return CLEANING.test(name) && !/^unescape|unquote|^raw|unsafe|html_safe|mark_safe/i.test(name) ? ALL : [];
}

/** `text.encode("utf-8")` returns the same text as bytes. */
function isBytes({ name, args, receiver }: CallShape): boolean {
  return (
    name === "encode" &&
    (args.length === 0 || /utf|ascii|latin/i.test(args[0]?.text() ?? "") || receiver === null)
  );
}

const REPLACES =
  /^(?:replace|replaceAll|gsub|gsub!|sub|preg_replace|str_replace|Replace|ReplaceAll|ReplaceAllString|tr|delete)$/;

/** A replacement that leaves only listed characters, or removes the one that ends the context. */
function cleanedByReplacing({ args }: CallShape): readonly FlowKind[] {
  const pattern = args
    .slice(0, 2)
    .map((arg) => arg.text())
    .join(" ");
  if (/\[\^|\\W|\\D/.test(pattern)) return ALL;
  const kinds: FlowKind[] = [];
  if (/'/.test(pattern.slice(1, -1)) && /''|\\\\'|\\'/.test(pattern)) kinds.push("sql");
  if (/\.\.|\//.test(pattern.slice(1, -1))) kinds.push("path");
  if (/</.test(pattern)) kinds.push("html");
  return kinds;
}

/** Calls that return their arguments, in whole or in part. */
const PASSING: ReadonlySet<string> = new Set(
  `String str unicode bytes bytearray decodeURIComponent decodeURI unescape atob from toString loads json_decode
  b64decode base64_decode unquote unquote_plus urldecode rawurldecode QueryUnescape PathUnescape TrimSpace Trim ToLower
  ToUpper TrimPrefix TrimSuffix TrimLeft TrimRight Title Fields Split Join join resolve normalize concat Concat Combine
  Path PurePath PosixPath Paths Path.of get_path abspath realpath expanduser normpath joinpath Abs Clean FromSlash
  ToSlash File URI URL Uri create parse valueOf implode explode trim ltrim rtrim strtolower strtoupper ucfirst substr
  mb_substr strval nl2br stripslashes addslashes str_replace preg_replace sub string decode64 decode strict_decode64
  urlsafe_decode64 urlsafe_b64decode DecodeString FromBase64String GetString GetBytes ReadAll read getvalue list tuple
  sorted reversed set dict keys values entries Object assign array_values array_merge array_unique array_filter
  array_map Some Ok unwrap PathBuf new StringBuilder StringBuffer StringIO BytesIO ByteArrayInputStream
  BufferedInputStream InputStreamReader BufferedReader GZIPInputStream MemoryStream Buffer NewReader NewBufferString
  NewBuffer URLSearchParams filter_input Array URI.create UriBuilder fromUriString Markup
  StringReader text toPath of ofNullable Optional orElse filter_var map filter storage_path public_path
  base_path app_path resource_path cloned`.split(/\s+/),
);

/** Of the passing names, those that only some receivers have. */
const PASSING_RECEIVERS: Readonly<Record<string, RegExp>> = {
  parse: /^JSON$|^(?:url|qs|querystring)$|^URI$|Uri$|^url$/,
  create: /^URI$/,
  read: /^$/,
  get_path: /^$/,
  new: /^(?:PathBuf|Path|String|std::path::Path|Url|URI|StringIO|Pathname)$/,
  from: /^(?:Buffer|Array|String|PathBuf|std::path::PathBuf)$/,
  loads: /^(?:json|ujson|orjson|simplejson)$/,
  of: /^(?:Path|List|Set|Map|Optional|Arrays)$/,
  map: /^$/,
  filter: /^$/,
  sub: /^re$/,
  set: /^$/,
  text: /^(?:|sa|sqlalchemy|db)$/,
  get: /^Paths$/,
  valueOf: /^String$/,
  resolve: /^(?:path|posixpath|path\.posix)$/,
  assign: /^Object$/,
  decode: /Decoder|^base64|Base64|jwt/i,
};

/** True for a call whose result carries the text of its arguments. The receiver's text is needed for some names. */
export function isPassing(name: string, receiver: string): boolean {
  if (!PASSING.has(name) && !(name === "get" && receiver === "Paths")) return false;
  const wanted = Object.hasOwn(PASSING_RECEIVERS, name) ? PASSING_RECEIVERS[name] : undefined;
  return wanted === undefined || wanted.test(receiver);
}

/** A constructor or function that joins path segments. */
export function isPathJoin(name: string, receiver: string): boolean {
  return (
    (/^(?:join|Join|resolve|Combine|joinpath|of|get)$/.test(name) &&
      /(?:^|\.)(?:path|posixpath|ntpath|filepath|posix|Path|Paths|File|Pathname)$/.test(receiver)) ||
    (name === "File" && receiver === "")
  );
}
