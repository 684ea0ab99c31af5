/** Go: net/http, gin, echo, chi, fiber and gorilla/mux. */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import { type FlowLanguage, type Parameter, type ParameterRole, sinksOf } from "../language.ts";
import type { CallShape } from "../shapes.ts";

function roleOf({ type }: Parameter): ParameterRole {
  return /\b(?:http\.Request|gin\.Context|echo\.Context|fiber\.Ctx|fasthttp\.RequestCtx|iris\.Context|context\.Context)$/.test(
    type,
  ) && !/\bcontext\.Context$/.test(type)
    ? "request"
    : "unknown";
}

/** `json.NewDecoder(r.Body).Decode(&form)`, `c.BindJSON(&form)`. */
function fills({ name, args, receiver }: CallShape): SyntaxNode | null {
  const [first] = args;
  if (first === undefined || receiver === null) return null;
  const isBinding =
    /^(?:Should)?Bind(?:JSON|Query|Uri|XML|YAML|Header|BodyWith)?$|^(?:Body|Query|Params)Parser$/.test(name);
  if (isBinding && /^(?:c|ctx|context|gc|ec)$/.test(receiver.text())) return first;
  return name === "Decode" && /\(\w+\.Body\)$/.test(receiver.text().slice(-60)) ? first : null;
}

const TEXT = /Content-Type["'],\s*["'](?!text\/html)/;

export const go: FlowLanguage = {
  requestNames: null,
  requestReads:
    /^(?:\.(?:URL\.Query\(\)|URL\.Query\(\)\.Get\([^()]*\)|URL\.(?:Path|RawQuery|RawPath)|Form|PostForm|Header|Body|RequestURI|MultipartForm|Host)|\.(?:FormValue|PostFormValue|PathValue|Referer|UserAgent|Query|DefaultQuery|Param|PostForm|DefaultPostForm|GetHeader|Cookie|QueryParam|QueryParams|QueryArray|GetRawData|Params|FormParams|Get|Body|GetQuery|FormFile|QueryParser|Request\.(?:FormValue|PostFormValue|URL\.Query)|Request\(\)\.FormValue)\([^()]*\)(?:\.Get\([^()]*\))?)$/,
  outside:
    /^(?:mux\.Vars\(\w+\)|chi\.URLParam\(\w+,[^()]*\)|httprouter\.ParamsFromContext\([^()]*\(\)\)|c\.Request\.(?:Body|URL\.Query\(\)|Form|Header))$/,
  // The standard library, echo, and gin with `UseRawPath` decode a part after they have found it.
  segment:
    /(?:\.Params?|^chi\.URLParam)\((?:\w+,\s*)?"(?!(?:\w*[pP]ath|rest|any|all|wildcard)")[\w-]+"(?:,[^()]*)?\)$|^mux\.Vars\(\w+\)$|^httprouter\.ParamsFromContext\([^()]*\(\)\)$/,
  wideRoute:
    /labstack\/echo|\bUseRawPath\b|\bUseEncodedPath\b|["`][\w/:{}.-]*\/\*\w+["`]|["`][^"`\n]*\{\w+:[^{}"`\n]*(?:\.[*+]|\[\^|\/)/,
  weak: /^(?:os\.Args|os\.Getenv\([^()]*\)|flag\.Arg\([^()]*\))$/,
  roleOf,
  fills,
  sinks: sinksOf({
    "sql statement": [
      "Query QueryRow Exec Prepare Raw Get Select NamedExec NamedQuery MustExec Queryx QueryRowx",
      {
        names:
          "QueryContext QueryRowContext ExecContext PrepareContext GetContext SelectContext QueryxContext Query QueryRow Exec",
        args: [1, 2],
      },
    ],
    "sql builder": [{ names: "Where Having Joins Or Not OrderBy Group", file: /gorm|squirrel|xorm|goqu/ }],
    "sql fragment": [{ names: "Order", file: /gorm\.io|jinzhu\/gorm/ }],
    "html markup": [
      { names: "Data", on: /^(?:c|ctx)$/, args: [2], when: /text\/html/ },
      {
        names: "Fprintf",
        on: /^fmt$/,
        args: "result",
        when: /^(?:w|rw|writer|res|resp|c\.Writer)\b/,
        unless: TEXT,
      },
      {
        names: "Fprint Fprintln WriteString",
        on: /^(?:fmt|io)$/,
        args: [1],
        when: /^(?:w|rw|writer|res|resp|c\.Writer)\b/,
        unless: TEXT,
      },
      { names: "Write WriteString", on: /^(?:w|rw|res|c\.Writer)$/ },
    ],
    "shell argv": [
      { names: "Command", on: /^exec$/ },
      { names: "CommandContext", on: /^exec$/ },
    ],
    "path any": [
      {
        names: "Open OpenFile Create ReadFile WriteFile Remove RemoveAll ReadDir Mkdir MkdirAll Rename",
        on: /^(?:os|ioutil)$/,
      },
      { names: "ServeFile", on: /^http$/, args: [2] },
      { names: "File FileAttachment SendFile Download", on: /^(?:c|ctx)$/ },
      { names: "SaveUploadedFile SaveFile", on: /^(?:c|ctx)$/, args: [1] },
    ],
    "redirect target": [
      { names: "Redirect", on: /^http$/, args: [2] },
      { names: "Redirect", on: /^(?:c|ctx)$/, args: [0, 1] },
      { names: "Set Add", on: /\.Header\(\)$/, when: /^"Location"/i, args: [1] },
    ],
    "request target": [
      {
        names: "Get Post Head PostForm",
        on: /^(?:(?:\w+\.)?(?:http|hc|outbound|upstream|\w*(?:[cC]lient|[hH]ttp|HTTP))|http\.DefaultClient)$/,
      },
      { names: "Post", when: /,\s*"(?:application|text)\// },
      { names: "NewRequest", on: /^http$/, args: [1] },
      { names: "NewRequestWithContext", on: /^http$/, args: [2] },
    ],
    "html any": [
      { names: "HTML JS", on: /^(?:template|htmltemplate|html)$/ },
      { names: "HTML", on: /^(?:c|ctx)$/, args: [1], when: /^\S+,\s*(?!"[\w./-]+")/ },
    ],
    "eval any": [
      { names: "Parse", on: /template\.(?:New|Must)\(/ },
      { names: "Eval RunString", on: /^(?:vm|interp|i|otto|goja)$/ },
    ],
    "deserialize any": [{ names: "Unmarshal", on: /^gob$/ }],
  }),
  placedKinds: new Set(),
  placed: () => null,
};
