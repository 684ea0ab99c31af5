/** Checks values from a code host before they become part of a command: addresses, branch names, numbers, commit ids. */
import { KodiaiError } from "../../../base/errors.ts";
import { printable } from "../../../base/printable.ts";
import type { RemotePullRequest, RemoteRange } from "../../repository.ts";

/** File systems limit names to 255 bytes, and hosts reject longer branch names. */
const MAX_BRANCH_CHARS = 255;

/** Applies the rules of `git check-ref-format` without starting a process, and rejects names that look like an option. */
export function isBranchName(name: string): boolean {
  if (name === "" || name.length > MAX_BRANCH_CHARS || name.startsWith("-")) return false;
  if (/[\0-\x20\x7f~^:?*[\\]|\.\.|@\{/.test(name) || name.endsWith(".")) return false;
  return name.split("/").every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"));
}

/** Throws if any value that reaches a command or a path is invalid. */
export function checkPullRequest({ repositoryId, number, baseRef, head }: RemotePullRequest): void {
  checkRepositoryId(repositoryId);
  if (!isPositive(number)) throw new TypeError("a pull request's number must be a positive integer");
  checkBranchName(baseRef);
  checkCommitId(head);
}

export function checkRange({ repositoryId, head, base }: RemoteRange): void {
  checkRepositoryId(repositoryId);
  checkCommitId(head);
  if ("branch" in base) checkBranchName(base.branch);
  else checkCommitId(base.commit);
}

function checkCommitId(id: string): void {
  if (!/^[0-9a-f]{40}$/.test(id)) throw unusable(`"${printable(id.slice(0, 80))}" is not a commit id`);
}

export function checkBranchName(name: string): void {
  if (!isBranchName(name)) throw unusable(`"${printable(name.slice(0, 80))}" is not a branch name`);
}

export function checkRepositoryId(repositoryId: number): void {
  if (!isPositive(repositoryId)) throw new TypeError("a repository's id must be a positive integer");
}

/** Rejects addresses with credentials. Allows plain http only if the operator does, or on this machine. */
export function checkAddress(url: string, isHttpAllowed: boolean): URL {
  if (!URL.canParse(url)) throw unusableAddress("the repository's address is not a URL");
  const address = new URL(url);
  if (address.username !== "" || address.password !== "")
    throw unusableAddress("the repository's address contains a user name or a password");
  const isLoopback = ["localhost", "127.0.0.1", "[::1]"].includes(address.hostname);
  const isAllowed =
    address.protocol === "https:" || (address.protocol === "http:" && (isHttpAllowed || isLoopback));
  if (!isAllowed) throw unusableAddress(`repositories can't be fetched over ${printable(address.protocol)}`);
  return address;
}

function isPositive(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

function unusable(message: string): KodiaiError {
  return new KodiaiError("unknown-ref", message, {
    hint: "The code host sent a value that git doesn't accept. Check the name of the branch.",
  });
}

function unusableAddress(message: string): KodiaiError {
  return new KodiaiError("config", message, {
    hint: "Check GITHUB_API_URL. Kodiai fetches repositories over https from that host.",
  });
}
