/** Things that the code of a new version can do and no file of the old one could: talk to a network, run programs, run text as code. */
import type { EcosystemId } from "../ecosystem.ts";
import { ABILITIES, type Ability, type ApiFact } from "../../languages/api/api-difference.ts";
import type { PackageSource } from "../../languages/api/package-source.ts";

/** Files that users of a package don't run. */
const ASIDE =
  /(?:^|\/)(?:tests?|__tests__|specs?|examples?|benchmarks?|benches|docs?|fixtures)\/|[._](?:test|spec)\.|_test\.go$/i;

type Signs = Readonly<Record<Ability, RegExp>>;

/** Imports and calls that stand for nothing else. Each pattern looks at one line. */
const SIGNS: Partial<Record<EcosystemId, { readonly path: RegExp; readonly signs: Signs }>> = {
  npm: {
    path: /(?<!\.d)\.[cm]?[jt]s$/,
    signs: {
      network:
        /(?:\brequire\(\s*|\bfrom\s*|\bimport\(?\s*)["'](?:node:)?(?:https?|http2|net|tls|dgram|undici|node-fetch|axios|got|ws)["']|(?:\bawait|\breturn|=>?|\()\s*(?:globalThis\.|window\.)?fetch\(|\bnew (?:XMLHttpRequest|WebSocket|EventSource)\(|\bnavigator\.sendBeacon\(/,
      shell: /(?:\brequire\(\s*|\bfrom\s*|\bimport\(?\s*)["'](?:node:)?child_process["']/,
      "dynamic-code":
        /(?<![\w$.])eval\(|\bnew Function\(|(?:\brequire\(\s*|\bfrom\s*|\bimport\(?\s*)["'](?:node:)?vm["']/,
    },
  },
  pypi: {
    path: /\.py$/,
    signs: {
      network:
        /^\s*(?:import|from)\s+(?:socket|ssl|http\.client|urllib\.request|urllib3|requests|httpx|aiohttp|ftplib|smtplib|websockets?)\b/,
      shell: /^\s*(?:import|from)\s+subprocess\b|\bos\.(?:system|popen|exec[lv]\w*|spawn[lv]\w*)\(/,
      "dynamic-code": /(?<![\w.])(?:eval|exec)\(/,
    },
  },
  go: {
    path: /\.go$/,
    signs: {
      network: /^\s*(?:import\s+)?(?:[\w.]+\s+)?"net(?:\/http|\/rpc|\/smtp)?"\s*$/,
      shell: /^\s*(?:import\s+)?(?:[\w.]+\s+)?"os\/exec"\s*$/,
      "dynamic-code": /^\s*(?:import\s+)?(?:[\w.]+\s+)?"plugin"\s*$/,
    },
  },
  cargo: {
    path: /\.rs$/,
    signs: {
      network: /\bstd::net::|\b(?:reqwest|hyper|ureq|isahc)::/,
      shell: /\bprocess::Command\b|\bstd::process::\{[^}]*\bCommand\b/,
      "dynamic-code": /\blibloading::/,
    },
  },
  maven: {
    path: /\.(?:java|kt|scala|groovy)$/,
    signs: {
      network:
        /^\s*import\s+(?:static\s+)?java\.net\.(?:http\.|Socket|ServerSocket|URLConnection|HttpURLConnection|DatagramSocket)/,
      shell: /\bnew ProcessBuilder\(|\bgetRuntime\(\)\s*\.exec\(/,
      "dynamic-code": /\bScriptEngineManager\b|\bdefineClass\(/,
    },
  },
};

/** A line of a bundle can be a whole package. Its beginning says what it loads. */
const MAX_LINE_CHARS = 20_000;

/** None when the old version has no code to compare with. */
export function gainedAbilities(
  ecosystem: EcosystemId,
  { before, after }: { readonly before: PackageSource; readonly after: PackageSource },
): readonly ApiFact[] {
  const known = SIGNS[ecosystem];
  if (known === undefined) return [];
  const isCode = (path: string): boolean => known.path.test(path) && !ASIDE.test(path);
  if (![...before.keys()].some(isCode)) return [];
  const [was, is] = [before, after].map((files) => firstFiles(files, isCode, known.signs));
  return ABILITIES.flatMap((ability): readonly ApiFact[] => {
    const path = is?.get(ability);
    return path === undefined || was?.has(ability) === true
      ? []
      : [{ kind: "ability-gained", ability, path }];
  });
}

/** The first file with each ability. */
function firstFiles(
  files: PackageSource,
  isCode: (path: string) => boolean,
  signs: Signs,
): ReadonlyMap<Ability, string> {
  const found = new Map<Ability, string>();
  for (const [path, text] of files) {
    const missing = ABILITIES.filter((ability) => !found.has(ability));
    if (missing.length === 0) break;
    const lines = isCode(path) ? text.split("\n") : [];
    for (const ability of missing) {
      if (lines.some((line) => hasSign(line, signs[ability]))) found.set(ability, path);
    }
  }
  return found;
}

const hasSign = (line: string, sign: RegExp): boolean =>
  sign.test(line.slice(0, MAX_LINE_CHARS)) && !/^\s*(?:\/\/|\*|\/\*|#)/.test(line);
