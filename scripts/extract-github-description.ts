/**
 * Extracts the operations that the fake GitHub serves, and the schemas they refer to, from GitHub's published description.
 *
 *     node scripts/with-node.js scripts/extract-github-description.ts PATH/@octokit/openapi/generated/api.github.com.json
 *
 * The package is far too large to depend on: install it elsewhere (`npm install --prefix DIRECTORY @octokit/openapi`),
 * pass the path of its file, and commit the result, fake-github/github-description.json.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";

const OUTPUT = join(import.meta.dirname, "../fake-github/github-description.json");

/** All operations of the fake. It answers any other operation with 404. */
const OPERATIONS: readonly string[] = [
  "apps/get-authenticated",
  "apps/list-installations",
  "apps/get-installation",
  "apps/create-installation-access-token",
  "apps/get-repo-installation",
  "apps/create-from-manifest",
  "apps/get-webhook-config-for-app",
  "apps/list-webhook-deliveries",
  "apps/get-webhook-delivery",
  "apps/redeliver-webhook-delivery",
  "apps/list-repos-accessible-to-installation",
  "apps/revoke-installation-access-token",
  "apps/list-installations-for-authenticated-user",
  "apps/list-installation-repos-for-authenticated-user",
  "repos/get",
  "repos/get-content",
  "repos/get-branch",
  "repos/get-collaborator-permission-level",
  "git/get-ref",
  "pulls/list",
  "pulls/create",
  "pulls/update",
  "pulls/get",
  "pulls/list-files",
  "pulls/list-reviews",
  "pulls/create-review",
  "pulls/get-review",
  "pulls/update-review",
  "pulls/delete-pending-review",
  "pulls/submit-review",
  "pulls/list-comments-for-review",
  "pulls/list-review-comments",
  "pulls/get-review-comment",
  "pulls/create-reply-for-review-comment",
  "issues/get",
  "issues/list-comments",
  "issues/create-comment",
  "issues/get-comment",
  "issues/update-comment",
  "issues/delete-comment",
  "reactions/create-for-issue",
  "reactions/list-for-issue",
  "reactions/create-for-issue-comment",
  "reactions/list-for-issue-comment",
  "reactions/create-for-pull-request-review-comment",
  "reactions/list-for-pull-request-review-comment",
  "reactions/delete-for-pull-request-comment",
  "checks/create",
  "checks/get",
  "checks/update",
  "checks/list-for-ref",
  "checks/list-annotations",
  "actions/download-job-logs-for-workflow-run",
  "search/issues-and-pull-requests",
  "users/get-by-username",
  "users/get-authenticated",
  "rate-limit/get",
];

/** Prose, samples and extensions, which validators ignore. */
const DROPPED_KEYWORDS: ReadonlySet<string> = new Set([
  "description",
  "summary",
  "example",
  "examples",
  "externalDocs",
  "title",
  "tags",
  "default",
  "deprecated",
  "x-github",
  "x-githubEnterpriseOverlays",
  "x-octokit",
  "x-multi-segment",
  "headers",
]);

/** The keys of these objects are names, not keywords. */
const MAPS_OF_NAMES: ReadonlySet<string> = new Set(["properties", "patternProperties", "definitions"]);

/**
 * Properties that GitHub sends as null although its description doesn't allow it: those of a pull request's head whose fork, or whose
 * owner, was deleted, and the place of a comment that is outdated.
 */
const NULL_IN_PRACTICE: readonly (readonly [schema: string, ...properties: readonly string[]])[] = [
  ["pull-request", "head", "repo"],
  ["pull-request", "head", "user"],
  ["pull-request", "head", "label"],
  ["pull-request-simple", "head", "repo"],
  ["pull-request-simple", "head", "user"],
  ["pull-request-simple", "head", "label"],
  ["review-comment", "line"],
  ["pull-request-review-comment", "line"],
  ["pull-request-review-comment", "position"],
];

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function strip(value: Json, isMapOfNames = false): Json {
  if (Array.isArray(value)) return value.map((item: Json) => strip(item));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => isMapOfNames || !DROPPED_KEYWORDS.has(key));
  const stripped = Object.fromEntries(
    kept.map(([key, item]) => [key, strip(item, !isMapOfNames && MAPS_OF_NAMES.has(key))]),
  );
  return isMapOfNames ? stripped : withNull(withAlternatives(stripped));
}

/** JSON Schema has no `nullable`: null becomes one more type, value or alternative. */
function withNull(schema: JsonObject): Json {
  const { nullable, ...rest } = schema;
  if (nullable !== true) return nullable === undefined ? schema : rest;
  if (typeof rest["type"] !== "string") return { anyOf: [rest, { type: "null" }] };
  const values = Array.isArray(rest["enum"]) ? { enum: [...rest["enum"], null] } : {};
  return { ...rest, type: [rest["type"], "null"], ...values };
}

/** Octokit merges "a user or an enterprise" into `allOf` for its types, but GitHub never sends an object that is both. */
function withAlternatives(schema: JsonObject): JsonObject {
  const { allOf, ...rest } = schema;
  if (
    !Array.isArray(allOf) ||
    allOf.length < 2 ||
    !allOf.every((item: Json) => isObject(item) && "required" in item)
  )
    return schema;
  return { ...rest, anyOf: allOf };
}

function referencesOf(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => referencesOf(item));
  if (!isObject(value)) return [];
  const own = typeof value["$ref"] === "string" ? [value["$ref"]] : [];
  return [...own, ...Object.values(value).flatMap((item) => referencesOf(item))];
}

function at(document: JsonObject, reference: string): Json {
  let value: Json | undefined = document;
  for (const step of reference.slice(2).split("/")) value = isObject(value) ? value[step] : undefined;
  if (value === undefined) throw new Error(`${reference} is not in the description`);
  return value;
}

function pickPaths(document: JsonObject): Record<string, Record<string, Json>> {
  const picked: Record<string, Record<string, Json>> = {};
  const missing = new Set(OPERATIONS);
  for (const [path, methods] of Object.entries(isObject(document["paths"]) ? document["paths"] : {})) {
    for (const [method, operation] of Object.entries(isObject(methods) ? methods : {})) {
      const id = isObject(operation) ? operation["operationId"] : undefined;
      if (typeof id !== "string" || !missing.delete(id)) continue;
      picked[path] = { ...picked[path], [method]: strip(operation) };
    }
  }
  if (missing.size > 0) throw new Error(`the description lacks these operations: ${[...missing].join(", ")}`);
  return picked;
}

function pickComponents(document: JsonObject, paths: Json): Record<string, Record<string, Json>> {
  const components: Record<string, Record<string, Json>> = {};
  const waiting = [...referencesOf(paths)];
  for (let reference = waiting.pop(); reference !== undefined; reference = waiting.pop()) {
    const [, , kind = "", name = ""] = reference.split("/");
    const ofKind = (components[kind] ??= {});
    if (ofKind[name] !== undefined) continue;
    const picked = strip(at(document, reference));
    ofKind[name] = picked;
    waiting.push(...referencesOf(picked));
  }
  return components;
}

/** Applies the corrections to the description. */
function correct(components: JsonObject): JsonObject {
  let corrected: JsonObject = components;
  for (const [schema, ...properties] of NULL_IN_PRACTICE) {
    const path = ["schemas", schema, ...properties.flatMap((property) => ["properties", property])];
    corrected = changeAt(corrected, path, (described) => ({ anyOf: [described, { type: "null" }] }));
  }
  return corrected;
}

function changeAt(value: JsonObject, path: readonly string[], change: (value: Json) => Json): JsonObject {
  const [step = "", ...rest] = path;
  const below = value[step];
  if (below === undefined) throw new Error(`there is no ${step} to correct`);
  if (rest.length === 0) return { ...value, [step]: change(below) };
  return { ...value, [step]: changeAt(isObject(below) ? below : {}, rest, change) };
}

function extract(path: string): string {
  // The file is JSON, and the code checks every step into it.
  const document = JSON.parse(readFileSync(path, "utf8")) as JsonObject;
  // The manifest of the package that the file belongs to.
  const manifest = JSON.parse(readFileSync(join(dirname(path), "../package.json"), "utf8")) as {
    name: string;
    version: string;
    license: string;
  };
  const paths = pickPaths(document);
  return JSON.stringify({
    source: `GitHub's REST API description, from ${manifest.name} ${manifest.version}, ${manifest.license} licence, copyright GitHub Inc.; cut by scripts/extract-github-description.ts`,
    paths,
    components: correct(pickComponents(document, paths)),
  });
}

const [path] = process.argv.slice(2);
if (path === undefined) {
  console.error("Usage: extract-github-description.ts PATH of api.github.com.json in @octokit/openapi");
  process.exitCode = 2;
} else {
  const text = extract(path);
  const oxfmt = join(import.meta.dirname, "../node_modules/.bin/oxfmt");
  // Formatted, so that a diff shows what a newer description changes.
  writeFileSync(OUTPUT, execFileSync(oxfmt, ["--stdin-filepath", OUTPUT], { input: text }));
  console.error(`wrote ${OUTPUT}, ${Math.round(text.length / 1000)} kB`);
}
