/**
 * Shared setup for tests of publishing: a pull request on the fake GitHub, the real adapter, and a journal in memory. Waiting advances
 * the fake's clock instead of taking time, and a crash is a journal that stops.
 */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { KodiaiError } from "../../src/base/errors.ts";
import { createLog } from "../../src/base/log.ts";
import type {
  Forge,
  ForgeSession,
  JournalEntry,
  HostedRef,
  RepositoryRef,
  PublicationJournal,
  PublicationPart,
  PublishOutcome,
  PublishRequest,
} from "../../src/forge/forge.ts";
import { createGithubForge } from "../../src/forge/github/github-forge.ts";
import type {
  InlineComment,
  PullRequestPublication,
} from "../../src/review/publication/pull-request-publication.ts";
import type { AppOptions } from "../../fake-github/app.ts";
import { type FakeGithub, startFakeGithub } from "../../fake-github/fake-github.ts";
import type { PullRequest, Repository } from "../../fake-github/world.ts";

export type Connected = { readonly fake: FakeGithub; readonly forge: Forge; readonly logged: string[] };

export async function connect(t: TestContext, app: AppOptions = {}): Promise<Connected> {
  const fake = await startFakeGithub(app);
  t.after(() => fake.close());
  const logged: string[] = [];
  const forge = createForge(fake, logged);
  return { fake, forge, logged };
}

/** Another process of the same app, which knows only what was stored. */
export function createForge(fake: FakeGithub, logged: string[] = [], aheadMs = 0): Forge {
  const now = (): number => fake.clock.now() + aheadMs;
  return createGithubForge({
    appId: fake.appId,
    privateKeyPem: fake.privateKeyPem,
    webhookSecret: fake.webhookSecret,
    apiUrl: fake.url,
    userAgent: "kodiai-test",
    now,
    sleep: async (delayMs) => fake.clock.advance(delayMs),
    log: createLog({ level: "debug", format: "json", write: (line) => logged.push(line), now }),
  });
}

/** As the forge returns it, if it's given its host. */
export function hostedRefOf({ id, owner, name, installation }: Repository, host = "here"): HostedRef {
  assert.ok(installation !== null);
  return { host, installationId: installation.id, forgeId: id, owner: owner.login, name };
}

/** With an id of ours that isn't the host's number, so that neither can be taken for the other. */
export function repositoryRefOf(repository: Repository): RepositoryRef {
  return { ...hostedRefOf(repository), repositoryId: repository.id + 7_000_000 };
}

/** The point of the crash: at the n-th durable write, before or after it is on disk. */
export type Crash = { readonly atWrite: number; readonly isStored: boolean };

export const CRASH = new Error("the process crashed here");

export type MemoryJournal = PublicationJournal & {
  readonly intents: Map<PublicationPart, JournalEntry>;
  writes: number;
  crash: Crash | null;
};

export function createMemoryJournal(): MemoryJournal {
  const intents = new Map<PublicationPart, JournalEntry>();
  const journal: MemoryJournal = {
    intents,
    writes: 0,
    crash: null,
    read: async (part) => intents.get(part) ?? null,
    async write(part, intent) {
      journal.writes += 1;
      const isCrash = journal.crash?.atWrite === journal.writes;
      if (!isCrash || journal.crash?.isStored === true) intents.set(part, structuredClone(intent));
      if (isCrash) throw CRASH;
    },
  };
  return journal;
}

export type Scenario = Connected & {
  readonly repository: Repository;
  readonly pullRequest: PullRequest;
  readonly journal: MemoryJournal;
  /** The publication; tests change it. */
  publication: (head: string) => PullRequestPublication;
  /** One attempt of a job in a new session; in another process if a forge is given. */
  publish(more?: Partial<PublishRequest>, forge?: Forge): Promise<PublishOutcome>;
  /** Repeats attempts like the worker: waits when required and retries after network failures. */
  publishUntilDone(more?: Partial<PublishRequest>): Promise<PublishOutcome>;
  inSession<Value>(work: (session: ForgeSession) => Promise<Value>, forge?: Forge): Promise<Value>;
};

const LINES = Array.from({ length: 12 }, (_, index) => `const added${index + 1} = ${index + 1};`);

/** A comment on a line of `new.ts`, which has twelve added lines; GitHub refuses any other line. */
export function commentOn(line: number, more: Partial<InlineComment> = {}): InlineComment {
  return {
    findingId: `finding-${line}`,
    path: "new.ts",
    side: "new",
    startLine: line,
    endLine: line,
    body: `About line ${line}.`,
    ...more,
  };
}

export function publicationOf(
  head: string,
  comments: readonly InlineComment[],
  event: "comment" | "approve" = "comment",
): PullRequestPublication {
  const review =
    comments.length === 0 && event === "comment" ? null : { event, body: "What was found.", comments };
  const summary = `Reviewed ${head.slice(0, 8)}: ${comments.length} on lines.`;
  const check = { conclusion: "neutral", title: "Done", summary: "All of it.", annotations: [] } as const;
  return { head, review, summary, isSummaryWanted: true, state: "", check };
}

const MOST_TRIES = 12;

/** `app` is the app that writes, if it isn't ours; `fork` the person whose fork of a public repository the branch is in. */
export async function startScenario(
  t: TestContext,
  { fork, ...app }: AppOptions & { readonly fork?: string } = {},
): Promise<Scenario> {
  const connected = await connect(t, app);
  const { fake } = connected;
  const repository = await fake.createRepository({ name: "shop", isPrivate: fork === undefined });
  const pullRequest = await fake.openPullRequest(repository, {
    files: { "new.ts": `${LINES.join("\n")}\n` },
    ...(fork !== undefined && { fork }),
  });
  const journal = createMemoryJournal();
  const scenario: Scenario = {
    ...connected,
    repository,
    pullRequest,
    journal,
    publication: (head) => publicationOf(head, [commentOn(1), commentOn(5, { startLine: 3 })]),
    async inSession(work, forge = connected.forge) {
      const session = forge.openSession(repositoryRefOf(repository));
      try {
        return await work(session);
      } finally {
        await session.close();
      }
    },
    publish: (more = {}, forge = connected.forge) =>
      scenario.inSession(async (session) => {
        const read = await session.pullRequests.read(pullRequest.number);
        return session.reviews.publish(requestFor(scenario, read, more));
      }, forge),
    async publishUntilDone(more = {}) {
      for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
        try {
          const outcome = await scenario.publish(more);
          if (outcome.kind !== "wait") return outcome;
          fake.clock.advance(Math.max(outcome.untilMs - fake.clock.now(), 0));
        } catch (error) {
          if (error === CRASH) journal.crash = null;
          else if (!(error instanceof KodiaiError && error.retryable)) throw error;
          // The lease of a crashed worker must expire, and a retry waits first.
          fake.clock.advance(15_000);
        }
      }
      assert.fail(`not done after ${MOST_TRIES} tries`);
    },
  };
  return scenario;
}

function requestFor(
  scenario: Scenario,
  pullRequest: PublishRequest["pullRequest"],
  more: Partial<PublishRequest>,
): PublishRequest {
  const intended = scenario.publication(pullRequest.head);
  return {
    pullRequest,
    compose: (moved, threads = new Map()) => {
      const ids = new Set(moved.map(({ findingId }) => findingId));
      const comments = (intended.review?.comments ?? []).filter(({ findingId }) => !ids.has(findingId));
      const rest = publicationOf(intended.head, comments, intended.review?.event);
      const links = [...threads].map(([findingId, url]) => `\n${findingId}: ${url}`).join("");
      const summary = `${rest.summary} Moved: ${[...ids].join(" ") || "none"}.${links}`;
      const { state, check, isSummaryWanted } = intended;
      return { ...rest, summary, isSummaryWanted, state, check };
    },
    journal: scenario.journal,
    request: "",
    guard: async () => "go",
    mayBeDraft: false,
    threadsToResolve: [],
    ...more,
  };
}
