/** Shows what a reader of dependency files found, one line per package, so that tests can be tables. */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import type { DependencyFile, FileFormat, FileProblem, Listed } from "../../src/ecosystems/ecosystem.ts";

export function readWith(
  formats: readonly FileFormat[],
  path: string,
  text: string,
): DependencyFile | FileProblem {
  const format = formats.find((each) => each.path.test(path));
  assert.ok(format !== undefined, `no format is for ${path}`);
  return format.read(text, path);
}

/** `4: flask 2.0.1 (==2.0.1) dev git https://… # ref <integrity> [key]`, without the parts that are plain. */
export function showPackages(file: DependencyFile | FileProblem): readonly string[] | FileProblem {
  return typeof file === "string" ? file : file.listed.map(showPackage);
}

export function showPackage(entry: Listed): string {
  const { line, name, version, requirement, group, origin, integrity, key, isIndirect } = entry;
  return [
    line > 0 ? `${line}:` : "",
    name,
    version ?? "",
    requirement === null || requirement === version ? "" : `(${requirement})`,
    group === "runtime" ? "" : group,
    showOrigin(origin),
    integrity === null ? "" : `<${integrity}>`,
    key === "" ? "" : `[${key}]`,
    isIndirect === true ? "indirect" : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
}

function showOrigin(origin: Listed["origin"]): string {
  switch (origin.kind) {
    case "registry":
      return origin.url === null ? "" : `from ${origin.url}`;
    case "git":
      return `git ${origin.url} # ${origin.ref ?? ""}`;
    case "url":
      return `url ${origin.url}`;
    case "local":
      return `local ${origin.path}`;
  }
}

/** The names of what a package needs: `a → b, c`. "" stands for the project itself. */
export function showNeeds(file: DependencyFile | FileProblem): readonly string[] {
  assert.ok(typeof file !== "string" && file.needsOf !== null);
  const { listed, needsOf } = file;
  return [null, ...listed].flatMap((entry) => {
    const needs = needsOf(entry).map(({ name, version }) => `${name} ${version ?? ""}`.trim());
    return needs.length === 0 ? [] : [`${entry?.name ?? ""} → ${needs.join(", ")}`];
  });
}

/** Cuts and changes valid files. Every result must be read or refused with a reason. */
export function checkNeverThrows(
  formats: readonly FileFormat[],
  files: readonly (readonly [path: string, text: string])[],
): void {
  const change = fc.record({
    file: fc.constantFrom(...files),
    cut: fc.double({ min: 0, max: 1, noNaN: true }),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    inserted: fc.oneof(
      fc.constantFrom(
        "",
        "[",
        "]]",
        "{",
        '"',
        "'",
        '"""',
        "\\",
        "=",
        "\n",
        "\0",
        "<<<<<<< x\n",
        "((",
        "%w[",
        "__proto__ = 1\n",
      ),
      fc.string(),
    ),
  });
  fc.assert(
    fc.property(change, ({ file: [path, text], cut, at, inserted }) => {
      const kept = text.slice(0, Math.round(text.length * cut));
      const middle = Math.round(kept.length * at);
      const result = readWith(formats, path, kept.slice(0, middle) + inserted + kept.slice(middle));
      if (typeof result === "string") return;
      for (const entry of [null, ...result.listed]) result.needsOf?.(entry);
    }),
    { numRuns: 2000 },
  );
}
