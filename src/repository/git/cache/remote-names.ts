/** Checks what a code host says before it becomes part of a command: addresses, branch names, numbers and commit ids. */
import { KodiaiError } from "../../../base/errors.ts";
import { printable } from "../../../base/printable.ts";
import type { RemotePullRequest } from "../../repository.ts";

/** File systems end names at 255 bytes, and hosts refuse longer branches. */
const MAX_BRANCH_CHARS = 255;

/** The rules of `git check-ref-format`, which would cost a process; and no name that begins like an option. */
export function isBranchName(name: string): boolean {
  if (name === "" || name.length > MAX_BRANCH_CHARS || name.startsWith("-")) return false;
  if (/[\0-\x20\x7f~^:?*[\\]|\.\.|@\{/.test(name) || name.endsWith(".")) return false;
  return name.split("/").every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"));
}

/** Throws unless every part that reaches a command or a path is what it claims to be. */
export function checkPullRequest({ repositoryId, number, baseRef, head }: RemotePullRequest): void {
  if (!isPositive(repositoryId) || !isPositive(number)) throw new TypeError("ids and numbers are positive");
  if (!isBranchName(baseRef)) throw unusable(`"${printable(baseRef.slice(0, 80))}" is not a branch name`);
  if (!/^[0-9a-f]{40}$/.test(head)) throw unusable(`"${printable(head.slice(0, 80))}" is not a commit id`);
}

/** The address without anything secret. Plain http only where the operator allows it, or within this machine. */
export function checkAddress(url: string, isHttpAllowed: boolean): URL {
  if (!URL.canParse(url)) throw unusableAddress("the repository's address is not a URL");
  const address = new URL(url);
  if (address.username !== "" || address.password !== "")
    throw unusableAddress("the repository's address holds a user or a password");
  const isLoopback = ["localhost", "127.0.0.1", "[::1]"].includes(address.hostname);
  const isAllowed =
    address.protocol === "https:" || (address.protocol === "http:" && (isHttpAllowed || isLoopback));
  if (!isAllowed) throw unusableAddress(`repositories are not fetched over ${printable(address.protocol)}`);
  return address;
}

function isPositive(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

function unusable(message: string): KodiaiError {
  return new KodiaiError("unknown-ref", message, {
    hint: "The code host named something that git would not accept; look at the pull request.",
  });
}

function unusableAddress(message: string): KodiaiError {
  return new KodiaiError("config", message, {
    hint: "Check GITHUB_API_URL: repositories are fetched over https from the host that it names.",
  });
}
