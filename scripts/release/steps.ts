/**
 * The steps of a release, in order: what can be undone first, what others see last. A tag is the package itself with the Action and the hook
 * of pre-commit, so that both install it from git without building anything.
 */
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { ACTION_TAG, type Candidate, imageTags } from "./checks.ts";
import { type Ran, run } from "./run.ts";

export type Step = {
  readonly name: string;
  readonly perform: () => Ran;
  /** For a person, when a later step fails. */
  readonly undo: string;
};

/** A tag has these in addition to the package. */
const WITH_TAG = ["action.yml", "dist/action", ".pre-commit-hooks.yaml"];

export function releaseSteps(candidate: Candidate, work: string): readonly Step[] {
  const { root, manifest, tarball } = candidate;
  const { name, version } = manifest;
  const tag = `v${version}`;
  const git = (...args: readonly string[]): Ran => run("git", args, { cwd: root });
  const images = imageTags(manifest);
  return [
    {
      name: `commit the package and tag it ${tag}`,
      perform: () => tagPackage(candidate, work),
      undo: `git tag --delete ${tag}`,
    },
    {
      name: `build the image ${images.join(", ") || "(without a name yet)"}`,
      perform: () =>
        run("docker", ["build", ...images.flatMap((image) => ["--tag", image]), "."], { cwd: root }),
      undo: `docker image rm ${images.join(" ")}`,
    },
    {
      name: `publish ${name}@${version}`,
      // The archive that was checked, not another one.
      perform: () => run("npm", ["publish", tarball], { cwd: root }),
      undo: `npm unpublish ${name}@${version} (within 72 hours; later: npm deprecate). The version can't be used again.`,
    },
    {
      name: `push ${tag}`,
      perform: () => git("push", "origin", tag),
      undo: `git push --delete origin ${tag}`,
    },
    ...images.map((image) => ({
      name: `push ${image}`,
      perform: () => run("docker", ["push", image], { cwd: root }),
      undo: `delete ${image} in the registry's settings`,
    })),
    {
      name: `move ${ACTION_TAG} to ${tag}, which every workflow gets at once`,
      perform: () => {
        const moved = git("tag", "--force", ACTION_TAG, `${tag}^{commit}`);
        return moved.status === 0 ? git("push", "--force", "origin", `refs/tags/${ACTION_TAG}`) : moved;
      },
      undo: `git push --force origin PREVIOUS^{commit}:refs/tags/${ACTION_TAG}`,
    },
  ];
}

/** With an index of its own, so that neither the work tree nor the branch changes. */
export function tagPackage({ root, manifest, tarball }: Candidate, work: string): Ran {
  const tree = join(work, "tree");
  mkdirSync(tree);
  const unpacked = run("tar", ["-xzf", tarball, "-C", tree, "--strip-components=1"], { cwd: root });
  if (unpacked.status !== 0) return unpacked;
  for (const path of WITH_TAG)
    if (existsSync(join(root, path))) cpSync(join(root, path), join(tree, path), { recursive: true });
  const env = { ...process.env, GIT_INDEX_FILE: join(work, "index") };
  const git = (...args: readonly string[]): Ran => run("git", args, { cwd: root, env });
  const added = git(`--work-tree=${tree}`, "add", "--all", "--force", tree);
  if (added.status !== 0) return added;
  const written = git("write-tree");
  if (written.status !== 0) return written;
  const message = `${manifest.name} ${manifest.version}`;
  const committed = git("commit-tree", written.stdout.trim(), "-p", "HEAD", "-m", message);
  if (committed.status !== 0) return committed;
  return git("tag", "--annotate", "--message", message, `v${manifest.version}`, committed.stdout.trim());
}
