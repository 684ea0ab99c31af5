/** Git's version. */
import { adviceOf, type DoctorCheck, failure, fine, unknown } from "../check.ts";
import { isOlder } from "../versions.ts";

/** Older ones lack options that reading a change needs. */
const OLDEST_GIT = "2.30";

/** `readVersion` returns what `git --version` prints. */
export function createGitCheck(readVersion: (signal: AbortSignal) => Promise<string>): DoctorCheck {
  return {
    name: "git",
    async run(signal) {
      let printed: string;
      try {
        printed = await readVersion(signal);
      } catch (error) {
        signal.throwIfAborted();
        return [failure("git-missing", adviceOf(error))];
      }
      const version = /^git version (\d+(?:\.\d+)+)/.exec(printed)?.[1];
      if (version === undefined)
        return [
          unknown("git-too-old", {
            what: "The git on the PATH doesn't print its version.",
            remedy: `Run \`git --version\`, and install git ${OLDEST_GIT} or newer.`,
          }),
        ];
      if (!isOlder(version, OLDEST_GIT)) return [fine(`git ${version}.`)];
      return [
        failure("git-too-old", {
          what: `This is git ${version}; Kodiai needs ${OLDEST_GIT} or newer.`,
          remedy: "Upgrade git, or put a newer one first on the PATH.",
        }),
      ];
    },
  };
}
