/** The words for what a new version takes away, and what of it concerns this repository. */
import { count } from "../base/count.ts";
import type { Ability, ApiFact } from "../languages/api/api-difference.ts";
import type { ReportedPackage } from "./dependency-report.ts";
import type { PackageChange } from "./package-change.ts";

const MAX_NAMES = 8;

const nounsOf = ({ ecosystem }: PackageChange): readonly [one: string, more: string] =>
  ecosystem === "github-actions" ? ["input or output", "inputs and outputs"] : ["export", "exports"];

/** "major, but none of the 3 removed exports is used here". */
export function describeConcerns({
  change,
  api,
  uses,
  concerns,
  changelog,
}: ReportedPackage): readonly string[] {
  if (concerns?.length !== 0 || api.kind !== "found" || uses === null) return [];
  const step = change.kind === "major" ? "major" : "minor below 1.0";
  if (uses.verdict === "not-imported")
    return [
      `${step}, but no file imports it, and nothing that its release notes take away is in this repository`,
    ];
  const gone = api.value.changes.length;
  const [what, whats] = nounsOf(change);
  const notes =
    changelog.kind === "found" ? ", and its release notes take away nothing that is used here" : "";
  if (gone === 0) return [`${step}, but no ${what} is removed or changed${notes}`];
  return gone === 1
    ? [`${step}, but the removed or changed ${what} isn't used here`]
    : [`${step}, but none of the ${gone} removed or changed ${whats} is used here`];
}

/** "removes 3 exports (foo, bar, Baz.qux) and changes 2 (a, b)". */
export function describeApi({ change, api }: ReportedPackage): readonly string[] {
  if (api.kind !== "found") return [];
  const { changes, facts, omittedCount } = api.value;
  const [what, whats] = nounsOf(change);
  const declared = change.ecosystem === "github-actions" ? "input" : "declaration";
  const named = (list: readonly { readonly name: string }[], extra: number): string => {
    const shown = list.slice(0, MAX_NAMES).map(({ name }) => name);
    const isCut = list.length + extra > shown.length;
    return `${shown.join(", ")}${isCut ? ", …" : ""}`;
  };
  const gone = changes.filter(({ change }) => change.kind !== "changed");
  const values = gone.filter(({ kind }) => kind === "value");
  const types = gone.filter(({ kind }) => kind === "type");
  const changed = changes.filter(({ change }) => change.kind === "changed");
  return [
    ...(values.length === 0
      ? []
      : [`removes or renames ${count(values.length, what, whats)}: ${named(values, omittedCount)}`]),
    ...(types.length === 0
      ? []
      : [`removes or renames ${count(types.length, "type")} only: ${named(types, 0)}`]),
    ...(changed.length === 0
      ? []
      : [`changes ${count(changed.length, declared)}: ${named(changed, omittedCount)}`]),
    ...describeFacts(facts),
  ];
}

const ABILITY_WORDS: Readonly<Record<Ability, string>> = {
  network: "talks to a network",
  shell: "runs other programs",
  "dynamic-code": "runs text as code",
};

/** Files inside a package are importable by accident, so they are counted only. */
function describeFacts(facts: readonly ApiFact[]): readonly string[] {
  const entries = facts.flatMap((fact) => (fact.kind === "entry-removed" ? [fact] : []));
  const named = entries.filter(({ isFile }) => !isFile).map(({ entry }) => entry);
  const files = entries.length - named.length;
  return [
    ...(named.length === 0 ? [] : [`can't be imported anymore: ${cutList(named)}`]),
    ...(files === 0 ? [] : [`${count(files, "path")} inside the package can't be imported anymore`]),
    ...facts.flatMap((fact) => {
      if (fact.kind === "require-dropped") return [`${fact.entry} can't be loaded with require anymore`];
      if (fact.kind === "command-removed") return [`no longer installs the command ${fact.command}`];
      if (fact.kind === "peer-narrowed")
        return [`needs ${fact.peer} ${fact.to} next to it${fact.from === null ? "" : ` (was ${fact.from})`}`];
      if (fact.kind === "ability-gained") return [`now ${ABILITY_WORDS[fact.ability]}: ${fact.path}`];
      if (fact.kind !== "engine-raised") return [];
      return [`needs ${fact.engine} ${fact.to}${fact.from === null ? "" : ` (was ${fact.from})`}`];
    }),
  ];
}

const cutList = (names: readonly string[]): string =>
  `${names.slice(0, MAX_NAMES).join(", ")}${names.length > MAX_NAMES ? ", …" : ""}`;
