/**
 * Compares every translation at the head of public repositories with its source, as if it were new. A person reads each finding and says
 * whether it's right.
 *
 *     node bench/translations.ts [--kept FILE] [--tuning] GIT_DIRECTORY…
 *       --kept FILE  bench/judged-translations.json: keeps what was found there, with the verdicts that are known; a person adds the others,
 *                    "true" or "false", and "because" the reason in one line
 *       --tuning     the rule is tuned on these repositories, so their figures stay apart for good
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Severity } from "../src/base/severity.ts";
import { translationName, translationsOf } from "../src/base/translation-paths.ts";
import { addedFile } from "../src/review/change/added-file.ts";
import { localePlaceholder } from "../src/rules/checks/locale-placeholder.ts";
import { localeScript } from "../src/rules/checks/locale-script.ts";
import type { ChangeRule, FileView } from "../src/rules/rule.ts";
import { viewFile } from "../src/rules/view-file.ts";
import { gitIn, repositoryName } from "./support/found.ts";
import { readKept, renderKept, withVerdicts } from "./support/judged-run.ts";
import { publicRepositories } from "./support/public-changes.ts";

/** A larger file isn't read in reviews. */
const MAX_FILE_CHARS = 512 * 1024;

const RULES: readonly ChangeRule[] = [localePlaceholder, localeScript];

type Found = {
  readonly repository: string;
  readonly commit: string;
  readonly path: string;
  readonly line: number;
  readonly rule: string;
  readonly severity: Severity;
};

type Judged = {
  readonly repositories: Readonly<Record<string, { readonly isTuning: boolean; readonly files: number }>>;
  readonly findings: ReturnType<typeof withVerdicts<"true" | "false">>;
};

/** The bench: figures only. */
export async function translations(): Promise<void> {
  for (const folder of publicRepositories() ?? []) compareTranslations(folder);
}

function compareTranslations(folder: string): { readonly found: readonly Found[]; readonly files: number } {
  const git = gitIn(folder);
  const commit = git("rev-parse", "HEAD").trim();
  const all = git("ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0");
  const groups = new Set(all.flatMap((path) => translationName(path)?.group ?? []));
  const paths = new Set([...groups].flatMap((group) => [...translationsOf(group, all).keys()]));
  const texts = new Map<string, string>();
  const views: FileView[] = [];
  for (const path of paths) {
    const text = git("show", `HEAD:${path}`);
    if (text.length > MAX_FILE_CHARS || /(?:^|\/)(?:tests?|spec|fixtures)\//.test(path)) continue;
    texts.set(path, text);
    const file = addedFile(path, "100644", Buffer.from(text).toString("latin1"));
    if (translationName(path) !== null)
      views.push(viewFile(file, { language: "unknown", category: "source" }));
  }
  const change = { kind: "diff", description: "", title: "", body: "", base: null, head: null } as const;
  const view = {
    change: { ...change, commits: [], files: views.map(({ file }) => file), notes: [] },
    files: views,
    repositoryPaths: null,
    translations: texts,
  };
  const repository = repositoryName(folder);
  const found = RULES.flatMap((rule) =>
    Array.from(rule.check(view), ({ path, line }): Found => ({
      repository,
      commit,
      path,
      line,
      rule: rule.id,
      severity: rule.severity,
    })),
  );
  console.log(`  ${repository}: ${views.length} files, ${found.length} findings`);
  return { found, files: views.length };
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { kept: { type: "string" }, tuning: { type: "boolean", default: false } },
  });
  const kept: Judged =
    values.kept === undefined
      ? { repositories: {}, findings: [] }
      : readKept<Judged>(values.kept, { repositories: {}, findings: [] });
  let { repositories, findings } = kept;
  for (const folder of positionals) {
    const name = repositoryName(folder);
    const { found, files } = compareTranslations(folder);
    const isTuning = values.tuning || repositories[name]?.isTuning === true;
    repositories = { ...repositories, [name]: { isTuning, files } };
    const others = findings.filter(({ repository }) => repository !== name);
    const own = findings.filter(({ repository }) => repository === name);
    findings = [...others, ...withVerdicts(own, found)];
  }
  if (values.kept !== undefined) writeFileSync(values.kept, renderKept({ repositories, findings }));
}
