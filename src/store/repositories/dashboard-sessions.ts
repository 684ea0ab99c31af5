/** Sessions of the dashboard, and sign-ins that have begun. Rows are found by hashes; nothing here knows a cookie. */
import type { Sql } from "../database.ts";

export type StoredSession = {
  readonly idHash: string;
  /** The person's number at the host; null for an administrator who signed in with the link of this machine. */
  readonly personId: number | null;
  readonly login: string;
  /** The person's token, encrypted; null without a person. */
  readonly sealedToken: string | null;
  readonly createdAt: number;
  readonly seenAt: number;
  readonly expiresAt: number;
};

type SessionRow = {
  readonly id_hash: string;
  readonly person_id: number | null;
  readonly login: string;
  readonly token: string | null;
  readonly created_at: number;
  readonly seen_at: number;
  readonly expires_at: number;
};

export async function insertSession(session: StoredSession, sql: Sql): Promise<void> {
  const { idHash, personId, login, sealedToken, createdAt, seenAt, expiresAt } = session;
  await sql.query(
    `insert into dashboard_sessions (id_hash, person_id, login, token, created_at, seen_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [idHash, personId, login, sealedToken, createdAt, seenAt, expiresAt],
  );
}

export async function readSession(idHash: string, sql: Sql): Promise<StoredSession | null> {
  const [row] = await sql.query<SessionRow>("select * from dashboard_sessions where id_hash = $1", [idHash]);
  if (row === undefined) return null;
  return {
    idHash: row.id_hash,
    personId: row.person_id,
    login: row.login,
    sealedToken: row.token,
    createdAt: row.created_at,
    seenAt: row.seen_at,
    expiresAt: row.expires_at,
  };
}

export async function touchSession(idHash: string, at: number, sql: Sql): Promise<void> {
  await sql.query("update dashboard_sessions set seen_at = $2 where id_hash = $1", [idHash, at]);
}

export async function deleteSession(idHash: string, sql: Sql): Promise<void> {
  await sql.query("delete from dashboard_sessions where id_hash = $1", [idHash]);
}

/** All sessions of a person, or of this machine's link for null. */
export async function deleteSessionsOf(personId: number | null, sql: Sql): Promise<void> {
  await (personId === null
    ? sql.query("delete from dashboard_sessions where person_id is null")
    : sql.query("delete from dashboard_sessions where person_id = $1", [personId]));
}

/** Deletes what has expired, and sessions that weren't used since then. */
export async function deleteEndedSessions(
  { now, unusedSince }: { readonly now: number; readonly unusedSince: number },
  sql: Sql,
): Promise<void> {
  await sql.query("delete from dashboard_sessions where expires_at <= $1 or seen_at <= $2", [
    now,
    unusedSince,
  ]);
  await sql.query("delete from dashboard_sign_ins where expires_at <= $1", [now]);
}

export type BegunSignIn = {
  readonly stateHash: string;
  /** The hash of what the browser keeps. */
  readonly challenge: string;
  readonly returnPath: string;
  readonly expiresAt: number;
};

export async function insertSignIn(signIn: BegunSignIn, sql: Sql): Promise<void> {
  const { stateHash, challenge, returnPath, expiresAt } = signIn;
  await sql.query(
    "insert into dashboard_sign_ins (state_hash, challenge, return_path, expires_at) values ($1, $2, $3, $4)",
    [stateHash, challenge, returnPath, expiresAt],
  );
}

/** Returns the sign-in once: no other caller gets it afterwards. Null if there is none, or no longer. */
export async function takeSignIn(
  stateHash: string,
  now: number,
  sql: Sql,
): Promise<Pick<BegunSignIn, "challenge" | "returnPath"> | null> {
  const [row] = await sql.query<{ challenge: string; return_path: string; expires_at: number }>(
    "delete from dashboard_sign_ins where state_hash = $1 returning challenge, return_path, expires_at",
    [stateHash],
  );
  if (row === undefined || row.expires_at <= now) return null;
  return { challenge: row.challenge, returnPath: row.return_path };
}
