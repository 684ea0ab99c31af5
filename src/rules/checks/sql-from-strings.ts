/** SQL built from text: critical with outside input in it, major with a value that the caller passes. */
import { checkFlows, flowTrigger } from "../flow/flow-rule.ts";
import { FLOW_LANGUAGES } from "../flow/languages/all-languages.ts";
import type { SqlPlace } from "../flow/sql-place.ts";
import { RANK } from "../flow/value.ts";
import type { TreeRule } from "../rule.ts";

const PLACES: Readonly<Record<SqlPlace, string>> = {
  quoted: "the SQL query",
  value: "the SQL query",
  list: "IN (…)",
  order: "ORDER BY",
  limit: "LIMIT",
  table: "a table name",
  other: "the SQL query",
};

export const sqlFromStrings: TreeRule = {
  kind: "tree",
  id: "sql-from-strings",
  title: "Possible SQL injection: a value is interpolated into the query",
  severity: "critical",
  proof: "trace",
  category: "security",
  why: "Anyone who controls the value can change the statement and run their own SQL. Even a harmless quote breaks the query.",
  fix: "Pass the value as a bound parameter (`?`, `$1`, `:name`, or `%s` with a separate argument). For a column or direction, use a list of allowed names.",

  languages: FLOW_LANGUAGES,
  trigger: flowTrigger(
    /\b(?:select|insert|update|delete|replace|where|values|like|order\s+by|raw|literal|extra)\b|Raw\(/i,
  ),
  check: checkFlows({
    kind: "sql",
    outside: "critical",
    title: (name, { hole, place }) =>
      hole.rank === RANK.outside
        ? `SQL injection: ${name} reaches ${PLACES[place ?? "other"]}`
        : `Possible SQL injection: ${name} is interpolated into the query`,
    // A migration runs once, on values from its author or from the same database.
    isWanted: ({ hole }, file) => hole.rank === RANK.outside || !/migrat/i.test(file.path),
  }),
};
