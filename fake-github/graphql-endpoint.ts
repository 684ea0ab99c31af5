/**
 * GitHub's GraphQL API: validates each query against GitHub's published schema and executes it on the fake's state. A query that the
 * schema doesn't allow, or a field that the fake doesn't serve, is a violation.
 */
import { readFileSync } from "node:fs";
import {
  buildSchema,
  type DocumentNode,
  execute,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  Kind,
  OperationTypeNode,
  parse,
  validate,
} from "graphql";
import { identify } from "./authentication.ts";
import { describeIdentity } from "./call-log.ts";
import { answerOfFault } from "./fault-answers.ts";
import type { Fault } from "./faults.ts";
import { graphqlRoot, isGraphqlRefusal } from "./graphql-root.ts";
import { isObject, type JsonObject } from "./json.ts";
import { type Answer, isRefusal, refusal } from "./refusal.ts";
import { answerExchange, type Exchange, readJson, type ServerParts } from "./server-parts.ts";

let loaded: GraphQLSchema | null = null;

/** Loaded on demand, because it takes a third of a second. The published schema is valid. */
function githubSchema(): GraphQLSchema {
  if (loaded !== null) return loaded;
  // The package itself would load the schema twice more, as JSON.
  const schemaFile = new URL("schema.graphql", import.meta.resolve("@octokit/graphql-schema"));
  const text = readFileSync(schemaFile, "utf8");
  loaded = buildSchema(text, { assumeValid: true, assumeValidSDL: true, noLocation: true });
  return loaded;
}

type GraphqlRequest = {
  readonly document: DocumentNode | null;
  readonly variables: JsonObject;
  /** `graphql/query`, or `graphql/` with the name of the mutation. */
  readonly operation: string;
};

function parseRequest(body: unknown): GraphqlRequest {
  const { query, variables } = isObject(body) ? body : {};
  const values = isObject(variables) ? variables : {};
  try {
    const document = parse(typeof query === "string" ? query : "");
    const operation = document.definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION);
    const [field] = operation?.selectionSet.selections ?? [];
    const isMutation = operation?.operation === OperationTypeNode.MUTATION;
    const name = isMutation && field?.kind === Kind.FIELD ? field.name.value : "query";
    return { document, variables: values, operation: `graphql/${name}` };
  } catch {
    return { document: null, variables: values, operation: "unknown" };
  }
}

/** Unlike the default resolver, it refuses a field that the fake doesn't have, instead of answering null. */
const resolveField: GraphQLFieldResolver<unknown, unknown> = (source, args, context, info) => {
  const value = isObject(source) ? source[info.fieldName] : undefined;
  if (value === undefined)
    throw new Error(`the fake doesn't serve ${info.parentType.name}.${info.fieldName}`);
  return typeof value === "function" ? value(args, context, info) : value;
};

/** GitHub's errors have a type, which the language doesn't define. */
function presentError(error: GraphQLError): JsonObject {
  const { originalError: cause } = error;
  const type = isGraphqlRefusal(cause) ? { type: cause.type } : {};
  return { ...type, path: error.path, locations: error.locations, message: error.message };
}

function answerOfResult({ data, errors }: ExecutionResult): Answer {
  const presented = errors === undefined ? {} : { errors: errors.map(presentError) };
  return { status: 200, body: { data: data ?? null, ...presented } };
}

async function handle(
  parts: ServerParts,
  { document, variables }: GraphqlRequest,
  call: Parameters<typeof graphqlRoot>[0],
): Promise<Answer> {
  const schema = githubSchema();
  const invalid = document === null ? [{ message: "the query can't be parsed" }] : validate(schema, document);
  if (document === null || invalid.length > 0) {
    parts.violations.push(...invalid.map(({ message }) => `graphql: ${message}`));
    return { status: 200, body: { errors: invalid.map(({ message }) => ({ message })) } };
  }
  const result = await execute({
    schema,
    document,
    variableValues: variables,
    rootValue: graphqlRoot(call),
    fieldResolver: resolveField,
  });
  const unexpected = (result.errors ?? []).filter(({ originalError }) => !isGraphqlRefusal(originalError));
  parts.violations.push(...unexpected.map(({ message }) => `graphql: ${message}`));
  return answerOfResult(result);
}

/** GitHub reports these two with the status of a success. */
function answerOfGraphqlFault(fault: Fault | null, nowMs: number): Answer | null {
  if (fault?.kind === "primary-limit") {
    return {
      status: 200,
      body: { errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded for installation ID 1." }] },
      headers: {
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": String(Math.ceil(nowMs / 1000) + fault.resetInSeconds),
      },
    };
  }
  if (fault?.kind !== "invalid") return null;
  return { status: 200, body: { data: null, errors: [{ type: "UNPROCESSABLE", message: fault.sentence }] } };
}

export async function serveGraphql(parts: ServerParts, exchange: Exchange, path: string): Promise<void> {
  const { world } = parts;
  const body = await readJson(exchange);
  const request = parseRequest(body);
  const method = exchange.incoming.method ?? "GET";
  await answerExchange(
    parts,
    exchange,
    { operation: request.operation, method, path, search: "", body },
    async (logged, fault) => {
      const nowMs = world.clock.now();
      const failure = answerOfGraphqlFault(fault, nowMs) ?? answerOfFault(fault, nowMs);
      if (failure !== null) return failure;
      try {
        const identity = identify(world, exchange.incoming.headers.authorization);
        logged.identity = describeIdentity(identity);
        if (identity.kind === "anonymous" || identity.kind === "app")
          throw refusal(401, "This endpoint requires you to be authenticated.");
        if (identity.kind === "installation") identity.token.used++;
        const lagMs = fault?.kind === "lag" ? fault.ms : world.listLagMs;
        const answer = await handle(parts, request, { identity, world, lagMs });
        return fault?.kind === "alter" ? { ...answer, body: fault.body(answer.body) } : answer;
      } catch (error) {
        if (isRefusal(error)) return error.answer;
        throw error;
      }
    },
  );
}
