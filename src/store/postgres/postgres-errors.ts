/**
 * Says what a failure of PostgreSQL means to the person who runs the program; failures of our own SQL stay as they are.
 * Nothing here repeats the address, which may hold a password.
 */
import { KodiaiError } from "../../base/errors.ts";

/** Who asks for what, for the words of a message. */
export type PostgresPlace = {
  readonly host: string;
  readonly database: string;
  readonly user: string;
};

type Failure = {
  readonly what: string;
  readonly hint: (place: PostgresPlace, said: Said) => string;
  readonly isRetryable: boolean;
};

/** What the server said. */
type Said = { readonly message: string; readonly detail: string };

/** The server is gone, going, or not there yet: a moment later it may be back. */
const AWAY: Failure = {
  what: "does not answer",
  hint: ({ host }) => `Check that PostgreSQL runs on ${host} and may be reached from here.`,
  isRetryable: true,
};

const CANCELLED: Failure = {
  what: "gave up a statement of ours",
  hint: ({ user }) =>
    `Somebody cancelled it, or the role is given too little time: alter role "${user}" set statement_timeout = 0; alter role "${user}" set lock_timeout = 0;`,
  isRetryable: true,
};

const NOT_ADMITTED: Failure = {
  what: "does not let us in",
  hint: howToBeAdmitted,
  isRetryable: false,
};

/** By PostgreSQL's five-character codes, or their two-character classes. */
const FAILURES: ReadonlyMap<string, Failure> = new Map([
  ["08", AWAY],
  ["57P", AWAY],
  [
    "25P03",
    {
      what: "gave up a transaction that stood still for too long",
      hint: () => "This process was stopped or starved for some seconds; give it more of the machine.",
      isRetryable: true,
    },
  ],
  [
    "25006",
    {
      what: "is read-only",
      hint: ({ host, database, user }) =>
        `If ${host} is a standby, point DATABASE_URL to the primary server. Otherwise let the role write: alter role "${user}" in database "${database}" set default_transaction_read_only = off;`,
      isRetryable: true,
    },
  ],
  ["42501", { what: "refuses what Kodiai needs", hint: whatToGrant, isRetryable: false }],
  ["28", NOT_ADMITTED],
  [
    "3D000",
    {
      what: "does not exist",
      hint: ({ database, user }) => `Make it: create database "${database}" owner "${user}";`,
      isRetryable: false,
    },
  ],
  [
    "3F000",
    {
      what: "has no schema to make tables in",
      hint: ({ user }) => `Make one: create schema authorization "${user}"; or set search_path for the role.`,
      isRetryable: false,
    },
  ],
  [
    "53300",
    {
      what: "has no connection left",
      hint: howToConnectMore,
      isRetryable: true,
    },
  ],
  [
    "53",
    {
      what: "has run out of disk or memory",
      hint: () => "Free some on the database server; nothing that was acknowledged has been lost.",
      isRetryable: true,
    },
  ],
  ["57014", CANCELLED],
  ["55P03", CANCELLED],
  [
    "40",
    {
      what: "could not bring transactions of the same moment into an order",
      hint: () => "It is tried again by itself; report it if it does not end.",
      isRetryable: true,
    },
  ],
]);

/** The two do not agree about encryption, or about who the server is. */
const UNTRUSTED: Failure = {
  what: "cannot be reached as DATABASE_URL asks",
  hint: () =>
    "Check sslmode and sslrootcert in DATABASE_URL: the server's certificate must be signed by that authority and carry the host's name.",
  isRetryable: false,
};

const TLS_FAILURE = /^(?:ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|HOSTNAME_MISMATCH)/;

/** Codes of the operating system for a connection that failed. */
const SOCKET_FAILURES: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
  "ENOTFOUND",
  "ENOENT",
  "EADDRNOTAVAIL",
  "ECONNABORTED",
  "ERR_STREAM_DESTROYED",
]);

/** What the driver says, without a code, of a connection that ended or did not come about in time. */
const DRIVER_FAILURE =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|connection is closed|not queryable/i;

/** The server asks for the whole transaction once more, from its beginning. */
export function isConflict(error: unknown): boolean {
  return ["40001", "40P01"].includes(codeOf(error));
}

/** Another process has changed a table since the statement was planned; it has not been run. */
export function isStalePlan(error: unknown): boolean {
  return codeOf(error) === "0A000" && error instanceof Error && /cached plan/.test(error.message);
}

/** The server only reads; after a fail-over another one may be behind the same address. */
export function isStandby(error: unknown): boolean {
  return codeOf(error) === "25006";
}

/** The connection is lost, or there was none: whether what was asked last was done is not known. */
export function isDisconnection(error: unknown): boolean {
  const code = codeOf(error);
  // Of the class of connection failures, 08P01 alone is about what we said.
  if (code === "08P01") return false;
  if (/^(?:08|57P|25P03|53300)/.test(code) || SOCKET_FAILURES.has(code)) return true;
  // Several addresses of one name were tried in vain.
  if (error instanceof AggregateError) return error.errors.some(isDisconnection);
  return error instanceof Error && code === "" && DRIVER_FAILURE.test(error.message);
}

/** The same error for what a person can act on; anything else unchanged, since it is a defect. */
export function explainPostgresError(error: unknown, place: PostgresPlace): unknown {
  if (!(error instanceof Error) || error instanceof KodiaiError) return error;
  const code = codeOf(error);
  const failure =
    FAILURES.get(code) ??
    FAILURES.get(code.slice(0, 3)) ??
    (/^[0-9A-Z]{5}$/.test(code) ? FAILURES.get(code.slice(0, 2)) : undefined) ??
    (isUntrusted(error) ? UNTRUSTED : undefined) ??
    (/^SASL\b/.test(error.message) ? NOT_ADMITTED : undefined) ??
    (isDisconnection(error) ? AWAY : undefined);
  if (failure === undefined || code === "08P01") return error;
  // Only this process knows that its own connections are all in use.
  if (/timeout exceeded when trying to connect/.test(error.message)) return noFreeConnection(place);
  const said = error.message === "" ? "" : `: ${error.message}`;
  return new KodiaiError(
    "database",
    `The PostgreSQL database "${place.database}" on ${place.host} ${failure.what}${said}`,
    {
      hint: failure.hint(place, { message: error.message, detail: detailOf(error) }),
      retryable: failure.isRetryable,
      cause: error,
    },
  );
}

/** Everybody in this process wanted a connection at once, and some held theirs for too long. */
export function noFreeConnection({ database, host }: PostgresPlace): KodiaiError {
  return new KodiaiError(
    "database",
    `All connections of this process to the PostgreSQL database "${database}" on ${host} have been in use for too long`,
    {
      hint: "Raise KODIAI_DATABASE_CONNECTIONS, or see in pg_stat_activity what the server is so busy with.",
      retryable: true,
    },
  );
}

function isUntrusted(error: Error): boolean {
  return TLS_FAILURE.test(codeOf(error)) || /does not support SSL/.test(error.message);
}

function whatToGrant({ database, user }: PostgresPlace, { message, detail }: Said): string {
  const [, kind, name] = /(?:permission denied for|must be owner of) (\w+) "?([^"]+)"?/.exec(message) ?? [];
  switch (kind) {
    case "database":
      return /CONNECT/.test(detail)
        ? `grant connect on database "${name}" to "${user}";`
        : `Let the role make the schema of its job queue: grant create on database "${name}" to "${user}";`;
    case "schema":
      return `grant usage, create on schema "${name}" to "${user}"; or give Kodiai a database of its own: create database … owner "${user}";`;
    case "table":
    case "sequence":
    case "relation":
    case "function":
      return `The ${kind} "${name}" belongs to another role. Run Kodiai as that role, or give over what it owns: reassign owned by OWNER to "${user}"; where OWNER is what select relowner::regrole from pg_class where relname = '${name}'; says.`;
    default:
      return `The role "${user}" should own the database "${database}": alter database "${database}" owner to "${user}";`;
  }
}

function howToBeAdmitted({ database, user }: PostgresPlace, { message }: Said): string {
  if (/role ".*" does not exist/.test(message))
    return `Make the role: create role "${user}" login password '…'; or correct the name in DATABASE_URL.`;
  if (/not permitted to log in/.test(message)) return `alter role "${user}" login;`;
  if (/pg_hba\.conf/.test(message))
    return `Add a line to pg_hba.conf of the server that admits "${user}" to "${database}" from here, and reload it: select pg_reload_conf();`;
  if (/client password must be/.test(message))
    return `The server asks for a password, and DATABASE_URL has none: postgres://${user}:PASSWORD@HOST/${database}.`;
  if (/password/.test(message))
    return `Correct the password in DATABASE_URL (special characters are written as %XX), or set it anew: alter role "${user}" password '…';`;
  return `Check the name and password in DATABASE_URL, and that pg_hba.conf admits "${user}".`;
}

function howToConnectMore({ database, user }: PostgresPlace, { message }: Said): string {
  if (/for role/.test(message)) return `Raise or lift its limit: alter role "${user}" connection limit -1;`;
  if (/for database/.test(message))
    return `Raise or lift its limit: alter database "${database}" connection limit -1;`;
  return "Raise max_connections of PostgreSQL, or lower KODIAI_DATABASE_CONNECTIONS of every process.";
}

function detailOf(error: Error): string {
  return "detail" in error && typeof error.detail === "string" ? error.detail : "";
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
