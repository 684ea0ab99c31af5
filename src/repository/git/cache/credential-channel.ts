/**
 * Tells git a credential when it asks for one, over a socket that only git and its helpers hold. The credential is made
 * when it is asked for, and is never in arguments, environment, files or configuration.
 */
import type { Duplex } from "node:stream";
import { MASK } from "../../../base/secrets/mask-secrets.ts";
import type { RemoteAccess } from "../../repository.ts";

/**
 * What git runs to ask: forwards git's question to the socket, ended by an empty line, and prints the answer up to one.
 * The builtins of the shell do it all, so the answer is in no process's arguments. Git's requests to store or forget a
 * credential are ignored.
 */
const ASKER = [
  `!ask() { test "$1" = get || return 0;`,
  `{ while IFS= read -r line; do printf '%s\\n' "$line"; done; printf '\\n'; } >&3;`,
  `while IFS= read -r line <&3 && test -n "$line"; do printf '%s\\n' "$line"; done; }; ask`,
].join(" ");

/** The empty helper comes first and drops any that configuration may name. */
export const CREDENTIAL_SETTINGS: readonly string[] = ["credential.helper=", `credential.helper=${ASKER}`];

/** Git's question is three short lines; more is not a question. */
const MAX_QUESTION_CHARS = 8_192;

export type CredentialChannel = {
  /** Why no credential could be made; null when none failed. */
  failure(): unknown;
  /** The text without the credential that was told. */
  mask(text: string): string;
};

/** Answers the first question that is about the address, and refuses all others, until the socket is closed. */
export function answerCredential(socket: Duplex, address: URL, access: RemoteAccess): CredentialChannel {
  let asked = "";
  let isAnswered = false;
  let failure: unknown = null;
  let secret: string | null = null;

  const answer = async (question: string): Promise<string> => {
    if (isAnswered || access.credential === null || !isAbout(question, address)) return "\n";
    isAnswered = true;
    try {
      const { username, password } = await access.credential();
      if (/[\0\r\n]/.test(username + password)) throw new TypeError("a credential is one line");
      secret = password;
      return `username=${username}\npassword=${password}\n\n`;
    } catch (error) {
      failure = error;
      return "\n";
    }
  };

  socket.setEncoding("utf8").on("data", (chunk: string) => {
    asked += chunk;
    const end = asked.indexOf("\n\n");
    if (end === -1) {
      if (asked.length > MAX_QUESTION_CHARS) socket.destroy();
      return;
    }
    const question = asked.slice(0, end);
    asked = asked.slice(end + 2);
    void answer(question).then((text) => socket.writable && socket.write(text));
  });
  // A helper that has gone while the answer was made is no failure of ours: git says what became of it.
  socket.on("error", () => {});
  return {
    failure: () => failure,
    mask: (text) => (secret === null || secret === "" ? text : text.replaceAll(secret, MASK)),
  };
}

/** The question names protocol and host, with the port where it is not the usual one, as an address does. */
function isAbout(question: string, address: URL): boolean {
  const lines = question.split("\n");
  return (
    lines.includes(`protocol=${address.protocol.slice(0, -1)}`) && lines.includes(`host=${address.host}`)
  );
}
