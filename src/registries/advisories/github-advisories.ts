/** Advisories from GitHub's API, for what another source couldn't answer. */
import type { Advisory, AdvisorySeverity, Lookup, PackageId } from "../../ecosystems/lookups.ts";
import { ecosystemOf } from "../../ecosystems/all-ecosystems.ts";
import { failedLookup, type Downloads } from "../downloads.ts";
import { GITHUB_API } from "../github-access.ts";
import { itemsAt, textAt } from "../json-fields.ts";
import { fullVersion } from "../../ecosystems/versions/version-prefix.ts";
import { type AdvisoryReader, answered, type WantedVersion } from "./advisory-query.ts";

const PER_PAGE = 100;
/** An answer with all of a page may be cut, so fewer packages are asked for at a time. */
const MAX_PACKAGES_AT_ONCE = 20;
const MAX_BYTES = 4 * 1024 * 1024;

const SEVERITIES: ReadonlySet<string> = new Set<AdvisorySeverity>(["critical", "high", "medium", "low"]);

export function createGitHubAdvisories(downloads: Downloads): AdvisoryReader {
  return async (wanted, signal) => {
    const answers = new Map<WantedVersion, Lookup<readonly Advisory[]>>();
    for (const [ecosystem, own] of Map.groupBy(wanted, ({ id }) => id.ecosystem)) {
      const name = ecosystemOf(ecosystem).advisoryNames?.github;
      if (name === undefined) continue;
      for (let start = 0; start < own.length; start += MAX_PACKAGES_AT_ONCE) {
        const batch = own.slice(start, start + MAX_PACKAGES_AT_ONCE);
        for (const [each, answer] of await ask(batch, name, { downloads, signal })) answers.set(each, answer);
      }
    }
    return {
      source: { name: "github", newest: null },
      versions: wanted.map((each) => answered(each, answers.get(each) ?? failedLookup("unsupported"))),
    };
  };
}

type Asked = readonly (readonly [WantedVersion, Lookup<readonly Advisory[]>])[];

async function ask(
  batch: readonly WantedVersion[],
  ecosystem: string,
  access: { readonly downloads: Downloads; readonly signal: AbortSignal },
): Promise<Asked> {
  const affects = batch
    .map(({ id, version }) => encodeURIComponent(`${id.name}@${version.replace(/^v(?=\d)/, "")}`))
    .join(",");
  const url = `${GITHUB_API}/advisories?ecosystem=${ecosystem}&per_page=${PER_PAGE}&affects=${affects}`;
  const answer = await access.downloads.readJson(url, {
    signal: access.signal,
    accept: "application/vnd.github+json",
    maxBytes: MAX_BYTES,
  });
  const failure =
    answer.kind === "found" ? null : answer.kind === "failed" ? answer : failedLookup("malformed");
  if (failure !== null || answer.kind !== "found")
    return batch.map((each) => [each, failure ?? failedLookup("malformed")]);
  const listed = itemsAt(answer.value);
  if (listed.length < PER_PAGE)
    return batch.map((each) => [each, { kind: "found", value: matching(listed, each) }]);
  if (batch.length === 1) return batch.map((each) => [each, failedLookup("too-large")]);
  const half = Math.ceil(batch.length / 2);
  return [
    ...(await ask(batch.slice(0, half), ecosystem, access)),
    ...(await ask(batch.slice(half), ecosystem, access)),
  ];
}

/** The answer is about all versions of the query together. */
function matching(listed: readonly unknown[], { id, version }: WantedVersion): readonly Advisory[] {
  return listed.flatMap((entry): readonly Advisory[] => {
    const ghsa = textAt(entry, "ghsa_id");
    if (ghsa === null || textAt(entry, "withdrawn_at") !== null) return [];
    const own = itemsAt(entry, "vulnerabilities").filter((each) => isAbout(each, id));
    const hits = own.filter((each) => isInRange(textAt(each, "vulnerable_version_range") ?? "", id, version));
    if (hits.length === 0) return [];
    const severity = textAt(entry, "severity") ?? "";
    const cve = textAt(entry, "cve_id");
    return [
      {
        id: ghsa,
        aliases: cve === null ? [] : [cve],
        // Checked against the list of its values.
        severity: SEVERITIES.has(severity) ? (severity as AdvisorySeverity) : "unknown",
        summary: textAt(entry, "summary") ?? "",
        url: `https://github.com/advisories/${ghsa}`,
        fixedIn: hits.flatMap((each) => textAt(each, "first_patched_version") ?? []),
      },
    ];
  });
}

const isAbout = (vulnerability: unknown, { name }: PackageId): boolean =>
  textAt(vulnerability, "package", "name")?.toLowerCase() === name.toLowerCase();

/** ">= 1.0.0, < 1.2.3". A condition that can't be compared counts as true: GitHub has matched it already. */
function isInRange(range: string, { ecosystem }: PackageId, version: string): boolean {
  const { compare } = ecosystemOf(ecosystem).order;
  return range.split(",").every((part) => {
    const [, sign = "=", bound = ""] = /^\s*([<>]?=?)\s*(\S+)\s*$/.exec(part) ?? [];
    const order = compare(version, fullVersion(ecosystem, bound));
    if (order === null) return true;
    if (sign === "<") return order < 0;
    if (sign === "<=") return order <= 0;
    if (sign === ">") return order > 0;
    return sign === ">=" ? order >= 0 : order === 0;
  });
}
