/**
 * Checks against GitHub's published description: finds the operation of a request, and lists what is wrong with a request or response.
 * Doesn't depend on the fake's state.
 */
import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import { isObject, type JsonObject } from "./json.ts";

type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: JsonObject;
};

export type Operation = {
  /** GitHub's name, such as `pulls/create-review`. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly pattern: RegExp;
  readonly definition: JsonObject;
};

export type RequestParts = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Undefined if there was none. */
  readonly body: unknown;
};

/** A request that matches the description, with typed parameters. */
export type CheckedRequest = {
  readonly params: JsonObject;
  readonly query: JsonObject;
  readonly problems: readonly string[];
};

/** Statuses that GitHub documents for the API as a whole rather than for each operation. */
const GENERAL_STATUSES: ReadonlySet<number> = new Set([301, 401, 403, 404, 422, 429]);

const DOCUMENT = "github";

// scripts/extract-github-description.ts writes the file.
const description = JSON.parse(
  readFileSync(new URL("github-description.json", import.meta.url), "utf8"),
) as JsonObject;

// Formats aren't checked, because the fake's addresses are http on a loopback port. Strict mode is off, because OpenAPI isn't quite JSON Schema.
const OPTIONS = {
  strict: false,
  validateFormats: false,
  allErrors: true,
  validateSchema: false,
  // Every process of tests compiles validators, and checks few answers with each.
  code: { optimize: false },
  inlineRefs: false,
} as const;
const ajv = new Ajv(OPTIONS).addSchema(description, DOCUMENT);
const coercingAjv = new Ajv({ ...OPTIONS, coerceTypes: true }).addSchema(description, DOCUMENT);
const validators = new Map<string, ValidateFunction>();

function validatorOf(key: string, schema: () => JsonObject, engine = ajv): ValidateFunction {
  const known = validators.get(key);
  if (known !== undefined) return known;
  const made = engine.compile(schema());
  validators.set(key, made);
  return made;
}

function pointer(...steps: readonly string[]): string {
  return `${DOCUMENT}#/${steps.map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;
}

function resolve(value: unknown): JsonObject {
  if (!isObject(value)) return {};
  if (typeof value["$ref"] !== "string") return value;
  let target: unknown = description;
  for (const step of value["$ref"].replace(/^.*#\//, "").split("/"))
    target = isObject(target) ? target[step] : undefined;
  return resolve(target);
}

function parametersOf(operation: Operation): readonly Parameter[] {
  const listed = operation.definition["parameters"];
  // Every entry of the description's parameter lists has this shape.
  return (Array.isArray(listed) ? listed : []).map((each) => resolve(each) as unknown as Parameter);
}

/** At the end of an address, these can contain slashes. */
const MULTI_SEGMENT: ReadonlySet<string> = new Set(["path", "ref", "branch"]);

function patternOf(path: string): RegExp {
  const source = path
    .replaceAll(/[.]/g, "\\$&")
    .replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      MULTI_SEGMENT.has(name) && path.endsWith(`{${name}}`) ? `(?<${name}>.+)` : `(?<${name}>[^/]+)`,
    );
  return new RegExp(`^${source}$`);
}

const operations: readonly Operation[] = Object.entries(description["paths"] ?? {})
  .flatMap(([path, methods]) =>
    Object.entries(resolve(methods)).map(([method, definition]): Operation => ({
      id: String(resolve(definition)["operationId"]),
      method: method.toUpperCase(),
      path,
      pattern: patternOf(path),
      definition: resolve(definition),
    })),
  )
  // More literal paths come first.
  .toSorted((a, b) => a.path.split("{").length - b.path.split("{").length);

export function operationIds(): readonly string[] {
  return operations.map(({ id }) => id);
}

export function matchOperation(
  method: string,
  path: string,
): { readonly operation: Operation; readonly params: Readonly<Record<string, string>> } | null {
  for (const operation of operations) {
    const match = operation.method === method ? operation.pattern.exec(path) : null;
    if (match === null) continue;
    const groups = Object.entries(match.groups ?? {});
    return {
      operation,
      params: Object.fromEntries(groups.map(([name, value]) => [name, decodeURIComponent(value)])),
    };
  }
  return null;
}

function errorsOf(validate: ValidateFunction, where: string): readonly string[] {
  return (validate.errors ?? []).map((error) => {
    const detail =
      error.keyword === "additionalProperties" ? ` "${String(error.params["additionalProperty"])}"` : "";
    return `${where}${error.instancePath} ${error.message ?? error.keyword}${detail}`;
  });
}

function checkParameters(
  operation: Operation,
  place: "path" | "query",
  values: Readonly<Record<string, string>>,
): { readonly values: JsonObject; readonly problems: readonly string[] } {
  const validate = validatorOf(
    `${operation.id} ${place}`,
    () => {
      const parameters = parametersOf(operation).filter((each) => each.in === place);
      return {
        type: "object",
        properties: Object.fromEntries(parameters.map((each) => [each.name, each.schema])),
        required: parameters.filter((each) => each.required === true).map((each) => each.name),
        additionalProperties: false,
      };
    },
    coercingAjv,
  );
  const coerced = { ...values };
  const isValid = validate(coerced);
  return { values: coerced, problems: isValid ? [] : errorsOf(validate, place) };
}

/** Properties that aren't in the description. GitHub ignores them, so only a fake can detect these mistakes. */
function unknownProperties(value: unknown, schemaOrReference: unknown, where: string): readonly string[] {
  const schema = resolve(schemaOrReference);
  if (Array.isArray(value))
    return value.flatMap((item, index) => unknownProperties(item, schema["items"], `${where}/${index}`));
  const known = schema["properties"];
  if (!isObject(value) || !isObject(known)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    Object.hasOwn(known, key)
      ? unknownProperties(item, known[key], `${where}/${key}`)
      : [`${where} has an unknown property "${key}"`],
  );
}

function bodyProblems(operation: Operation, body: unknown): readonly string[] {
  const described = resolve(operation.definition["requestBody"]);
  const schema = resolve(resolve(described["content"])["application/json"])["schema"];
  if (body === undefined)
    return schema !== undefined && described["required"] === true ? ["body is missing"] : [];
  if (schema === undefined)
    return isObject(body) && Object.keys(body).length === 0 ? [] : ["body is not described"];
  const validate = validatorOf(`${operation.id} body`, () => ({
    $ref: pointer(
      "paths",
      operation.path,
      operation.method.toLowerCase(),
      "requestBody",
      "content",
      "application/json",
      "schema",
    ),
  }));
  return [...(validate(body) ? [] : errorsOf(validate, "body")), ...unknownProperties(body, schema, "body")];
}

export function checkRequest(operation: Operation, request: RequestParts): CheckedRequest {
  const params = checkParameters(operation, "path", request.params);
  const query = checkParameters(operation, "query", request.query);
  return {
    params: params.values,
    query: query.values,
    problems: [...params.problems, ...query.problems, ...bodyProblems(operation, request.body)],
  };
}

/** An undefined body means that the response has none. */
export function responseProblems(operation: Operation, status: number, body: unknown): readonly string[] {
  const responses = resolve(operation.definition["responses"]);
  const listed = responses[String(status)];
  if (listed === undefined && !GENERAL_STATUSES.has(status)) return [`status ${status} is not described`];
  const content = resolve(resolve(listed)["content"]);
  if (listed !== undefined && content["application/json"] === undefined)
    return body === undefined ? [] : [`a body is not described for status ${status}`];
  if (body === undefined) return [`the body is missing for status ${status}`];
  const validate = validatorOf(`${operation.id} ${status}`, () => ({
    $ref:
      listed === undefined
        ? pointer("components", "schemas", "basic-error")
        : responsePointer(operation, status),
  }));
  return validate(body) ? [] : errorsOf(validate, `answer ${status}`);
}

function responsePointer(operation: Operation, status: number): string {
  const responses = resolve(operation.definition["responses"]);
  const listed = responses[String(status)];
  const shared =
    isObject(listed) && typeof listed["$ref"] === "string" ? listed["$ref"].slice(2).split("/") : null;
  const steps = shared ?? [
    "paths",
    operation.path,
    operation.method.toLowerCase(),
    "responses",
    String(status),
  ];
  return pointer(...steps, "content", "application/json", "schema");
}
