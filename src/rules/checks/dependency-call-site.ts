/**
 * Reports code that uses a part of a dependency which the new version removes or changes: on its line where the change has it,
 * otherwise once where the version is requested.
 */
import { count } from "../../base/count.ts";
import { affectedPlaces, type ReportedPackage } from "../../ecosystems/dependency-report.ts";
import { describeUses } from "../../ecosystems/describe-dependencies.ts";
import type { PackagePlace } from "../../ecosystems/package-change.ts";
import { packageOr } from "../lines/package-name.ts";
import { type ChangeRule, nameOr } from "../rule.ts";

/** A package with affected call sites in files that the change doesn't touch. */
type Outside = {
  readonly name: string;
  readonly place: PackagePlace;
  readonly sites: number;
  readonly reported: ReportedPackage;
};

/** The others are in the list of dependencies. */
const MAX_EXPLAINED = 5;

export const dependencyCallSite: ChangeRule = {
  kind: "change",
  id: "dependency-call-site",
  title: "Changed API: code uses what the new version of a dependency removes",
  severity: "major",
  category: "dependencies",
  why: "With the new version this code fails when it is built, or when it runs.",
  fix: "Change the code to the new version's API in the same change, or keep the old version.",
  confidence: 0.85,
  *check({ dependencies, files }) {
    const added = new Map(
      files.map(({ path, added: lines }) => [path, new Set(lines.map(({ line }) => line))]),
    );
    const outside: Outside[] = [];
    for (const reported of dependencies?.packages ?? []) {
      const { change } = reported;
      const sites = affectedPlaces(reported);
      if (change.to === null || sites.length === 0) continue;
      const name = `${packageOr(change.name, "a dependency")} ${nameOr(change.to.version, "in its new version")}`;
      const here = sites.filter(({ path, line }) => added.get(path)?.has(line) === true);
      for (const { path, line, name: symbol } of here) {
        yield {
          path,
          line,
          title: `Changed API: ${nameOr(symbol, "an export")} is gone or different in ${name}`,
        };
      }
      const [place] = change.places;
      const elsewhere = sites.length - here.length;
      if (elsewhere > 0 && place !== undefined) outside.push({ name, place, sites: elsewhere, reported });
    }
    // Packages of a lockfile share a place, and a place has one finding.
    for (const group of Map.groupBy(outside, ({ place }) => `${place.path}\n${place.line}`).values()) {
      const [first, ...rest] = group;
      if (first === undefined) continue;
      const sites = group.reduce((sum, each) => sum + each.sites, 0);
      const verb = rest.length === 0 ? "breaks" : `and ${count(rest.length, "more package")} break`;
      yield {
        path: first.place.path,
        line: first.place.line,
        title: `Changed API: ${first.name} ${verb} ${count(sites, "call site")} outside this change`,
        detail: group
          .slice(0, MAX_EXPLAINED)
          .map(({ name, reported }) => `${name}: ${describeUses(reported) ?? ""}.`)
          .join(" "),
      };
    }
  },
};
