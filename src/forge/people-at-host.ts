/**
 * The People port: lets a person sign in at the host, and asks the host what that person may read and change. Nothing here decides what
 * a person may do in Kodiai.
 */

/** A person at the host. The number never changes, the login may. */
export type HostPerson = { readonly id: number; readonly login: string };

export type PersonAccess = HostPerson & {
  /** The repositories of the app that the person may read by a role of their own, by the host's numbers. */
  readonly repositories: readonly { readonly forgeId: number; readonly canWrite: boolean }[];
};

export type AuthorizeRequest = {
  readonly state: string;
  /** SHA-256 of the verifier, as PKCE's S256 has it. */
  readonly challenge: string;
  readonly redirectUri: string;
};

/** The credential of one person, as the host gave it. */
export type PersonCredential = { readonly token: string; readonly createdAtMs: number };

export type PeopleAtHost = {
  /** Where people's browsers go, such as `https://github.com`. */
  readonly origin: string;
  authorizeUrl(request: AuthorizeRequest): string;
  /** Returns the person's token; null if the host refuses the code. Throws if the host can't be asked. */
  exchangeCode(request: {
    readonly code: string;
    readonly verifier: string;
    readonly redirectUri: string;
  }): Promise<string | null>;
  /** Null if the token is no longer valid. Throws if the host can't be asked. */
  readAccess(credential: PersonCredential): Promise<PersonAccess | null>;
};
