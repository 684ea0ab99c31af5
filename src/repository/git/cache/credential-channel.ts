/**
 * Passes a credential to git over a socket that only git and its helpers have. The credential is created on request and
 * never appears in arguments, the environment, files or configuration.
 */
import type { Duplex } from "node:stream";
import { MASK } from "../../../base/secrets/mask-secrets.ts";
import type { RemoteAccess } from "../../repository.ts";

/**
 * The credential helper that git runs: it forwards git's request to the socket, followed by an empty line, and prints the
 * answer up to the next empty line. It uses only shell builtins, so the answer never appears in the arguments of a process.
 * It ignores git's requests to store or erase a credential.
 */
const HELPER = [
  `!ask() { test "$1" = get || return 0;`,
  `{ while IFS= read -r line; do printf '%s\\n' "$line"; done; printf '\\n'; } >&3;`,
  `while IFS= read -r line <&3 && test -n "$line"; do printf '%s\\n' "$line"; done; }; ask`,
].join(" ");

/** The empty helper comes first and removes any configured ones. */
export const CREDENTIAL_SETTINGS: readonly string[] = ["credential.helper=", `credential.helper=${HELPER}`];

/** Git's request is three short lines. */
const MAX_REQUEST_CHARS = 8_192;

export type CredentialChannel = {
  /** The error from creating the credential. Null if it didn't fail. */
  failure(): unknown;
  /** Masks the credential in a text. */
  mask(text: string): string;
};

/** Answers the first request for the address and refuses all others until the socket closes. */
export function answerCredential(socket: Duplex, address: URL, access: RemoteAccess): CredentialChannel {
  let received = "";
  let isAnswered = false;
  let failure: unknown = null;
  let secret: string | null = null;

  const answer = async (request: string): Promise<string> => {
    if (isAnswered || access.credential === null || !isFor(request, address)) return "\n";
    isAnswered = true;
    try {
      const { username, password } = await access.credential();
      if (/[\0\r\n]/.test(username + password)) throw new TypeError("a credential must be a single line");
      secret = password;
      return `username=${username}\npassword=${password}\n\n`;
    } catch (error) {
      failure = error;
      return "\n";
    }
  };

  socket.setEncoding("utf8").on("data", (chunk: string) => {
    received += chunk;
    const end = received.indexOf("\n\n");
    if (end === -1) {
      if (received.length > MAX_REQUEST_CHARS) socket.destroy();
      return;
    }
    const request = received.slice(0, end);
    received = received.slice(end + 2);
    void answer(request).then((text) => socket.writable && socket.write(text));
  });
  // If the helper exits before the answer is ready, git reports the failure itself.
  socket.on("error", () => {});
  return {
    failure: () => failure,
    mask: (text) => (secret === null || secret === "" ? text : text.replaceAll(secret, MASK)),
  };
}

/** A request names the protocol and the host, with the port if it isn't the default. */
function isFor(request: string, address: URL): boolean {
  const lines = request.split("\n");
  return (
    lines.includes(`protocol=${address.protocol.slice(0, -1)}`) && lines.includes(`host=${address.host}`)
  );
}
