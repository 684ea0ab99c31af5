import assert from "node:assert/strict";
import { test } from "node:test";
import type { RegisteredEvent, Person, RepositoryRef, PullRequestAction } from "../forge/forge.ts";
import type { JobRequest } from "../queue/queue.ts";
import { MENTION_KIND, MENTION_LANE, OUTSIDER_LANES, parseMentionJob } from "./mentions/mention-job.ts";
import { planJob, planReview, type Plan } from "./plan-job.ts";
import { dependsOnName } from "./record-delivery.ts";
import {
  CLOSE_KIND,
  LEARN_KIND,
  parseReviewJob,
  REVIEW_KIND,
  REVIEW_TRIGGERS,
  type ReviewTrigger,
} from "./review-job.ts";

const SLUG = "kodiai";
const REPOSITORY: RepositoryRef = {
  host: "github.com",
  installationId: 7,
  forgeId: 9,
  repositoryId: 42,
  owner: "octo",
  name: "cat",
};
const HEAD = "a".repeat(40);
const OTHER_HEAD = "b".repeat(40);
const ADA: Person = { login: "ada", isBot: false };
const OURSELVES: Person = { login: "Kodiai[bot]", isBot: true };
const DEPENDABOT: Person = { login: "dependabot[bot]", isBot: true };

type PullRequestEvent = RegisteredEvent & { kind: "pull-request" };
type CommentEvent = RegisteredEvent & { kind: "comment" };
type CheckEvent = RegisteredEvent & { kind: "check-rerequested" };

function pullRequestEvent(
  action: PullRequestAction,
  given: Partial<PullRequestEvent["pullRequest"]> = {},
  more: Partial<PullRequestEvent> = {},
): PullRequestEvent {
  const pullRequest = {
    number: 5,
    head: HEAD,
    isDraft: false,
    isOpen: action !== "closed",
    title: "feat: log in",
    author: ADA,
    ...given,
  };
  return {
    kind: "pull-request",
    action,
    repositoryRef: REPOSITORY,
    pullRequest,
    previousTitle: null,
    sender: ADA,
    requestId: "r1",
    ...more,
  };
}

function commentEvent(body: string, more: Partial<CommentEvent> = {}): CommentEvent {
  return {
    kind: "comment",
    repositoryRef: REPOSITORY,
    number: 5,
    isPullRequest: true,
    target: { kind: "issue-comment", id: 99 },
    threadRoot: null,
    source: "comment",
    body,
    edit: null,
    sender: ADA,
    senderId: 1,
    writtenAt: 1_000,
    isOwn: false,
    isInsider: true,
    requestId: "c99",
    ...more,
  };
}

function checkEvent(more: Partial<CheckEvent> = {}): CheckEvent {
  return {
    kind: "check-rerequested",
    repositoryRef: REPOSITORY,
    number: 5,
    head: HEAD,
    sender: ADA,
    requestId: "k1",
    ...more,
  };
}

function requestOf(plan: Plan): JobRequest {
  assert.equal(plan.kind, "enqueue");
  return plan.request;
}

function keyOf(event: RegisteredEvent): string {
  return requestOf(planJob(event, SLUG)).key;
}

/** Events that become a review, and the payload of its job. */
const REVIEWS: readonly {
  readonly event: RegisteredEvent;
  readonly trigger: ReviewTrigger;
  readonly name: string;
  readonly priority: number;
  readonly request: string;
}[] = [
  { event: pullRequestEvent("opened"), trigger: "opened", name: HEAD, priority: 0, request: "" },
  { event: pullRequestEvent("synchronize"), trigger: "synchronize", name: HEAD, priority: 0, request: "" },
  { event: pullRequestEvent("reopened"), trigger: "reopened", name: "reopened/r1", priority: 0, request: "" },
  {
    event: pullRequestEvent("ready-for-review"),
    trigger: "ready-for-review",
    name: "ready-for-review/r1",
    priority: 0,
    request: "",
  },
  {
    event: pullRequestEvent("review-requested"),
    trigger: "review-requested",
    name: "review-requested/r1",
    priority: 10,
    request: "r1",
  },
  {
    event: pullRequestEvent("base-changed"),
    trigger: "base-changed",
    name: "base-changed/r1",
    priority: 0,
    request: "r1",
  },
  {
    event: pullRequestEvent("title-changed", {}, { previousTitle: "[wip] feat: log in" }),
    trigger: "title-changed",
    name: "title-changed/r1",
    priority: 0,
    request: "",
  },
  {
    event: checkEvent(),
    trigger: "check-rerequested",
    name: "check-rerequested/k1",
    priority: 10,
    request: "k1",
  },
];

for (const { event, trigger, name, priority, request } of REVIEWS) {
  test(`${trigger} requests a review`, () => {
    const { payload, ...job } = requestOf(planJob(event, SLUG));
    assert.deepEqual(job, {
      key: `${REVIEW_KIND}/42/5/${name}`,
      kind: REVIEW_KIND,
      lane: "review",
      serialKey: "review/42/5",
      supersedes: true,
      group: "7",
      priority,
      delayMs: 0,
    });
    assert.deepEqual(parseReviewJob(payload), {
      repositoryRef: REPOSITORY,
      number: 5,
      trigger,
      request,
      isFull: false,
      reactTo: null,
      requester: { ...ADA, isInsider: false },
    });
  });
}

const EDITS: readonly (readonly [from: string, to: string, isReviewed: boolean])[] = [
  ["[wip] log in", "log in", true],
  ["[WIP] log in", "Log in", true],
  ["log in [draft]", "log in", true],
  ["[no-review] log in", "log in", true],
  ["[No Review] log in", "[strict-review] log in", true],
  ["[wip] [no-review] log in", "[wip] log in", false],
  ["[wip] log in", "[draft] log in", false],
  ["log in", "[wip] log in", false],
  ["log in", "log out", false],
  ["[strict-review] log in", "log in", false],
  ["Parse `[wip]`", "Parse tags", false],
];

for (const [from, to, isReviewed] of EDITS) {
  test(`editing the title ${from} to ${to} ${isReviewed ? "starts a review" : "has no effect"}`, () => {
    const more = { previousTitle: from };
    const plan = planJob(pullRequestEvent("title-changed", { title: to }, more), SLUG);
    if (!isReviewed) assert.deepEqual(plan, { kind: "skip", reason: "skipped:edited-without-effect" });
    else assert.equal(parseReviewJob(requestOf(plan).payload).trigger, "title-changed");
    // The same edit also changed the base.
    const both = requestOf(planJob(pullRequestEvent("base-changed", { title: to }, more), SLUG));
    assert.equal(parseReviewJob(both.payload).trigger, isReviewed ? "title-changed" : "base-changed");
  });
}

test("a command becomes a mention, on pull requests and issues, in threads and in reviews", () => {
  for (const { more, command } of [
    { more: { body: "@kodiai review" }, command: { kind: "review", isFull: false } },
    { more: { body: "/kodiai full review" }, command: { kind: "review", isFull: true } },
    { more: { body: "@kodiai resume" }, command: { kind: "resume" } },
    { more: { body: "@kodiai dance" }, command: { kind: "unknown", word: "dance" } },
    {
      more: { body: "@kodiai why is this slow?", isPullRequest: false, isInsider: false, senderId: null },
      command: { kind: "ask", question: "why is this slow?" },
    },
    {
      more: {
        body: "@kodiai fix",
        target: { kind: "review-comment", id: 98 },
        threadRoot: 97,
      },
      command: { kind: "fix", findings: "thread", instruction: "", isHere: false },
    },
    {
      more: { body: "Looks good.\n\n@kodiai pause", target: { kind: "pull-request", id: 5 } },
      command: { kind: "pause" },
    },
  ] as const) {
    const event = commentEvent("", more);
    const { payload, ...job } = requestOf(planJob(event, SLUG));
    const isInsider = event.isInsider;
    assert.deepEqual(job, {
      key: `${MENTION_KIND}/42/5/c99`,
      kind: MENTION_KIND,
      lane: isInsider ? MENTION_LANE : OUTSIDER_LANES[MENTION_KIND],
      serialKey: isInsider ? "mention/42/5" : "mention/42/by/ada",
      supersedes: false,
      group: isInsider ? "talk/7" : job.group,
      priority: 10,
      delayMs: 0,
    });
    assert.deepEqual(parseMentionJob(payload), {
      repositoryRef: REPOSITORY,
      place: { number: 5, target: event.target, threadRoot: event.threadRoot },
      isPullRequest: event.isPullRequest,
      requester: { ...ADA, isInsider: event.isInsider },
      requesterId: event.senderId,
      command,
      requestId: "c99",
      writtenAt: 1_000,
    });
  }
});

/** The commands of the mentions that an event becomes, in their order. */
function commandsOf(event: RegisteredEvent): readonly string[] {
  const plan = planJob(event, SLUG);
  if (plan.kind !== "enqueue") return [];
  const jobs = [plan.request, ...(plan.also ?? [])].filter(({ kind }) => kind === MENTION_KIND);
  return jobs.map(({ payload }) => parseMentionJob(payload).command.kind);
}

test("several commands in a comment become several mentions, each with a name of its own", () => {
  const plan = planJob(commentEvent("@kodiai dismiss 1 no\n@kodiai review"), SLUG);
  assert.ok(plan.kind === "enqueue");
  const jobs = [plan.request, ...(plan.also ?? [])];
  assert.deepEqual(
    jobs.map(({ key, payload }) => `${key} ${parseMentionJob(payload).command.kind}`),
    ["mention/42/5/c99 dismiss", "mention/42/5/c99/2 review"],
  );
  const second = planJob(commentEvent("@kodiai ask a\n@kodiai review\n@kodiai pause"), SLUG);
  assert.ok(second.kind === "enqueue");
  // Each waits for those before it, in a line in which no other mention waits for it.
  assert.deepEqual(
    [second.request, ...(second.also ?? [])].map(({ serialKey, payload }) => [
      serialKey,
      parseMentionJob(payload).after,
    ]),
    [
      ["mention/42/5", undefined],
      ["mention/42/5/c99", ["c99"]],
      ["mention/42/5/c99", ["c99/2", "c99"]],
    ],
  );
});

test("a mention that an edit adds within ten minutes counts, once", () => {
  const edited = (body: string, from: string, minutes: number) =>
    commandsOf(commentEvent(body, { edit: { from, ageMs: minutes * 60_000 } }));
  assert.deepEqual(edited("@kodiai review", "Done.", 10), ["review"]);
  assert.deepEqual(edited("@kodiai review", "Done.", 10.1), []);
  assert.deepEqual(edited("@kodiai review", "@kodiai summary", 1), []);
  assert.deepEqual(edited("Done.", "@kodiai review", 1), []);
  assert.equal(
    keyOf(commentEvent("@kodiai review", { edit: { from: "", ageMs: 1 } })),
    keyOf(commentEvent("@kodiai review")),
    "a comment has one mention of each place",
  );
});

test("descriptions count where they address the app, and a new pull request is reviewed as well", () => {
  const text = (body: string) => {
    const {
      kind: _,
      repositoryRef: __,
      sender: ___,
      ...rest
    } = commentEvent(body, { source: "description" });
    return rest;
  };
  const opened = (body: string) => pullRequestEvent("opened", {}, { description: text(body) });
  const plan = planJob(opened("Adds a retry.\n\n@kodiai summary"), SLUG);
  assert.ok(plan.kind === "enqueue");
  assert.deepEqual([plan.request.kind, plan.also?.map(({ kind }) => kind)], [REVIEW_KIND, [MENTION_KIND]]);
  assert.deepEqual(commandsOf(opened("- [ ] I asked @kodiai for a review")), []);
  assert.deepEqual(
    commandsOf(commentEvent("@kodiai help", { source: "description", isPullRequest: false })),
    ["help"],
  );
});

test("a reply that asks something may be answered without a mention, and teaches as before", () => {
  const reply = { target: { kind: "review-comment", id: 98 }, threadRoot: 97 } as const;
  const asked = planJob(commentEvent("Why is that a problem?", reply), SLUG);
  assert.ok(asked.kind === "enqueue");
  assert.deepEqual([asked.request.kind, asked.also?.length], [LEARN_KIND, 1]);
  assert.equal(parseMentionJob(asked.also?.[0]?.payload ?? "").isUnaddressed, true);
  for (const body of ["Fixed.", "> why?\n\nAs I said.", "@ben why?", "`a ? b : c`"])
    assert.deepEqual(commandsOf(commentEvent(body, reply)), [], body);
  assert.deepEqual(
    commandsOf(commentEvent("Why?", { ...reply, threadRoot: 98 })),
    [],
    "it starts its thread",
  );
});

test("installations take turns, and so do the people of one who aren't on its team", () => {
  const groupOf = (login: string, installationId = 7): string =>
    requestOf(
      planJob(
        commentEvent("@kodiai help", {
          sender: { login, isBot: false },
          isInsider: false,
          repositoryRef: { ...REPOSITORY, installationId },
        }),
        SLUG,
      ),
    ).group;
  assert.equal(groupOf("mallory"), groupOf("mallory"));
  assert.notEqual(groupOf("mallory"), groupOf("mallory", 8));
  const groups = new Set(Array.from({ length: 1_000 }, (_, index) => groupOf(`person-${index}`)));
  assert.equal(groups.size, 8, "a thousand accounts get no more turns than these");
  assert.ok(!groups.has("7"), "nor those of the installation's reviews");
});

test("until the app's name is known, a command to the assumed name waits like any comment", () => {
  for (const body of ["@kodiai review", "/kodiai review", "@octo-reviewer review", "Looks good."])
    assert.equal(dependsOnName(planJob(commentEvent(body), SLUG)), true, body);
  for (const event of [
    pullRequestEvent("opened"),
    commentEvent("@kodiai review", { isOwn: true }),
    commentEvent("Looks good.", { sender: DEPENDABOT }),
  ])
    assert.equal(dependsOnName(planJob(event, SLUG)), false);
});

test("a review that a team member requests in a comment replaces a running one; one from outside the team waits for it", () => {
  for (const trigger of ["comment", "resume"] as const) {
    const [inside, outside] = [true, false].map((isInsider) =>
      planReview({
        repositoryRef: REPOSITORY,
        number: 5,
        head: "",
        isBot: false,
        trigger,
        requestId: "c99",
        isFull: false,
        reactTo: { kind: "issue-comment", id: 99 },
        requester: { ...ADA, isInsider },
      }),
    );
    assert.deepEqual([inside?.request.supersedes, outside?.request.supersedes], [true, false], trigger);
  }
});

test("jobs that other versions queued are read by their stored keys, with and without a requester", () => {
  const same = { number: 5, trigger: "opened", request: "", reactTo: null };
  const stored = { place: REPOSITORY, ...same };
  const job = { repositoryRef: REPOSITORY, ...same, isFull: false };
  assert.deepEqual(parseReviewJob(JSON.stringify(stored)), { ...job, requester: null });
  const asker = { login: "ada", isBot: false, isInsider: true };
  assert.deepEqual(parseReviewJob(JSON.stringify({ ...stored, asker })), { ...job, requester: asker });
});

test("an open, a push and a sweep of one head share one job", () => {
  const sweep = planReview({
    repositoryRef: REPOSITORY,
    number: 5,
    head: HEAD,
    isBot: false,
    trigger: "sweep",
    requestId: "",
    isFull: false,
    reactTo: null,
    requester: null,
  });
  const keys = [keyOf(pullRequestEvent("opened")), keyOf(pullRequestEvent("synchronize")), sweep.request.key];
  assert.equal(new Set(keys).size, 1);
  assert.equal(sweep.request.priority, -10, "a sweep runs after events");
  assert.equal(sweep.request.supersedes, false, "a sweep replaces no other job");
});

test("another head, pull request or repository gets another job", () => {
  const events = [
    pullRequestEvent("synchronize"),
    pullRequestEvent("synchronize", { head: OTHER_HEAD }),
    pullRequestEvent("synchronize", { number: 6 }),
    pullRequestEvent("synchronize", {}, { repositoryRef: { ...REPOSITORY, repositoryId: 43 } }),
  ];
  assert.equal(new Set(events.map(keyOf)).size, events.length);
});

test("a request that can recur at the same head gets a new job each time, and a redelivery gets the same job", () => {
  const again: readonly ((requestId: string) => RegisteredEvent)[] = [
    ...(["reopened", "ready-for-review", "review-requested", "base-changed", "closed"] as const).map(
      (action) => (requestId: string) => pullRequestEvent(action, {}, { requestId }),
    ),
    (requestId) => checkEvent({ requestId }),
    (requestId) => commentEvent("@kodiai review", { requestId }),
  ];
  const keys = new Set<string>([keyOf(pullRequestEvent("opened"))]);
  for (const event of again) {
    assert.equal(keyOf(event("r1")), keyOf(event("r1")));
    for (const requestId of ["r1", "r2"]) {
      const key = keyOf(event(requestId));
      assert.ok(!keys.has(key), `${key} was there before`);
      keys.add(key);
    }
  }
});

test("a renamed repository keeps its jobs, because keys contain no names", () => {
  const renamed = { ...REPOSITORY, owner: "new", name: "name" };
  assert.equal(
    keyOf(pullRequestEvent("opened")),
    keyOf(pullRequestEvent("opened", {}, { repositoryRef: renamed })),
  );
});

test("pull requests by bots go to the dependency lane, regardless of the event's sender", () => {
  for (const action of ["opened", "synchronize", "ready-for-review"] as const) {
    for (const sender of [ADA, DEPENDABOT]) {
      const { lane } = requestOf(planJob(pullRequestEvent(action, { author: DEPENDABOT }, { sender }), SLUG));
      assert.equal(lane, "dependency", action);
    }
  }
  const pushedByBot = pullRequestEvent("synchronize", {}, { sender: DEPENDABOT });
  assert.equal(requestOf(planJob(pushedByBot, SLUG)).lane, "review");
});

test("explicit requests have priority over events, and events over what the reconciler finds", () => {
  const explicit = new Set<ReviewTrigger>([
    "review-requested",
    "comment",
    "resume",
    "check-rerequested",
    "command-line",
  ]);
  const upkeep = new Set<ReviewTrigger>(["sweep", "model-back"]);
  for (const trigger of REVIEW_TRIGGERS) {
    const plan = {
      repositoryRef: REPOSITORY,
      number: 5,
      head: HEAD,
      isBot: false,
      requestId: "x",
      isFull: false,
      reactTo: null,
      requester: null,
    };
    const { priority, supersedes } = planReview({ ...plan, trigger }).request;
    assert.equal(priority, explicit.has(trigger) ? 10 : upkeep.has(trigger) ? -10 : 0, trigger);
    assert.equal(supersedes, !upkeep.has(trigger), trigger);
  }
});

test("closing a pull request replaces its reviews", () => {
  const closed = requestOf(planJob(pullRequestEvent("closed"), SLUG));
  const opened = requestOf(planJob(pullRequestEvent("opened"), SLUG));
  assert.equal(closed.kind, CLOSE_KIND);
  assert.equal(closed.key, `${CLOSE_KIND}/42/5/r1`);
  assert.equal(closed.serialKey, opened.serialKey);
  assert.equal(closed.group, opened.group);
  assert.ok(closed.supersedes);
  assert.ok(closed.priority > opened.priority);
});

test("our own pull requests and pushes are reviewed like anyone's", () => {
  for (const action of ["opened", "synchronize"] as const) {
    const own = requestOf(planJob(pullRequestEvent(action, {}, { sender: OURSELVES }), SLUG));
    assert.equal(own.key, requestOf(planJob(pullRequestEvent(action), SLUG)).key);
  }
});

const SKIPS: readonly (readonly [what: string, event: RegisteredEvent, reason: string])[] = [
  ["an ignored event", { kind: "ignored", reason: "unhandled-action" }, "skipped:unhandled-action"],
  [
    "an installation",
    { kind: "installation", action: "created", installationId: 7 },
    "skipped:installation-created",
  ],
  [
    "our own request for a review",
    pullRequestEvent("review-requested", {}, { sender: OURSELVES }),
    "skipped:own-event",
  ],
  ["our own close event", pullRequestEvent("closed", {}, { sender: OURSELVES }), "skipped:own-event"],
  ["an event on a closed pull request", pullRequestEvent("synchronize", { isOpen: false }), "skipped:closed"],
  ["a bot's re-run", checkEvent({ sender: DEPENDABOT }), "skipped:bot-event"],
  ["our own re-run", checkEvent({ sender: OURSELVES }), "skipped:bot-event"],
  ["a comment of ours", commentEvent("@kodiai review", { isOwn: true }), "skipped:own-comment"],
  [
    "a comment by our name, in any case",
    commentEvent("@kodiai review", { sender: OURSELVES }),
    "skipped:own-comment",
  ],
  ["a bot's comment", commentEvent("Looks good.", { sender: DEPENDABOT }), "skipped:bot-comment"],
  ["a comment without a command", commentEvent("Looks good."), "skipped:no-command"],
  ["a quoted command", commentEvent("> @kodiai review"), "skipped:no-command"],
  ["a comment on an issue", commentEvent("Me too.", { isPullRequest: false }), "skipped:no-command"],
  [
    "a command in a thread of ours by ourselves",
    commentEvent("@kodiai review", { isOwn: true, target: { kind: "review-comment", id: 99 } }),
    "skipped:own-comment",
  ],
];

for (const [what, event, reason] of SKIPS) {
  test(`${what} is ${reason}`, () => assert.deepEqual(planJob(event, SLUG), { kind: "skip", reason }));
}

test("uninstalling the app enqueues a job that deletes stored data; its payload holds only IDs", () => {
  const event = { kind: "uninstalled", installationId: 7, repositories: [42], requestId: "d1" } as const;
  const plan = planJob(event, SLUG);
  assert.ok(plan.kind === "enqueue");
  const { key, kind, payload } = plan.request;
  assert.deepEqual([key, kind], ["forget/7/d1", "forget"]);
  assert.deepEqual(JSON.parse(payload), { installationId: 7, repositoryIds: [42] });
});

test("a draft is planned like any pull request, because the repository's configuration decides", () => {
  assert.equal(planJob(pullRequestEvent("opened", { isDraft: true }), SLUG).kind, "enqueue");
});

test("a user whose name only resembles the app's is not the app", () => {
  for (const login of ["kodiai", "kodiai-fan[bot]", "xkodiai[bot]"]) {
    const sender = { login, isBot: false };
    assert.equal(planJob(pullRequestEvent("opened", {}, { sender }), SLUG).kind, "enqueue", login);
  }
});

test("replies and people's thread events read the reactions of the pull request, without touching its reviews", () => {
  const reply = commentEvent("You're right.", { target: { kind: "review-comment", id: 99 } });
  const thread = {
    kind: "thread",
    action: "resolved",
    repositoryRef: REPOSITORY,
    number: 5,
    sender: ADA,
    requestId: "t1",
  } as const;
  for (const [event, key] of [
    [reply, "learn/42/5/c99"],
    [thread, "learn/42/5/t1"],
  ] as const) {
    const request = requestOf(planJob(event, SLUG));
    assert.deepEqual(
      [request.key, request.kind, request.serialKey, request.supersedes],
      [key, LEARN_KIND, "review/42/5/feedback", true],
    );
    // The app's name isn't known yet: it may be a command.
    assert.equal(dependsOnName({ kind: "enqueue", request }), true);
  }
  assert.equal(planJob({ ...thread, sender: OURSELVES }, SLUG).kind, "skip");
  const command = { ...reply, body: "@kodiai review" };
  assert.equal(requestOf(planJob(command, SLUG)).kind, MENTION_KIND);
  const visibility = { kind: "visibility", repositoryRef: REPOSITORY, isPrivate: true } as const;
  assert.deepEqual(planJob(visibility, SLUG), visibility);
});
