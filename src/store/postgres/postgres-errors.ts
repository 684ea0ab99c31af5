/**
 * Turns PostgreSQL errors into messages for operators. Errors in Kodiai's own SQL stay unchanged. Messages never contain
 * the address, which may include a password.
 */
import { KodiaiError } from "../../base/errors.ts";

/** The connection that a message is about. */
export type PostgresTarget = {
  readonly host: string;
  readonly database: string;
  readonly user: string;
};

type Failure = {
  readonly what: string;
  readonly hint: (target: PostgresTarget, error: ServerError) => string;
  readonly isRetryable: boolean;
};

/** The text of PostgreSQL's own error. */
type ServerError = { readonly message: string; readonly detail: string };

/** The server is down, shutting down or starting, and may be back in a moment. */
const UNREACHABLE: Failure = {
  what: "is unreachable",
  hint: ({ host }) => `Check that PostgreSQL is running on ${host} and is reachable from this machine.`,
  isRetryable: true,
};

const CANCELLED: Failure = {
  what: "cancelled a statement",
  hint: ({ user }) =>
    `An administrator cancelled it, or the role's timeouts are too short: alter role "${user}" set statement_timeout = 0; alter role "${user}" set lock_timeout = 0;`,
  isRetryable: true,
};

const LOGIN_FAILED: Failure = {
  what: "rejected the login",
  hint: loginHint,
  isRetryable: false,
};

/** Failures by PostgreSQL's five-character error codes, or by their two-character classes. */
const FAILURES: ReadonlyMap<string, Failure> = new Map([
  ["08", UNREACHABLE],
  ["57P", UNREACHABLE],
  [
    "25P03",
    {
      what: "ended a transaction that was idle for too long",
      hint: () => "This process was paused or short of CPU for several seconds. Give it more CPU.",
      isRetryable: true,
    },
  ],
  [
    "25006",
    {
      what: "is read-only",
      hint: ({ host, database, user }) =>
        `If ${host} is a standby, set DATABASE_URL to the primary server. Otherwise allow the role to write: alter role "${user}" in database "${database}" set default_transaction_read_only = off;`,
      isRetryable: true,
    },
  ],
  ["42501", { what: "denied a permission that Kodiai needs", hint: permissionHint, isRetryable: false }],
  ["28", LOGIN_FAILED],
  [
    "3D000",
    {
      what: "does not exist",
      hint: ({ database, user }) => `Create it: create database "${database}" owner "${user}";`,
      isRetryable: false,
    },
  ],
  [
    "3F000",
    {
      what: "has no schema for Kodiai's tables",
      hint: ({ user }) => `Create one: create schema authorization "${user}"; or set the role's search_path.`,
      isRetryable: false,
    },
  ],
  [
    "53300",
    {
      what: "has no free connection",
      hint: connectionLimitHint,
      isRetryable: true,
    },
  ],
  [
    "53",
    {
      what: "has run out of disk space or memory",
      hint: () => "Free some on the database server. Nothing that Kodiai acknowledged was lost.",
      isRetryable: true,
    },
  ],
  ["57014", CANCELLED],
  ["55P03", CANCELLED],
  [
    "40",
    {
      what: "couldn't serialize concurrent transactions",
      hint: () => "Kodiai retries this automatically. Report it if it persists.",
      isRetryable: true,
    },
  ],
]);

/** The server offers no encryption, or its certificate can't be verified. */
const TLS_FAILED: Failure = {
  what: "can't be reached with the TLS settings in DATABASE_URL",
  hint: () =>
    "Check sslmode and sslrootcert in DATABASE_URL. The server's certificate must be signed by that authority and contain the host name.",
  isRetryable: false,
};

const TLS_FAILURE = /^(?:ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|HOSTNAME_MISMATCH)/;

/** Error codes of the operating system for failed connections. */
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

/** Messages of the driver, without a code, for connections that ended or timed out. */
const DRIVER_FAILURE =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|connection is closed|not queryable/i;

/** The server rolled the transaction back because of a conflict; it must be retried from the start. */
export function isConflict(error: unknown): boolean {
  return ["40001", "40P01"].includes(codeOf(error));
}

/** Another process changed a table after the statement was prepared. The statement didn't run. */
export function isStalePlan(error: unknown): boolean {
  return codeOf(error) === "0A000" && error instanceof Error && /cached plan/.test(error.message);
}

/** The server is read-only. After a failover, another server may have the same address. */
export function isStandby(error: unknown): boolean {
  return codeOf(error) === "25006";
}

/** The connection was lost or couldn't be made, so the outcome of the last statement is unknown. */
export function isDisconnection(error: unknown): boolean {
  const code = codeOf(error);
  // 08P01 is a protocol violation of ours, unlike the other connection errors of its class.
  if (code === "08P01") return false;
  if (/^(?:08|57P|25P03|53300)/.test(code) || SOCKET_FAILURES.has(code)) return true;
  // The host name has several addresses, and connecting to each of them failed.
  if (error instanceof AggregateError) return error.errors.some(isDisconnection);
  return error instanceof Error && code === "" && DRIVER_FAILURE.test(error.message);
}

/** Explains errors that an operator can act on. Any other error is a bug and stays unchanged. */
export function explainPostgresError(error: unknown, target: PostgresTarget): unknown {
  if (!(error instanceof Error) || error instanceof KodiaiError) return error;
  const code = codeOf(error);
  const failure =
    FAILURES.get(code) ??
    FAILURES.get(code.slice(0, 3)) ??
    (/^[0-9A-Z]{5}$/.test(code) ? FAILURES.get(code.slice(0, 2)) : undefined) ??
    (isTlsFailure(error) ? TLS_FAILED : undefined) ??
    (/^SASL\b/.test(error.message) ? LOGIN_FAILED : undefined) ??
    (isDisconnection(error) ? UNREACHABLE : undefined);
  if (failure === undefined || code === "08P01") return error;
  // The driver reports this when all connections of the pool are in use.
  if (/timeout exceeded when trying to connect/.test(error.message)) return noFreeConnection(target);
  const cause = error.message === "" ? "" : `: ${error.message}`;
  return new KodiaiError(
    "database",
    `The PostgreSQL database "${target.database}" on ${target.host} ${failure.what}${cause}`,
    {
      hint: failure.hint(target, { message: error.message, detail: detailOf(error) }),
      retryable: failure.isRetryable,
      cause: error,
    },
  );
}

/** All connections of this process stayed in use for too long. */
export function noFreeConnection({ database, host }: PostgresTarget): KodiaiError {
  return new KodiaiError(
    "database",
    `All connections of this process to the PostgreSQL database "${database}" on ${host} have been in use for too long`,
    {
      hint: "Raise KODIAI_DATABASE_CONNECTIONS, or check in pg_stat_activity what keeps the server busy.",
      retryable: true,
    },
  );
}

function isTlsFailure(error: Error): boolean {
  return TLS_FAILURE.test(codeOf(error)) || /does not support SSL/.test(error.message);
}

function permissionHint({ database, user }: PostgresTarget, { message, detail }: ServerError): string {
  const [, kind, name] = /(?:permission denied for|must be owner of) (\w+) "?([^"]+)"?/.exec(message) ?? [];
  switch (kind) {
    case "database":
      return /CONNECT/.test(detail)
        ? `Allow the role to connect: grant connect on database "${name}" to "${user}";`
        : `Let the role add the job queue's schema: grant create on database "${name}" to "${user}";`;
    case "schema":
      return `Run: grant usage, create on schema "${name}" to "${user}"; or give Kodiai a separate database: create database … owner "${user}";`;
    case "table":
    case "sequence":
    case "relation":
    case "function":
      return `The ${kind} "${name}" belongs to another role. Run Kodiai as that role, or transfer its objects: reassign owned by OWNER to "${user}"; To find OWNER, run: select relowner::regrole from pg_class where relname = '${name}';`;
    default:
      return `The role "${user}" should own the database "${database}": alter database "${database}" owner to "${user}";`;
  }
}

function loginHint({ database, user }: PostgresTarget, { message }: ServerError): string {
  if (/role ".*" does not exist/.test(message))
    return `Create the role: create role "${user}" login password '…'; or correct the user name in DATABASE_URL.`;
  if (/not permitted to log in/.test(message)) return `Allow the role to log in: alter role "${user}" login;`;
  if (/pg_hba\.conf/.test(message))
    return `Add a line to the server's pg_hba.conf that allows "${user}" to connect to "${database}" from this machine, and reload it: select pg_reload_conf();`;
  if (/client password must be/.test(message))
    return `The server requires a password. Add it to DATABASE_URL: postgres://${user}:PASSWORD@HOST/${database}.`;
  if (/password/.test(message))
    return `Check the password in DATABASE_URL (write special characters as %XX), or set a new one: alter role "${user}" password '…';`;
  return `Check the user name and password in DATABASE_URL, and that pg_hba.conf allows "${user}" to connect.`;
}

function connectionLimitHint({ database, user }: PostgresTarget, { message }: ServerError): string {
  if (/for role/.test(message))
    return `Raise or remove the role's limit: alter role "${user}" connection limit -1;`;
  if (/for database/.test(message))
    return `Raise or remove the database's limit: alter database "${database}" connection limit -1;`;
  return "Raise PostgreSQL's max_connections, or lower KODIAI_DATABASE_CONNECTIONS for every process.";
}

function detailOf(error: Error): string {
  return "detail" in error && typeof error.detail === "string" ? error.detail : "";
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
