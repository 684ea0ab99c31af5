/**
 * Gradle scripts: dependencies and plugins that are written as literals. A script is a program; whatever it computes is skipped,
 * never guessed.
 */
import type { DependencyGroup, FileFormat, Listed } from "../ecosystem.ts";
import { fileOf, listPackage, readWhole } from "../formats/list-package.ts";
import { resolveProperties, type Property } from "../formats/resolve-properties.ts";
import { groupStatements, type GradleStatement } from "./gradle-statements.ts";
import { tokenizeGradle, type GradleToken } from "./gradle-tokens.ts";
import { collectVariables, plainName } from "./gradle-variables.ts";
import { selectVersion } from "./gradle-version.ts";

/** group:artifact[:version][:classifier][@type] */
const COORDINATE =
  /^([A-Za-z_][\w.-]*):([\w.-]+)(?::((?:[^:@$]|\$\{[^}]*\}|\$(?!\{))*))?(?::[\w.-]+)?(?:@\w+)?$/;
const REFERENCE = /\$\{?([A-Za-z_][\w.]*)\}?/g;

export const gradleBuild: FileFormat = {
  name: "build.gradle",
  kind: "manifest",
  path: /\.gradle(?:\.kts)?$/,
  read: readWhole((text) => {
    const tokens = tokenizeGradle(text);
    const statements = tokens === null ? null : groupStatements(tokens);
    if (statements === null) return null;
    const variables = collectVariables(statements);
    return fileOf(statements.flatMap((statement) => readStatement(statement, variables)));
  }),
};

type Variables = ReadonlyMap<string, Property>;

function readStatement(statement: GradleStatement, variables: Variables): readonly Listed[] {
  const { blocks, tokens } = statement;
  if (blocks.at(-1) === "plugins") return readPlugin(tokens, variables);
  const isInside = blocks.includes("dependencies") || blocks.includes("imports");
  const mapped = isInside ? readMap(tokens, variables) : null;
  if (mapped !== null) return [mapped];
  const group = groupOf(tokens, blocks);
  return tokens.flatMap((token, at) => {
    if (token.kind !== "text") return [];
    const next = tokens[at + 1];
    // 'group:artifact:' + version
    const isJoined = token.value.endsWith(":") && next?.kind === "mark" && next.value === "+";
    const added = isJoined ? tokens[at + 2] : undefined;
    const value = added?.kind === "word" ? `${token.value}\${${added.value}}` : token.value;
    const listed = readCoordinate({ ...token, value }, variables, group);
    return listed === null || (!isInside && listed.version === null) ? [] : [listed];
  });
}

function readCoordinate(token: GradleToken, variables: Variables, group: DependencyGroup): Listed | null {
  const [, organization, artifact, version = ""] = COORDINATE.exec(token.value) ?? [];
  if (organization === undefined || artifact === undefined) return null;
  return listVersion(`${organization}:${artifact}`, { text: version, line: token.line, group }, variables);
}

function listVersion(
  name: string,
  { text, line, group }: { readonly text: string; readonly line: number; readonly group: DependencyGroup },
  variables: Variables,
): Listed {
  const resolved = resolveProperties(text, REFERENCE, (each) => variables.get(plainName(each)));
  return listPackage(name, {
    version: selectVersion(resolved.value),
    requirement: resolved.value === "" || resolved.value.includes("$") ? null : resolved.value,
    group,
    line: resolved.line ?? line,
    // Plugins needn't be in the lockfile of a project.
    isOutsideLock: group === "build",
  });
}

/** `group: "a", name: "b", version: "c"`, and with `=` in Kotlin. */
function readMap(tokens: readonly GradleToken[], variables: Variables): Listed | null {
  const fields = new Map<string, GradleToken>();
  for (const [at, token] of tokens.entries()) {
    const mark = tokens[at + 1];
    const value = tokens[at + 2];
    const isField =
      token.kind === "word" && mark?.kind === "mark" && (mark.value === ":" || mark.value === "=");
    if (isField && (value?.kind === "text" || value?.kind === "word")) fields.set(token.value, value);
  }
  const [organization, artifact, version] = ["group", "name", "version"].map((name) => fields.get(name));
  if (organization?.kind !== "text" || artifact?.kind !== "text" || isExclusion(tokens)) return null;
  return listVersion(
    `${organization.value}:${artifact.value}`,
    {
      text: version === undefined ? "" : version.kind === "text" ? version.value : `\${${version.value}}`,
      line: version?.line ?? organization.line,
      group: groupOf(tokens, ["dependencies"]),
    },
    variables,
  );
}

const isExclusion = (tokens: readonly GradleToken[]): boolean => tokens[0]?.value === "exclude";

/** `id "a.b" version "1.0"`, `id("a.b") version "1.0" apply false`, `kotlin("jvm") version "1.9"`. Its marker is the artifact. */
function readPlugin(tokens: readonly GradleToken[], variables: Variables): readonly Listed[] {
  const [kind] = tokens;
  const id = tokens.find((token) => token.kind === "text");
  const at = tokens.findIndex((token) => token.kind === "word" && token.value === "version");
  const version = tokens.slice(at + 1).find((token) => token.kind !== "mark");
  if (id === undefined || at === -1 || version === undefined || !/^(?:id|kotlin)$/.test(kind?.value ?? ""))
    return [];
  const name = kind?.value === "kotlin" ? `org.jetbrains.kotlin.${id.value}` : id.value;
  const text = version.kind === "text" ? version.value : `\${${version.value}}`;
  return [
    listVersion(`${name}:${name}.gradle.plugin`, { text, line: version.line, group: "build" }, variables),
  ];
}

function groupOf(tokens: readonly GradleToken[], blocks: readonly string[]): DependencyGroup {
  const configuration = tokens.find((token) => token.kind === "word")?.value ?? "";
  if (blocks.includes("buildscript")) return "build";
  if (/test|developmentonly/i.test(configuration) || blocks.some((block) => /test/i.test(block)))
    return "dev";
  return /^(?:classpath|annotationProcessor|kapt|ksp)/.test(configuration) ? "build" : "runtime";
}
