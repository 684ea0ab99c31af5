/** A pull request with a few mistakes, for people who want to see a review. */
import { sampleRepositories } from "../test/support/sample-repositories.ts";
import type { FakeGithub } from "./fake-github.ts";
import type { Files } from "./git.ts";
import type { PullRequest } from "./world.ts";

/** A short wait, so that the review of `push` starts while the user watches. */
const CONFIGURATION: Files = { ".kodiai.yml": "review:\n  debounceSeconds: 2\n" };

type Sample = { readonly before: Files; readonly after: Files };

/** The files of the first sample repository on both of its branches. */
function readSample(): Sample {
  const samples = sampleRepositories();
  try {
    const [sample] = samples;
    if (sample === undefined) throw new Error("there is no sample repository");
    const { made } = sample;
    const read = (branch: string): Files => {
      const paths = made.git("ls-tree", "-r", "-z", "--name-only", branch).split("\0").filter(Boolean);
      return Object.fromEntries(paths.map((path) => [path, made.git("show", `${branch}:${path}`)]));
    };
    return { before: read("main"), after: read("feature") };
  } finally {
    for (const { made } of samples) made.remove();
  }
}

export async function openSamplePullRequest(fake: FakeGithub): Promise<PullRequest> {
  const { before, after } = readSample();
  const repository = await fake.createRepository({ files: { ...before, ...CONFIGURATION } });
  return fake.openPullRequest(repository, {
    files: after,
    title: "Find and cancel orders",
    body: "Adds finding an order by its id, and cancelling it.",
  });
}
