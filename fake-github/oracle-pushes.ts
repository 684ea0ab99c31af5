/** The oracle's rules about pushes and the app's own pull requests. */
import type { FakeGithub } from "./fake-github.ts";
import { isProtected } from "./push-rules.ts";
import { fullName, type Push } from "./world.ts";

/** All that the token of a push may be used for. */
const USES_OF_PUSH_TOKEN: ReadonlySet<string> = new Set([
  "git/info-refs",
  "git/upload-pack",
  "git/receive-pack",
  "apps/revoke-installation-access-token",
]);

function tokenProblems(fake: FakeGithub, push: Push): readonly string[] {
  const token = fake.tokens.find(({ id }) => id === push.tokenId);
  if (token === undefined) return [];
  const { contents, metadata: _, ...others } = token.permissions;
  const isForOne = token.repositoryIds?.length === 1 && token.repositoryIds[0] === push.repository.id;
  const uses = new Set(
    fake.calls.filter(({ identity }) => identity.tokenId === token.id).map(({ operation }) => operation),
  );
  return [
    ...(contents === "write" ? [] : ["a token that can't write contents"]),
    ...Object.keys(others).map((name) => `a token that also has the permission ${name}`),
    ...(isForOne ? [] : ["a token for other repositories"]),
    ...[...uses]
      .filter((use) => !USES_OF_PUSH_TOKEN.has(use))
      .map((use) => `a token that was used for ${use}`),
  ].map((problem) => `${push.ref} of ${fullName(push.repository)} was pushed with ${problem}`);
}

function refProblems({ repository, ref, branch, refusedBecause }: Push): readonly string[] {
  const name = fullName(repository);
  return [
    ...(branch === null ? [`a push to ${ref} of ${name}, which is no branch`] : []),
    ...(branch === repository.defaultBranch ? [`a push to the default branch of ${name}`] : []),
    ...(branch !== null && refusedBecause === null && isProtected(repository, branch)
      ? [`a push to the protected branch ${branch} of ${name}`]
      : []),
  ];
}

export function pushProblems(fake: FakeGithub): readonly string[] {
  const { world } = fake;
  const pushes = world.pushes.filter(({ pusher }) => pusher === world.app.bot);
  const own = world.pullRequests.filter(({ author }) => author === world.app.bot);
  const perBranch = Map.groupBy(own, (each) => `${fullName(each.repository)} ${each.headRef}`);
  return [
    ...new Set(pushes.flatMap((push) => [...refProblems(push), ...tokenProblems(fake, push)])),
    ...[...perBranch]
      .filter(([, { length }]) => length > 1)
      .map(([branch, { length }]) => `${length} × pull request of ${branch}`),
  ];
}
