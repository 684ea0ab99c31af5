/** Versions that a project forces on the packages of others: overrides, resolutions and catalogs. */
import type { Listed } from "../ecosystem.ts";
import { listPackage } from "../formats/list-package.ts";
import { readSpec } from "./npm-spec.ts";

/** An entry of `overrides`, `resolutions` or `pnpm.overrides`. `selector` names the package, after those that need it. */
export function listOverride(
  selector: string,
  spec: string,
  place: { readonly key: string; readonly line: number },
): Listed {
  const { name, ...facts } = readSpec(overriddenName(selector), spec);
  return listPackage(name, { ...facts, ...place, isIndirect: true });
}

/** The last name of "a>b@2", "a@>=1>b", "a/@scope/b" or "b@npm:^1". */
export function overriddenName(selector: string): string {
  // After a space or an @, the sign is part of a range.
  const [last = ""] = selector
    .split(/(?<=[^ |@])>(?!=)/)
    .slice(-1)
    .map((part) => part.trim());
  return /(?:^|\/)((?:@[^/@]+\/)?[^/@]+)(?:@.*)?$/s.exec(last)?.[1] ?? last;
}

/** An entry of a catalog, which manifests refer to as "catalog:" or "catalog:name". */
export function listInCatalog(
  name: string,
  spec: string,
  place: { readonly key: string; readonly line: number },
): Listed {
  const { name: target, ...facts } = readSpec(name, spec);
  return listPackage(target, { ...facts, ...place });
}
