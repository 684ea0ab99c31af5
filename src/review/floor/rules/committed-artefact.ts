/** Reports new files that belong on a machine, not in a repository. One finding per kind and change; goes by names. */
import type { Severity } from "../../../base/severity.ts";
import type { ChangedFile } from "../../change/change.ts";
import { addedLines } from "../../change/walk-hunks.ts";
import { isSample } from "../lines/path-kinds.ts";
import { bad, good, type ChangeRule } from "../rule.ts";
import { isPassword } from "../../../base/secrets/secret-values.ts";

type Artefact = {
  readonly name: RegExp;
  readonly title: string;
  readonly severity: Severity;
  /** Asked when the name fits; left out: the name is enough. */
  readonly isOne?: (file: ChangedFile) => boolean;
  /** True: also in tests, fixtures and examples. */
  readonly anywhere?: boolean;
};

const ENV_SECRET =
  /^\s*(?:export\s+)?\w{0,60}(?:PASSWORD|PASSWD|SECRET|TOKEN|PRIVATE_KEY|API_?KEY|ACCESS_KEY)\w{0,10}\s*=\s*["']?([^\s"'#$<{]{8,200})/i;
const PRIVATE_KEY = /-----BEGIN (?:\w+ ){0,2}PRIVATE KEY-----/;

const ARTEFACTS: readonly Artefact[] = [
  {
    name: /(?:^|\/)\.env(?:\.(?:local|production|prod|staging|development|dev))?$/,
    title: "Environment file with secrets is committed",
    severity: "must-fix",
    isOne: hasSecretSetting,
  },
  {
    name: /(?:^|\/)\.env(?:\.[\w-]+)?\.local$/,
    title: "Personal environment file is committed",
    severity: "medium",
  },
  {
    name: /(?:^|\/)id_(?:rsa|dsa|ecdsa|ed25519)$|\.ppk$/,
    title: "Private key is committed",
    severity: "critical",
  },
  {
    name: /\.(?:pem|key)$/,
    title: "Private key is committed",
    severity: "critical",
    isOne: (file) => hasLine(file, PRIVATE_KEY),
  },
  { name: /\.(?:p12|pfx|jks)$|(?<!debug)\.keystore$/, title: "Key store is committed", severity: "must-fix" },
  {
    name: /(?:^|\/)node_modules\/.+\/package\.json$/,
    title: "Installed packages are committed",
    severity: "medium",
  },
  {
    name: /(?:^|\/)(?:__pycache__\/[^/]+|[^/]+\.py[co])$/,
    title: "Compiled Python files are committed",
    severity: "minor",
  },
  {
    name: /(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/,
    title: "Folder settings of a desktop are committed",
    severity: "minor",
    anywhere: true,
  },
  { name: /\.(?:orig|rej)$/, title: "Left-over of a merge or patch is committed", severity: "minor" },
  {
    name: /(?:^|\/)\.[^/]+\.sw[op]$|(?:^|\/)(?:npm-debug|yarn-error)\.log(?:\.\d+)?$/,
    title: "Temporary file of a tool is committed",
    severity: "minor",
    anywhere: true,
  },
];

/** Kept apart so that no scanner takes the examples for keys. */
const KEY_NAME = "PRIVATE KEY";

export const committedArtefact: ChangeRule = {
  kind: "change",
  id: "committed-artefact",
  title: "File does not belong in the repository",
  severity: "minor",
  category: "maintainability",
  why: "Once merged it stays in the history and in every clone.",
  fix: "Remove it from the change and add its name to `.gitignore`; a secret in it must be revoked as well.",
  *check(view) {
    const categories = new Map(view.files.map(({ path, category }) => [path, category]));
    for (const artefact of ARTEFACTS) {
      const found = view.change.files.filter((file) => isNew(file) && isArtefact(file, artefact, categories));
      const [first] = found;
      if (first === undefined) continue;
      const more =
        found.length === 1
          ? ""
          : ` ${found.length - 1} more of this kind ${found.length === 2 ? "is" : "are"} in the change.`;
      yield {
        path: first.path,
        line: 0,
        title: artefact.title,
        severity: artefact.severity,
        ...(artefact.severity === "minor" || artefact.severity === "medium"
          ? {}
          : { category: "security" as const }),
        ...(more === "" ? {} : { detail: more.trim() }),
      };
    }
  },
  examples: {
    bad: [
      bad(".env", 0, `PORT=3000\nDB_PASSWORD=kR7vT2mQ9x\n`),
      bad("web/.env.local", 0, "VITE_URL=http://localhost\n"),
      bad("deploy/id_ed25519", 0, "key\n"),
      bad("certs/server.pem", 0, `-----BEGIN ${KEY_NAME}-----\nabc\n`),
      bad("node_modules/left-pad/package.json", 0, "{}\n"),
      bad("app/__pycache__/main.cpython-313.pyc", 0, "x\n"),
      bad("docs/.DS_Store", 0, "x\n"),
      bad("src/main.c.orig", 0, "int main;\n"),
    ],
    good: [
      good(".env.example", "DB_PASSWORD=kR7vT2mQ9x\n"),
      good(".env", "PORT=3000\nDB_PASSWORD=\nAPI_TOKEN=${TOKEN}\nNEXT_PUBLIC_URL=/\n"),
      good("certs/ca.pem", "-----BEGIN CERTIFICATE-----\nabc\n"),
      good("test/fixtures/server.key", `-----BEGIN ${KEY_NAME}-----\nabc\n`),
      good(".npmrc", "//registry.example.org/:_authToken=${NPM_TOKEN}\nsave-exact=true\n"),
      good("android/app/debug.keystore", "x\n"),
      { files: [{ path: "src/a.orig", before: "a\n", after: "b\n" }] },
      { files: [{ path: "deploy/id_rsa", before: "a\n", after: null }] },
    ],
  },
};

function isNew(file: ChangedFile): boolean {
  return file.status === "added" || file.status === "copied";
}

function isArtefact(
  file: ChangedFile,
  { name, isOne, anywhere }: Artefact,
  categories: ReadonlyMap<string, string>,
): boolean {
  if (!name.test(file.path) || (isOne !== undefined && !isOne(file))) return false;
  if (anywhere === true) return true;
  const category = categories.get(file.path);
  return category !== "test" && !isSample(file.path.replace(/\.(?:dev|development)$/, ""));
}

function hasLine(file: ChangedFile, pattern: RegExp): boolean {
  for (const { text } of addedLines(file)) if (pattern.test(text)) return true;
  return false;
}

function hasSecretSetting(file: ChangedFile): boolean {
  for (const { text } of addedLines(file)) {
    const value = ENV_SECRET.exec(text)?.[1];
    if (value !== undefined && isPassword(value)) return true;
  }
  return false;
}
