/** Runs git on the fake's bare repositories and writes commits without a work tree. Never reads the user's git settings. */
import { spawn } from "node:child_process";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Git's environment: only the machine's PATH. */
export const GIT_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
  // Fixed, so that the same files have the same commit ids in every run.
  GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z",
  GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
};

/** Returns the standard output of a git command; rejects with its error output if it fails. */
export function runGit(
  directory: string,
  args: readonly string[],
  options: { readonly input?: Buffer; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", args, { cwd: directory, env: { ...GIT_ENVIRONMENT, ...options.env } });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(Buffer.concat(out));
      else reject(new Error(`git ${args.join(" ")} ended with ${code}: ${Buffer.concat(err).toString()}`));
    });
    // A command that doesn't read its input may exit before it is written.
    child.stdin.on("error", () => {});
    child.stdin.end(options.input);
  });
}

export async function gitText(directory: string, ...args: readonly string[]): Promise<string> {
  return (await runGit(directory, args)).toString().trim();
}

/** The commit of a ref. The fake never packs refs, so each ref is a file. */
export async function readRef(directory: string, ref: string): Promise<string> {
  return (await readFile(join(directory, ref), "utf8")).trim();
}

/** Points a ref to a commit as git does, through its lock file, without the cost of a process. */
export async function writeRef(directory: string, ref: string, commit: string): Promise<void> {
  const path = join(directory, ref);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.lock`, `${commit}\n`, { flag: "wx" });
  await rename(`${path}.lock`, path);
}

export async function listBranches(directory: string): Promise<readonly string[]> {
  const listed = await gitText(directory, "for-each-ref", "--format=%(refname)", "refs/heads");
  return listed === "" ? [] : listed.split("\n").map((ref) => ref.slice("refs/heads/".length));
}

/** The text of a file at a branch or commit; null if there is none. */
export async function fileAt(directory: string, ref: string, path: string): Promise<string | null> {
  return runGit(directory, ["cat-file", "blob", `${ref}:${path}`]).then(
    (bytes) => bytes.toString(),
    () => null,
  );
}

/** Path → content; null removes the file. */
export type Files = Readonly<Record<string, string | Uint8Array | null>>;

export type CommitRequest = {
  /** Full name of the ref that will point to the commit. */
  readonly ref: string;
  readonly parent: string | null;
  readonly message: string;
  readonly files: Files;
  /** Ada by default. */
  readonly author?: string;
};

/** Creates a commit on top of its parent and returns its id. */
export async function commitFiles(directory: string, request: CommitRequest): Promise<string> {
  const parts: Buffer[] = [];
  const line = (text: string): void => {
    parts.push(Buffer.from(`${text}\n`));
  };
  const data = (content: string | Uint8Array): void => {
    const bytes = Buffer.from(content);
    line(`data ${bytes.length}`);
    parts.push(bytes, Buffer.from("\n"));
  };
  line(`commit ${request.ref}`);
  line("mark :1");
  if (request.author !== undefined)
    line(`author ${request.author} <${request.author}@example.org> 1767225600 +0000`);
  line("committer Ada <ada@example.org> 1767225600 +0000");
  data(request.message);
  if (request.parent !== null) line(`from ${request.parent}`);
  for (const [path, content] of Object.entries(request.files)) {
    const name = `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
    if (content === null) {
      line(`D ${name}`);
      continue;
    }
    line(`M 100644 inline ${name}`);
    data(content);
  }
  line("get-mark :1");
  // Forced, because people also force-push.
  const input = Buffer.concat(parts);
  return (await runGit(directory, ["fast-import", "--quiet", "--force"], { input })).toString().trim();
}

// Like GitHub: partial clones, any commit by its id, sound objects in pushes, and no pushes to pull requests. File names aren't quoted.
// A commit stays in the pack in which it was imported, because unpacking it takes another process.
const BARE_CONFIG = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
	quotePath = false
[uploadpack]
	allowFilter = true
	allowAnySHA1InWant = true
[http]
	receivepack = true
[receive]
	fsckObjects = true
	hideRefs = refs/pull
	autogc = false
[gc]
	auto = 0
[fastimport]
	unpackLimit = 1
`;

/** Creates an empty bare repository that serves clones and accepts pushes like GitHub. These are the files that `git init` creates. */
export async function initBareRepository(directory: string, defaultBranch: string): Promise<void> {
  for (const folder of ["objects/info", "objects/pack", "refs/heads", "refs/tags"])
    await mkdir(join(directory, folder), { recursive: true });
  await writeFile(join(directory, "HEAD"), `ref: refs/heads/${defaultBranch}\n`);
  await writeFile(join(directory, "config"), BARE_CONFIG);
}
