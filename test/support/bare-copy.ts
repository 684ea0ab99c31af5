/** A bare copy as the repository cache has it, filled from a list of entries. All names and contents are latin1. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type BareEntry = { readonly mode: string; readonly content: string };

export type BareCopy = {
  /** The folder of the cache. The copy is 42.git in it. */
  readonly folder: string;
  readonly git: (args: readonly string[], input?: string) => string;
  /** Makes a commit with exactly these entries. The content of a submodule is its commit. */
  commit(entries: ReadonlyMap<string, BareEntry>): string;
  /** Reads all entries of a commit, through git. */
  read(commit: string): ReadonlyMap<string, BareEntry>;
  remove(): void;
};

export function bareCopy(format: "sha1" | "sha256" = "sha1"): BareCopy {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-copy-"));
  const path = join(folder, "42.git");
  const git = (args: readonly string[], input = ""): string =>
    execFileSync("git", args, {
      cwd: folder,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: "/dev/null",
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_DIR: path,
      },
      input: Buffer.from(input, "latin1"),
      maxBuffer: 1 << 30,
      stdio: ["pipe", "pipe", "pipe"],
    }).toString("latin1");
  git(["init", "--quiet", "--bare", "--template=", "--initial-branch=none", `--object-format=${format}`]);
  return {
    folder,
    git,
    commit(entries) {
      const lines = [...entries].map(([name, { mode, content }]) =>
        mode === "160000"
          ? `M ${mode} ${content} ${quote(name)}\n`
          : `M ${mode} inline ${quote(name)}\ndata ${content.length}\n${content}\n`,
      );
      const header =
        "commit refs/kodiai/7/head\ncommitter Ada <ada@example.org> 1770000000 +0000\ndata 1\nx\n";
      git(["fast-import", "--quiet", "--force"], `${header}deleteall\n${lines.join("")}\n`);
      return git(["rev-parse", "refs/kodiai/7/head"]).trim();
    },
    read(commit) {
      const listing = git(["ls-tree", "-r", "-z", "--full-tree", commit]);
      const records = listing.split("\0").filter((record) => record !== "");
      const ids = records.map((record) => record.slice(0, record.indexOf("\t")).split(" ")[2] ?? "");
      const contents = readAll(git(["cat-file", "--batch"], ids.map((id) => `${id}\n`).join("")));
      return new Map(
        records.map((record, index) => [
          record.slice(record.indexOf("\t") + 1),
          { mode: record.slice(0, 6), content: contents[index] ?? "" },
        ]),
      );
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Git reads a quoted path with escapes, so every byte can be one. */
function quote(latin1: string): string {
  if (/^[\w./-]+$/.test(latin1)) return latin1;
  const octal = (char: string): string => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`;
  return `"${latin1.replaceAll(/[^]/g, octal)}"`;
}

/** Splits the output of `cat-file --batch`. A missing object, as of a submodule, has its id as content. */
function readAll(output: string): readonly string[] {
  const contents: string[] = [];
  for (let at = 0; at < output.length;) {
    const end = output.indexOf("\n", at);
    const [id = "", type, bytes] = output.slice(at, end).split(" ");
    const size = type === "missing" ? -1 : Number(bytes);
    contents.push(size === -1 ? id : output.slice(end + 1, end + 1 + size));
    at = end + 1 + size + 1;
  }
  return contents;
}
