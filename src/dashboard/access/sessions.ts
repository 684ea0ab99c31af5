/** Sessions: begun by a sign-in, found by their cookie, ended by people or by time. The store has only the hash of a cookie. */
import { KodiaiError } from "../../base/errors.ts";
import type { Database } from "../../store/database.ts";
import {
  deleteEndedSessions,
  deleteSession,
  deleteSessionsOf,
  insertSession,
  readSession,
  type StoredSession,
  touchSession,
} from "../../store/repositories/dashboard-sessions.ts";
import type { PersonCredential } from "../../forge/people-at-host.ts";
import { hashSecret, randomSecret, type Seal } from "./secrets.ts";

/** As long as GitHub's token of a person is valid. */
export const SESSION_MS = 8 * 60 * 60_000;

/** A browser that was left open in the evening is signed out in the morning, and one that is used isn't. */
const IDLE_MS = 2 * 60 * 60_000;

/** How exactly the last use is known. Reading a page usually writes nothing. */
const TOUCH_MS = 5 * 60_000;

export type Session = StoredSession & {
  /** The value of the cookie. */
  readonly secret: string;
};

export type NewSession = {
  readonly personId: number | null;
  readonly login: string;
  readonly token: string | null;
};

export type Sessions = {
  /** Null if the cookie is none of ours, or its session has ended. */
  find(secret: string): Promise<Session | null>;
  /** Ends the browser's previous session, so that its cookie signs in no more. Returns the new cookie. */
  begin(session: NewSession, previous: string | null): Promise<string>;
  end(session: Session): Promise<void>;
  /** In all browsers of the person. */
  endAll(session: Session): Promise<void>;
  /** Null without a token, or with one that can't be read: the app's secret is another one by now. */
  credentialOf(session: Session): PersonCredential | null;
};

export type SessionsDeps = {
  readonly database: Database;
  readonly now: () => number;
  /** Null without OAuth: no session has a token then. */
  readonly seal: Seal | null;
};

export function createSessions({ database, now, seal }: SessionsDeps): Sessions {
  return {
    async find(secret) {
      const stored = await readSession(hashSecret(secret), database);
      const at = now();
      if (stored === null || stored.expiresAt <= at || stored.seenAt + IDLE_MS <= at) return null;
      if (stored.seenAt + TOUCH_MS <= at) await touch(stored.idHash, at, database);
      return { ...stored, secret };
    },
    async begin({ personId, login, token }, previous) {
      const secret = randomSecret();
      const idHash = hashSecret(secret);
      const at = now();
      const sealedToken = token === null ? null : (seal?.seal(token, idHash) ?? null);
      const row = { idHash, personId, login, sealedToken, createdAt: at, seenAt: at };
      await database.transaction(async (sql) => {
        await deleteEndedSessions({ now: at, unusedSince: at - IDLE_MS }, sql);
        if (previous !== null) await deleteSession(hashSecret(previous), sql);
        await insertSession({ ...row, expiresAt: at + SESSION_MS }, sql);
      });
      return secret;
    },
    end: ({ idHash }) => deleteSession(idHash, database),
    endAll: ({ personId }) => deleteSessionsOf(personId, database),
    credentialOf({ sealedToken, idHash, createdAt: createdAtMs }) {
      const token = sealedToken === null ? null : (seal?.open(sealedToken, idHash) ?? null);
      return token === null ? null : { token, createdAtMs };
    },
  };
}

/** Pages can be read while the database can't be written. The session then ends as if it weren't used. */
async function touch(idHash: string, at: number, database: Database): Promise<void> {
  try {
    await touchSession(idHash, at, database);
  } catch (error) {
    if (!(error instanceof KodiaiError)) throw error;
  }
}
