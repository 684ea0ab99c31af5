/** JavaScript and TypeScript: Express, Koa, Fastify, Hono, Next, Nest, Lambda, and the browser. */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import {
  type FlowLanguage,
  type Parameter,
  type ParameterRole,
  type PlacedSink,
  sinksByName,
} from "../language.ts";

const CHILD_PROCESS = /child_process/;

/** Receivers whose `query` and `execute` take SQL. */
const DATABASE =
  /(?:^|[.\s_])(?:db|database|conn|connection|pool|client|cursor|knex|sequelize|prisma|sql|sqlite|pg|mysql|trx|tx|transaction|entityManager|manager|repository|queryRunner|dataSource|pgClient|pgPool|orm|\w+(?:Db|DB|Pool|Connection|Client|Database|Repository|Sql))(?:\(\)|!)?$/i;

const FILES =
  /^(?:fs|fsp|fsPromises|fs\.promises|promises|fse|fsExtra|require\(['"](?:node:)?fs(?:\/promises)?['"]\)(?:\.promises)?)$/;

const ROUTE_MARK = /@(?:Query|Body|Param|Headers?|Cookies?|UploadedFile|QueryParam|PathParam|BodyParam)\(/;

function roleOf({ marks, type, name }: Parameter): ParameterRole {
  if (ROUTE_MARK.test(marks)) return /Pipe\b/.test(marks) ? "harmless" : "outside";
  if (/\b(?:IncomingMessage|NextApiRequest|NextRequest|FastifyRequest|HonoRequest)\b/.test(type))
    return "request";
  return /^(?:req|request)$/.test(name) ? "request" : "unknown";
}

function placed(node: SyntaxNode): PlacedSink | null {
  const [left, right] = node.namedChildren();
  if (left === undefined || right === undefined) return null;
  if (node.kind() === "pair")
    return left.text() === "__html" ? { kind: "html", form: "any", value: right } : null;
  const target = left.text().slice(-80);
  if (/\.(?:innerHTML|outerHTML|srcdoc)$/.test(target)) return { kind: "html", form: "any", value: right };
  return /(?:^|[\w)]\.)location(?:\.href)?$/.test(target)
    ? { kind: "redirect", form: "target", value: right }
    : null;
}

export const javascript: FlowLanguage = {
  requestNames: /^(?:req|request|_req|_request|event|ctx)$/,
  requestReads:
    /^(?:\??\.(?:body|query|params|cookies|headers|rawBody|files?|originalUrl|url|nextUrl|queryStringParameters|pathParameters|multiValueQueryStringParameters|payload|querystring)|\.(?:param|query|header|queries|cookie)\([^()]*\)|\.(?:json|text|formData|parseBody|arrayBuffer)\(\)|\.get\((?:"[\w-]+"|'[\w-]+')\))$/,
  outside: /^$/,
  pageInput:
    /^(?:(?:(?:window|document|self|top|parent|globalThis)\.)?location\.(?:search|hash|href)|document\.(?:URL|documentURI|referrer|cookie)|window\.name|(?:event|evt|ev|e|msg|message)\.data|useSearchParams\(\)(?:\[0\])?|router\.query)$/,
  weak: /^(?:process\.argv|process\.env|Deno\.args|Bun\.argv)$/,
  roleOf,
  sinks: sinksByName([
    {
      kind: "sql",
      form: "statement",
      names:
        "query execute exec run all get each prepare one many any none oneOrNone manyOrNone unsafe result $queryRawUnsafe $executeRawUnsafe queryRaw executeSql raw",
      on: DATABASE,
    },
    { kind: "sql", form: "statement", names: "$queryRawUnsafe $executeRawUnsafe executeSql" },
    {
      kind: "sql",
      form: "fragment",
      names: "raw",
      on: /^(?:knex|db|trx|Prisma|this\.knex|this\.db|sql|database|connection)$/,
    },
    { kind: "sql", form: "fragment", names: "literal", on: /[sS]equelize$|^db\.sequelize$|^Sequelize$/ },
    {
      kind: "sql",
      form: "fragment",
      names: "whereRaw orWhereRaw andWhereRaw havingRaw orderByRaw groupByRaw joinRaw fromRaw selectRaw",
    },
    {
      kind: "sql",
      form: "builder",
      names: "where andWhere orWhere having andHaving orderBy addOrderBy select addSelect",
    },
    {
      kind: "shell",
      form: "shell",
      names: "exec execSync execAsync execPromise execP",
      on: /^(?:|cp|child_process|childProcess|ChildProcess|require\(['"](?:node:)?child_process['"]\))$/,
      file: CHILD_PROCESS,
    },
    {
      kind: "shell",
      form: "argv",
      names: "spawn spawnSync execFile execFileSync",
      file: CHILD_PROCESS,
      unless: /shell:\s*true/,
    },
    {
      kind: "shell",
      form: "shell",
      names: "spawn spawnSync execFile execFileSync",
      args: "all",
      file: CHILD_PROCESS,
      when: /shell:\s*true/,
    },
    {
      kind: "path",
      form: "any",
      names:
        "readFile readFileSync writeFile writeFileSync appendFile appendFileSync createReadStream createWriteStream unlink unlinkSync rm rmSync rmdir rmdirSync readdir readdirSync open openSync copyFile copyFileSync rename renameSync mkdir mkdirSync readJson writeJson remove removeSync outputFile ensureDir",
      on: FILES,
    },
    {
      kind: "path",
      form: "any",
      names:
        "readFile readFileSync writeFile writeFileSync createReadStream createWriteStream unlink unlinkSync readdir readdirSync",
      on: "none",
      file: /["'](?:node:)?fs(?:\/promises)?["']/,
    },
    {
      kind: "path",
      form: "any",
      names: "sendFile download sendfile",
      on: /^(?:res|response|reply|ctx)(?:\.\w+\([^()]*\))*$/,
      unless: /\broot\s*:|,\s*root\b/,
    },
    { kind: "path", form: "any", names: "require import", on: "none" },
    {
      kind: "redirect",
      form: "target",
      names: "redirect",
      args: [0, 1],
      on: /^(?:res|response|reply|ctx|c|NextResponse|Response|h)(?:\.\w+\([^()]*\))*$/,
    },
    {
      kind: "redirect",
      form: "target",
      names: "redirect permanentRedirect",
      on: "none",
      file: /next\/navigation|@remix-run|react-router|@sveltejs/,
      args: [0, 1],
    },
    { kind: "redirect", form: "target", names: "assign replace", on: /(?:^|\.)location$/ },
    {
      kind: "redirect",
      form: "target",
      names: "setHeader header set",
      args: [1],
      when: /^["']location["']/i,
      on: /^(?:res|response|reply|ctx|c)(?:\.\w+\([^()]*\))*$/,
    },
    {
      kind: "request",
      form: "target",
      names: "fetch axios got request needle superagent nodeFetch ky",
      on: "none",
    },
    {
      kind: "request",
      form: "target",
      names: "get post put patch delete head request stream",
      on: /^(?:axios|got|https?|needle|superagent|request|ky|this\.httpService|httpService|undici|\w[\w.]*\.axiosRef|\w*[aA]xios\w*)$/,
    },
    { kind: "html", form: "any", names: "write writeln", on: /^(?:window\.)?document$/, args: "all" },
    { kind: "html", form: "any", names: "insertAdjacentHTML", args: [1] },
    { kind: "html", form: "any", names: "html", on: /^(?:\$|jQuery)\(/ },
    { kind: "html", form: "any", names: "bypassSecurityTrustHtml" },
    {
      kind: "html",
      form: "markup",
      names: "send write end",
      on: /^(?:res|response|reply)(?:\.\w+\([^()]*\))*$/,
    },
    { kind: "html", form: "any", names: "html", on: /^(?:c|ctx|context)$/ },
    { kind: "html", form: "markup", names: "Response", on: "none", when: /text\/html/ },
    {
      kind: "eval",
      form: "any",
      names: "eval",
      on: /^(?:|window|globalThis|global|self)$/,
      isForParameters: true,
    },
    { kind: "eval", form: "any", names: "Function", on: "none", args: "all" },
    {
      kind: "eval",
      form: "any",
      names: "runInContext runInNewContext runInThisContext compileFunction",
      on: /vm\d?$/,
    },
    { kind: "eval", form: "any", names: "Script", on: /vm$/ },
    { kind: "eval", form: "builder", names: "setTimeout setInterval", on: /^(?:|window|globalThis)$/ },
    {
      kind: "deserialize",
      form: "any",
      names: "unserialize",
      file: /["']node-serialize["']/,
      isAlways: true,
    },
    {
      kind: "deserialize",
      form: "any",
      names: "load",
      on: /^(?:yaml|jsyaml|YAML)$/,
      when: /DEFAULT_FULL_SCHEMA|UNSAFE/,
    },
  ]),
  placedKinds: new Set(["assignment_expression", "augmented_assignment_expression", "pair"]),
  placed,
};
