/**
 * The mutations of `npm run mutate`: each takes one guard away, and a test of the promise or law behind it must fail. `find` occurs once
 * in its file. `test/mutations.test.ts` checks that the table matches the sources and covers every promise.
 */

export type Mutation = {
  /** The id of a promise, or "law" for a law of the review, which has no id. */
  readonly promise: string;
  /** Completes "the program …". */
  readonly what: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** Part of the paths of the test files. Only their tests with the promise's id in their name count; for a law, all of them. */
  readonly tests: string;
};

export const MUTATIONS: readonly Mutation[] = [
  {
    promise: "P1",
    what: "lets the hooks of a repository run",
    file: "src/repository/git/run-git.ts",
    find: `    "core.hooksPath=/dev/null",\n`,
    replace: "",
    tests: "test/repository-cache.test.ts",
  },
  {
    promise: "P1",
    what: "runs the program that a repository names for watching its files",
    file: "src/repository/git/run-git.ts",
    find: `    "core.fsmonitor=false",\n`,
    replace: "",
    tests: "src/repository/git/open-repository.test.ts",
  },
  {
    promise: "P1",
    what: "lets a repository choose the protocol that git fetches with",
    file: "src/repository/git/run-git.ts",
    find: "    GIT_ALLOW_PROTOCOL: protocol,\n",
    replace: "",
    tests: "test/thorough/hostile-repository.test.ts",
  },
  {
    promise: "P2",
    what: "gives the reader process its own environment",
    file: "src/base/task-process/start-process.ts",
    find: "env: cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }",
    replace: "env: process.env",
    tests: "test/reader.test.ts",
  },
  {
    promise: "P2",
    what: "gives git the credential for any host",
    file: "src/repository/git/cache/credential-channel.ts",
    find: " || !isFor(request, address)",
    replace: "",
    tests: "test/repository-cache.test.ts",
  },
  {
    promise: "P3",
    what: "pushes without asking again whether the person has write access",
    file: "src/jobs/mentions/write/push-edits.ts",
    find: "!(await session.people.hasWriteAccess(mention.requester.login))",
    replace: "false",
    tests: "test/thorough/mentions-write.test.ts",
  },
  {
    promise: "P3",
    what: "takes a fork's commits to denied paths into a branch of the repository",
    file: "src/jobs/mentions/write/deliver-edits.ts",
    find: "if (ofFork.length > 0) return refusedFork(ofFork);",
    replace: "",
    tests: "test/thorough/mentions-write.test.ts",
  },
  {
    promise: "P3",
    what: "pushes edits with serious findings",
    file: "src/jobs/mentions/write/deliver-edits.ts",
    find: "if (blockingOf(review).length > 0)",
    replace: "if (false)",
    tests: "test/e2e/write-mode-checks.test.ts",
  },
  {
    promise: "P3",
    what: "edits files that decide what runs",
    file: "src/review/edits/check-path.ts",
    find: "if (what !== null)",
    replace: "if (false)",
    tests: "test/e2e/write-mode-checks.test.ts",
  },
  {
    promise: "P3",
    what: "pushes to the default branch",
    file: "src/jobs/mentions/write/choose-branch.ts",
    find: "headRef === defaultBranch",
    replace: "false",
    tests: "test/thorough/write-mode-branches.test.ts",
  },
  {
    promise: "P3",
    what: "lets CI run a fork's code after a second push",
    file: "src/jobs/mentions/write/find-fork-code.ts",
    find: "if (found.some(({ isFork }) => isFork)) return true;",
    replace: "",
    tests: "test/thorough/write-mode-branches.test.ts",
  },
  {
    promise: "P3",
    what: "lets a model lower the severity of a rule's finding",
    file: "src/review/findings/judge-findings.ts",
    find: "index === 0 || finding.rule !== null",
    replace: "index === 0",
    tests: "src/review/findings/judge-findings.test.ts",
  },
  {
    promise: "P3",
    what: "lets a verifier withdraw a finding without a line of code that decides",
    file: "src/tools/give-verdict.ts",
    find: `verdict: evidence === null ? "unsure" : verdict,`,
    replace: "verdict,",
    tests: "test/e2e/verification.test.ts",
  },
  {
    promise: "P4",
    what: "reads the configuration from the head of the change",
    file: "src/jobs/gathering/gather-config.ts",
    find: `const commit = policy ?? change.head ?? "HEAD";`,
    replace: `const commit = change.head ?? policy ?? "HEAD";`,
    tests: "test/e2e/policy.test.ts",
  },
  {
    promise: "P5",
    what: "leaves tokens valid when their job has ended",
    file: "src/forge/github/session-tokens.ts",
    find: "for (const token of all.splice(0)) await revokeToken(token, deps);",
    replace: "",
    tests: "test/forge-github.test.ts",
  },
  {
    promise: "P5",
    what: "asks for a token for all repositories of the installation",
    file: "src/forge/github/session-tokens.ts",
    find: "      repository_ids: [deps.forgeId],\n",
    replace: "",
    tests: "test/forge-github.test.ts",
  },
  {
    promise: "P6",
    what: "publishes mentions of a change as they are",
    file: "src/review/publication/render/safe-markdown.ts",
    find: "    /(?<mention>@)/,\n",
    replace: "",
    tests: "src/review/publication/render/render-markdown.test.ts",
  },
  {
    promise: "P7",
    what: "trusts a marker without a valid signature",
    file: "src/forge/github/markers.ts",
    find: "return isSigned(signedParts(scope, content), signature) ? content : null;",
    replace: "return content;",
    tests: "src/forge/github/markers.test.ts",
  },
  {
    promise: "P8",
    what: "connects to private addresses",
    file: "src/registries/public-address.ts",
    find: `return !never4.check(address, "ipv4") && (mayBePrivate || !notPublic4.check(address, "ipv4"));`,
    replace: `return !never4.check(address, "ipv4");`,
    tests: "src/registries/public-address.test.ts",
  },
  {
    promise: "P8",
    what: "sends a token to the host that a redirect names",
    file: "src/registries/http-client.ts",
    find: "const { authorization: _, ...headers } = hop.headers;",
    replace: "const { headers } = hop;",
    tests: "src/registries/http-client.test.ts",
  },
  {
    promise: "P8",
    what: "sends the operator's token for a repository that isn't public",
    file: "src/registries/github-access.ts",
    find: `if (visibility === "hidden") return { kind: "absent" };`,
    replace: `if (visibility === "hidden") return withToken.get(url, options);`,
    tests: "test/e2e/private-repositories.test.ts",
  },
  {
    promise: "P8",
    what: "sends the names of packages next to a private registry",
    file: "src/ecosystems/privacy.ts",
    find: `return sources.some(isPrivateSource) && !isFromPublicSource({ ecosystem, name, origins }, sources);`,
    replace: "return sources.length < 0;",
    tests: "test/e2e/private-packages.test.ts",
  },
  {
    promise: "P9",
    what: "masks no secret",
    file: "src/base/secrets/mask-secrets.ts",
    find: "for (const { kind, start, end } of withoutOverlaps(spans)) {",
    replace: "for (const { kind, start, end } of withoutOverlaps(spans).slice(0, 0)) {",
    tests: "test/secret-corpus.test.ts",
  },
  {
    promise: "P9",
    what: "keeps the lines of a change in the memory of its review",
    file: "src/cli/hide-lines.ts",
    find: `return mapTexts(files, (text) => hashes.get(text) ?? text.replace(UNKNOWN, ""));`,
    replace: "return files;",
    tests: "src/cli/review-memory.test.ts",
  },
  {
    promise: "P11",
    what: "counts only settled amounts as spent",
    file: "src/store/repositories/spendings.ts",
    find: "sum(coalesce(settled_micro_usd, reserved_micro_usd))",
    replace: "sum(coalesce(settled_micro_usd, 0))",
    tests: "test/spending.test.ts",
  },
  {
    promise: "P12",
    what: "lets a comment of the change ignore an attempt to steer",
    file: "src/review/findings/rules/always-reported.ts",
    find: "return finding.rule !== null && ALWAYS_REPORTED.has(finding.rule);",
    replace: "return false;",
    tests: "src/review/findings/judge-findings.test.ts",
  },
  {
    promise: "P13",
    what: "acknowledges a webhook before its commit is on disk",
    file: "src/store/store.ts",
    find: `const database = await open({ path, synchronous: "full" }, KNOWLEDGE_SCHEMA);`,
    replace: `const database = await open({ path, synchronous: "normal" }, KNOWLEDGE_SCHEMA);`,
    tests: "src/store/store.test.ts",
  },
  {
    promise: "P13",
    what: "opens SQLite so that a commit doesn't wait for the disk",
    file: "src/store/sqlite/sqlite-database.ts",
    find: "pragma synchronous = ${synchronous}",
    replace: "pragma synchronous = normal",
    tests: "src/store/store.test.ts",
  },
  {
    promise: "P13",
    what: "acknowledges a webhook that the database refused",
    file: "src/server/webhook-handler.ts",
    find: `return reject("database", deps);`,
    replace: `return { status: 202, body: {} };`,
    tests: "test/e2e/github-app-disk.test.ts",
  },
  {
    promise: "P14",
    what: "creates a comment again without looking for it first",
    file: "src/forge/github/publish/create-once.ts",
    find: `if (known !== null) return { kind: "found", id: known };`,
    replace: "",
    tests: "test/forge-github-publish.test.ts",
  },
  {
    promise: "P15",
    what: "finds no open pull request that no delivery announced",
    file: "src/jobs/reconcile.ts",
    find: "const swept = isFull || redelivered > 0 ? await sweep(context, deps) : 0;",
    replace: "const swept = 0;",
    tests: "test/e2e/github-app-healing.test.ts",
  },
  {
    promise: "P16",
    what: "lets unfinished requests keep their memory",
    file: "src/server/body-memory.ts",
    find: "      oldest.evict();\n",
    replace: "",
    tests: "src/server/body-memory.test.ts",
  },
  {
    promise: "P16",
    what: "lets strangers hold any number of connections open",
    file: "src/server/server.ts",
    find: "maxWaiting: MAX_WAITING_CONNECTIONS,",
    replace: "maxWaiting: Number.POSITIVE_INFINITY,",
    tests: "test/thorough/github-app-flood.test.ts",
  },
  {
    promise: "P17",
    what: "doesn't list a file that exceeded its limits as not read",
    file: "src/jobs/reading/run-rules.ts",
    find: `    case "over-limit":\n      unreadPaths.set(path, "limit:file-cost");\n`,
    replace: `    case "over-limit":\n`,
    tests: "test/reader.test.ts",
  },
  {
    promise: "P17",
    what: "calls a review complete although its dependencies weren't compared",
    file: "src/jobs/reading/find-gaps.ts",
    find: "    ...unread,\n",
    replace: "",
    tests: "src/jobs/gathering/dependencies/stopped-comparison.test.ts",
  },
  {
    promise: "P18",
    what: "writes as fast as it can",
    file: "src/forge/github/rate-limiter.ts",
    find: "await waitFor(() => Math.max(pausedUntilMs, nextWriteAt(writeTimes)), route);",
    replace: "await waitFor(() => pausedUntilMs, route);",
    tests: "src/forge/github/rate-limiter.test.ts",
  },
  {
    promise: "P18",
    what: "sends requests before the time that GitHub named",
    file: "src/forge/github/rate-limiter.ts",
    find: "pausedUntilMs = Math.max(pausedUntilMs, untilMs);",
    replace: "",
    tests: "src/forge/github/rate-limiter.test.ts",
  },
  {
    promise: "P19",
    what: "lets each machine go by its own clock on PostgreSQL",
    file: "src/store/store.ts",
    find: "      now: clock.now,\n",
    replace: "      now: Date.now,\n",
    tests: "test/thorough/postgres-clocks.test.ts",
  },
  {
    promise: "P20",
    what: "serves one installation until its backlog is done",
    file: "src/queue/sqlite/claim-job.ts",
    find: "  await sql.query(END_TURN, [candidate.lane, candidate.job_group, candidate.is_shared]);\n",
    replace: "",
    tests: "test/queue.test.ts",
  },
  {
    promise: "law",
    what: "lets rules read only the files that no model has read",
    file: "src/jobs/reading/review-with-rules.ts",
    find: "    {\n      change,\n      analysis,",
    replace:
      "    {\n      change: { ...change, files: change.files.filter(({ path }) => prepared.scope.byPath.get(path)?.some((hunk) => hunk.status !== 'carried') ?? true) },\n      analysis,",
    tests: "test/no-false-all-clear.test.ts",
  },
  {
    promise: "law",
    what: "calls a review complete although a check couldn't run",
    file: "src/review/findings/checks.ts",
    find: `return reason !== "off";`,
    replace: `return reason === "failed";`,
    tests: "src/review/findings/checks.test.ts",
  },
  {
    promise: "law",
    what: "takes the silence of a rule that lacked its input as proof",
    file: "src/review/findings/checks.ts",
    find: "(paths === null || paths.includes(path)) &&",
    replace: "false &&",
    tests: "src/review/findings/checks.test.ts",
  },
  {
    promise: "law",
    what: "takes the silence of a model as proof",
    file: "src/review/findings/carry-prior.ts",
    find: `if (answer?.verdict === "fixed")`,
    replace: `if (answer?.verdict === "fixed" || (answer === undefined && now?.kind !== "same"))`,
    tests: "src/review/findings/settle-prior.test.ts",
  },
  {
    promise: "law",
    what: "keeps the severity that an earlier review gave a finding",
    file: "src/review/findings/judge-findings.ts",
    find: "const [judged] = best === undefined ? [] : rank([{ ...best, others }], situation, suggestions);",
    replace:
      "const [judged] = best === undefined ? [] : rank([{ ...best, others, candidate: { ...best.candidate, severity: prior.severity } }], situation, suggestions);",
    tests: "src/review/findings/settle-prior.test.ts",
  },
  {
    promise: "law",
    what: "takes findings that name different code for the same one",
    file: "src/review/findings/named-code.ts",
    find: "return !mentions(other, named) && !mentions(one, otherNamed);",
    replace: "return false;",
    tests: "src/review/findings/named-code.test.ts",
  },
  {
    promise: "law",
    what: "compares masked lines of the memory with the lines of the change",
    file: "src/cli/hide-lines.ts",
    find: "const texts = new Map(Array.from(hashes, ([text, hash]) => [hash, text]));",
    replace: "const texts = new Map<string, string>();",
    tests: "src/cli/review-memory.test.ts",
  },
  {
    promise: "P21",
    what: "takes forms of other sites",
    file: "src/dashboard/serve-dashboard.ts",
    find: "!isSentByOwnPage(request, origin)",
    replace: "false",
    tests: "test/dashboard-sign-in.test.ts",
  },
  {
    promise: "P21",
    what: "opens a repository's pages to everyone who is signed in",
    file: "src/dashboard/serve-dashboard.ts",
    find: 'page.needs === "repository" && ',
    replace: "false && ",
    tests: "test/dashboard-access.test.ts",
  },
  {
    promise: "P21",
    what: "lets everyone change a repository's memory",
    file: "src/dashboard/actions/perform-action.ts",
    find: 'action.needs === "write" ? judgeRepository(target.repositoryId, grant) : null',
    replace: "null",
    tests: "test/dashboard-access.test.ts",
  },
  {
    promise: "P21",
    what: "asks GitHub once a day what a person may read",
    file: "src/dashboard/access/person-access.ts",
    find: "const ACCESS_TTL_MS = 5 * 60_000;",
    replace: "const ACCESS_TTL_MS = 24 * 60 * 60_000;",
    tests: "test/dashboard-sign-in.test.ts",
  },
  {
    promise: "P21",
    what: "takes a sign-in that another browser began",
    file: "src/dashboard/access/sign-in.ts",
    find: " || !isEqualSecret(begun.challenge, hashSecret(verifier))",
    replace: "",
    tests: "test/dashboard-sign-in.test.ts",
  },
  {
    promise: "law",
    what: "lets a model's word count about a security finding",
    file: "src/jobs/memory/read-reply-recipe.ts",
    find: ` || finding.category === "security"`,
    replace: "",
    tests: "src/jobs/memory/read-reply-recipe.test.ts",
  },
  {
    promise: "law",
    what: "forgets what a model understood of a reply",
    file: "src/jobs/memory/read-reply-recipe.ts",
    find: "readings.find((each) => each.key === key) ?? (await ask(found, attempt, deps))",
    replace: "await ask(found, attempt, deps)",
    tests: "src/jobs/memory/read-reply-recipe.test.ts",
  },
  {
    promise: "law",
    what: "lets feedback hide findings that are beyond it",
    file: "src/review/findings/rules/feedback-suppressions.ts",
    find: "  if (isBeyondFeedback(candidate)) return KEEP;\n  const ruling",
    replace: "  const ruling",
    tests: "test/memory-laws.test.ts",
  },
  {
    promise: "law",
    what: "lets strangers teach",
    file: "src/memory/feedback.ts",
    find: `  return teaches || reason === "author-with-access";`,
    replace: `  return teaches || reason !== "bot";`,
    tests: "test/memory-laws.test.ts",
  },
  {
    promise: "law",
    what: "dismissing leaves the check as it is",
    file: "src/jobs/mentions/immediate/settle-after.ts",
    find: "const jobs = [planSettle({ repositoryRef, number, name }), planLearn({ repositoryRef, number, name })];",
    replace: "const jobs = [planLearn({ repositoryRef, number, name })];",
    tests: "test/e2e/settling.test.ts",
  },
  {
    promise: "law",
    what: "takes a question for an order",
    file: "src/jobs/mentions/parse-mention.ts",
    find: 'return position !== "start" && ALL_COMMANDS[kind].who === "writer";',
    replace: "return false;",
    tests: "test/e2e/mention-grammar.test.ts",
  },
  {
    promise: "law",
    what: "answers a question without knowing its own findings",
    file: "src/review/prompt/surroundings/show-surroundings.ts",
    find: `  { name: "findings", render: showFindings },\n`,
    replace: "",
    tests: "test/e2e/mentions-knowledge.test.ts",
  },
  {
    promise: "P14",
    what: "doesn't look for its answer after a crash",
    file: "src/forge/github/publish/publish-answer.ts",
    find: "find: async () => (await findComments(number, draft.scope, deps))[0]?.id ?? null,",
    replace: "find: async () => null,",
    tests: "test/thorough/forge-github-mentions.test.ts",
  },
];

/** Replaces the one occurrence. Throws when there is none or more: then the table is out of date. */
export function applyMutation(text: string, { file, find, replace }: Mutation): string {
  const [before, after, ...more] = text.split(find);
  if (find === "" || before === undefined || after === undefined || more.length > 0)
    throw new Error(`${file} must contain this exactly once. Update scripts/testing/mutations.ts: ${find}`);
  return `${before}${replace}${after}`;
}

/**
 * Counts the tests in output in the TAP format. A promise's tests have its id in their name. A file that can't be loaded is a failure
 * under its path, and proves nothing.
 */
export function summarizeTap(
  output: string,
  promise: string,
): { readonly passed: number; readonly failed: number } {
  const counted = { passed: 0, failed: 0 };
  for (const [, not, name = "", skipped] of output.matchAll(
    /^ *(not )?ok \d+ - (.*?)( # (?:SKIP|TODO).*)?$/gm,
  )) {
    const isOwn = promise === "law" ? !name.endsWith(".test.ts") : name.includes(`[${promise}]`);
    if (isOwn && skipped === undefined) counted[not === undefined ? "passed" : "failed"]++;
  }
  return counted;
}
