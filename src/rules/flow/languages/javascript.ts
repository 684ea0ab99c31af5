/** JavaScript and TypeScript: Express, Koa, Fastify, Hono, Next, Nest, Lambda, and the browser. */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import {
  type FlowLanguage,
  type Parameter,
  type ParameterRole,
  type PlacedSink,
  sinksOf,
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
  sinks: sinksOf({
    "sql statement": [
      {
        names:
          "query execute exec run all get each prepare one many any none oneOrNone manyOrNone unsafe result $queryRawUnsafe $executeRawUnsafe queryRaw executeSql raw",
        on: DATABASE,
      },
      "$queryRawUnsafe $executeRawUnsafe executeSql",
    ],
    "sql fragment": [
      { names: "raw", on: /^(?:knex|db|trx|Prisma|this\.knex|this\.db|sql|database|connection)$/ },
      { names: "literal", on: /[sS]equelize$|^db\.sequelize$|^Sequelize$/ },
      "whereRaw orWhereRaw andWhereRaw havingRaw orderByRaw groupByRaw joinRaw fromRaw selectRaw",
    ],
    "sql builder": ["where andWhere orWhere having andHaving orderBy addOrderBy select addSelect"],
    "shell shell": [
      {
        names: "exec execSync execAsync execPromise execP",
        on: /^(?:|cp|child_process|childProcess|ChildProcess|require\(['"](?:node:)?child_process['"]\))$/,
        file: CHILD_PROCESS,
      },
      {
        names: "spawn spawnSync execFile execFileSync",
        args: "all",
        file: CHILD_PROCESS,
        when: /shell:\s*true/,
      },
    ],
    "shell argv": [
      { names: "spawn spawnSync execFile execFileSync", file: CHILD_PROCESS, unless: /shell:\s*true/ },
    ],
    "path any": [
      {
        names:
          "readFile readFileSync writeFile writeFileSync appendFile appendFileSync createReadStream createWriteStream unlink unlinkSync rm rmSync rmdir rmdirSync readdir readdirSync open openSync copyFile copyFileSync rename renameSync mkdir mkdirSync readJson writeJson remove removeSync outputFile ensureDir",
        on: FILES,
      },
      {
        names:
          "readFile readFileSync writeFile writeFileSync createReadStream createWriteStream unlink unlinkSync readdir readdirSync",
        on: "none",
        file: /["'](?:node:)?fs(?:\/promises)?["']/,
      },
      {
        names: "sendFile download sendfile",
        on: /^(?:res|response|reply|ctx)(?:\.\w+\([^()]*\))*$/,
        unless: /\broot\s*:|,\s*root\b/,
      },
      { names: "require import", on: "none" },
    ],
    "redirect target": [
      {
        names: "redirect",
        args: [0, 1],
        on: /^(?:res|response|reply|ctx|c|NextResponse|Response|h)(?:\.\w+\([^()]*\))*$/,
      },
      {
        names: "redirect permanentRedirect",
        on: "none",
        file: /next\/navigation|@remix-run|react-router|@sveltejs/,
        args: [0, 1],
      },
      { names: "assign replace", on: /(?:^|\.)location$/ },
      {
        names: "setHeader header set",
        args: [1],
        when: /^["']location["']/i,
        on: /^(?:res|response|reply|ctx|c)(?:\.\w+\([^()]*\))*$/,
      },
    ],
    "request target": [
      { names: "fetch axios got request needle superagent nodeFetch ky", on: "none" },
      {
        names: "get post put patch delete head request stream",
        on: /^(?:axios|got|https?|needle|superagent|request|ky|this\.httpService|httpService|undici|\w[\w.]*\.axiosRef|\w*[aA]xios\w*)$/,
      },
    ],
    "html any": [
      { names: "write writeln", on: /^(?:window\.)?document$/, args: "all" },
      { names: "insertAdjacentHTML", args: [1] },
      { names: "html", on: /^(?:\$|jQuery)\(/ },
      "bypassSecurityTrustHtml",
      { names: "html", on: /^(?:c|ctx|context)$/ },
    ],
    "html markup": [
      { names: "send write end", on: /^(?:res|response|reply)(?:\.\w+\([^()]*\))*$/ },
      { names: "Response", on: "none", when: /text\/html/ },
    ],
    "eval any": [
      { names: "eval", on: /^(?:|window|globalThis|global|self)$/, isForParameters: true },
      { names: "Function", on: "none", args: "all" },
      { names: "runInContext runInNewContext runInThisContext compileFunction", on: /vm\d?$/ },
      { names: "Script", on: /vm$/ },
    ],
    "eval builder": [{ names: "setTimeout setInterval", on: /^(?:|window|globalThis)$/ }],
    "deserialize any": [
      { names: "unserialize", file: /["']node-serialize["']/, isAlways: true },
      { names: "load", on: /^(?:yaml|jsyaml|YAML)$/, when: /DEFAULT_FULL_SCHEMA|UNSAFE/ },
    ],
  }),
  placedKinds: new Set(["assignment_expression", "augmented_assignment_expression", "pair"]),
  placed,
};
