/** Reports new files that don't belong in a repository, by file name. One finding per kind and change. */
import { count } from "../../base/count.ts";
import type { Severity } from "../../base/severity.ts";
import type { ChangedFile } from "../../review/change/change.ts";
import { addedLines } from "../../review/change/walk-hunks.ts";
import { isSample } from "../../base/path-kinds.ts";
import type { ChangeRule } from "../rule.ts";
import { isPassword } from "../../base/secrets/secret-values.ts";

type Artefact = {
  readonly name: RegExp;
  readonly title: string;
  readonly severity: Severity;
  /** Checked when the name matches. Omitted: the name is enough. */
  readonly isOne?: (file: ChangedFile) => boolean;
  /** True: also reported in tests, fixtures and examples. */
  readonly anywhere?: boolean;
};

const ENV_SECRET =
  /^\s*(?:export\s+)?\w{0,60}(?:PASSWORD|PASSWD|SECRET|TOKEN|PRIVATE_KEY|API_?KEY|ACCESS_KEY)\w{0,10}\s*=\s*["']?([^\s"'#$<{]{8,200})/i;
const PRIVATE_KEY = /-----BEGIN (?:\w+ ){0,2}PRIVATE KEY-----/;

const ARTEFACTS: readonly Artefact[] = [
  {
    name: /(?:^|\/)\.env(?:\.(?:local|production|prod|staging|development|dev))?$/,
    title: "Environment file with secrets committed",
    severity: "must-fix",
    isOne: hasSecretSetting,
  },
  {
    name: /(?:^|\/)\.env(?:\.[\w-]+)?\.local$/,
    title: "Local environment file committed",
    severity: "medium",
  },
  {
    name: /(?:^|\/)id_(?:rsa|dsa|ecdsa|ed25519)$|\.ppk$/,
    title: "Private key committed",
    severity: "critical",
  },
  {
    name: /\.(?:pem|key)$/,
    title: "Private key committed",
    severity: "critical",
    isOne: (file) => hasLine(file, PRIVATE_KEY),
  },
  { name: /\.(?:p12|pfx|jks)$|(?<!debug)\.keystore$/, title: "Keystore committed", severity: "must-fix" },
  {
    name: /(?:^|\/)node_modules\/.+\/package\.json$/,
    title: "Installed dependencies committed (`node_modules`)",
    severity: "medium",
  },
  {
    name: /(?:^|\/)(?:__pycache__\/[^/]+|[^/]+\.py[co])$/,
    title: "Compiled Python files committed",
    severity: "minor",
  },
  {
    name: /(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/,
    title: "Operating system metadata file committed",
    severity: "minor",
    anywhere: true,
  },
  { name: /\.(?:orig|rej)$/, title: "Merge or patch leftover committed", severity: "minor" },
  {
    name: /(?:^|\/)\.[^/]+\.sw[op]$|(?:^|\/)(?:npm-debug|yarn-error)\.log(?:\.\d+)?$/,
    title: "Editor swap file or debug log committed",
    severity: "minor",
    anywhere: true,
  },
];

export const committedArtefact: ChangeRule = {
  kind: "change",
  id: "committed-artefact",
  title: "File should not be committed",
  severity: "minor",
  category: "maintainability",
  why: "Once merged, the file stays in the history and in every clone.",
  fix: "Remove the file from this change and add it to `.gitignore`. If it contains a secret, revoke that too.",
  *check(view) {
    const categories = new Map(view.files.map(({ path, category }) => [path, category]));
    for (const artefact of ARTEFACTS) {
      const found = view.change.files.filter((file) => isNew(file) && isArtefact(file, artefact, categories));
      const [first] = found;
      if (first === undefined) continue;
      const more = found.length - 1;
      yield {
        path: first.path,
        line: 0,
        title: artefact.title,
        severity: artefact.severity,
        ...(artefact.severity === "minor" || artefact.severity === "medium"
          ? {}
          : { category: "security" as const }),
        ...(more === 0 ? {} : { detail: `The change adds ${count(more, "more file")} of this kind.` }),
      };
    }
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
