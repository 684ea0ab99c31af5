/** Tests event parsing with all of GitHub's published examples and a table of the relevant ones. */
import assert from "node:assert/strict";
import { test } from "node:test";
import examples from "@octokit/webhooks-examples/api.github.com/index.json" with { type: "json" };
import { KodiaiError } from "../../base/errors.ts";
import type { ForgeEvent } from "../forge.ts";
import { nameCheck } from "./check-name.ts";
import { parseEvent } from "./parse-event.ts";

const APP_ID = 777;
const own = { host: "github.com", appId: APP_ID, slug: "kodiai" };
const HEAD = "a".repeat(40);

const envelope = {
  installation: { id: 11 },
  repository: { id: 22, name: "shop", full_name: "acme/shop", owner: { login: "acme" } },
  sender: { id: 33, login: "ada", type: "User" },
};
const repositoryRef = { host: "github.com", installationId: 11, forgeId: 22, owner: "acme", name: "shop" };
const pullRequest = {
  number: 7,
  title: "A change",
  state: "open",
  draft: false,
  updated_at: "2026-01-02T03:04:05Z",
  user: { login: "ada", type: "User" },
  head: { sha: HEAD, repo: null },
};

function parse(event: string, body: object) {
  return parseEvent({ id: "guid", event, body: JSON.stringify(body) }, own);
}

function parsePullRequest(action: string, more: object = {}): ForgeEvent {
  return parse("pull_request", { ...envelope, action, number: 7, pull_request: pullRequest, ...more }).event;
}

test("no published example is an error, with or without an installation", () => {
  let count = 0;
  for (const { name, examples: payloads } of examples) {
    for (const payload of payloads) {
      for (const body of [payload, { installation: { id: 5 }, ...payload }]) {
        const { event, action } = parse(name, body);
        assert.ok(event.kind !== "ignored" || event.reason.length > 0, name);
        assert.equal(action, "action" in payload ? payload.action : null);
      }
      count += 1;
    }
  }
  assert.ok(count > 300, String(count));
});

test("the examples of relevant events aren't ignored", () => {
  const kinds = new Map<string, Set<string>>();
  for (const { name, examples: payloads } of examples) {
    for (const payload of payloads) {
      const { event } = parse(name, { installation: { id: 5 }, ...payload });
      const action = "action" in payload ? payload.action : "";
      const key = `${name}.${action}`;
      kinds.set(key, (kinds.get(key) ?? new Set()).add(event.kind === "ignored" ? event.reason : event.kind));
    }
  }
  const expected: Readonly<Record<string, readonly string[]>> = {
    "pull_request.opened": ["pull-request"],
    "pull_request.synchronize": ["pull-request"],
    "pull_request.closed": ["pull-request"],
    "pull_request.reopened": ["pull-request"],
    "pull_request.ready_for_review": ["pull-request"],
    "pull_request.review_requested": ["review-requested-of-others"],
    "pull_request.labeled": ["unhandled-action"],
    "issue_comment.created": ["comment"],
    "issue_comment.edited": ["comment"],
    "issue_comment.deleted": ["unhandled-action"],
    "pull_request_review_comment.created": ["comment"],
    "check_run.rerequested": ["check-of-others"],
    "check_run.created": ["unhandled-action"],
    "check_suite.rerequested": ["check-of-others"],
    "installation.created": ["installation"],
    "installation.deleted": ["uninstalled"],
    "installation_repositories.added": ["installation"],
    "installation_repositories.removed": ["uninstalled"],
    "pull_request_review_thread.resolved": ["thread"],
    "pull_request_review_thread.unresolved": ["thread"],
    "repository.privatized": ["visibility"],
    "repository.publicized": ["visibility"],
    "repository.renamed": ["visibility"],
    "repository.transferred": ["visibility"],
    "repository.created": ["unhandled-action"],
    "push.": ["unhandled-event"],
  };
  for (const [key, kind] of Object.entries(expected))
    assert.deepEqual([...(kinds.get(key) ?? [])], kind, key);
});

test("each handled action of a pull request maps to one of the port's actions", () => {
  const from = "[wip] A change";
  const base = { ref: { from: "old" }, sha: { from: HEAD } };
  const cases: readonly (readonly [string, object, string, string?])[] = [
    ["opened", {}, "opened"],
    ["reopened", {}, "reopened"],
    ["ready_for_review", {}, "ready-for-review"],
    ["synchronize", {}, "synchronize"],
    ["closed", {}, "closed"],
    ["edited", { changes: { base } }, "base-changed"],
    ["edited", { changes: { title: { from } } }, "title-changed", from],
    ["edited", { changes: { base, title: { from } } }, "base-changed", from],
    ["review_requested", { requested_reviewer: { login: "kodiai[bot]", type: "Bot" } }, "review-requested"],
    ["review_requested", { requested_reviewer: { login: "kodiai", type: "User" } }, "review-requested"],
  ];
  for (const [action, more, expected, previousTitle = null] of cases) {
    assert.deepEqual(parsePullRequest(action, more), {
      kind: "pull-request",
      action: expected,
      repositoryRef,
      pullRequest: {
        number: 7,
        head: HEAD,
        isDraft: false,
        isOpen: true,
        title: "A change",
        author: { login: "ada", isBot: false },
      },
      previousTitle,
      sender: { login: "ada", isBot: false },
      requestId: `${expected}:${HEAD}:2026-01-02T03:04:05Z`,
    });
  }
});

test("irrelevant events are ignored with a reason", () => {
  const cases: readonly (readonly [ForgeEvent, string])[] = [
    [parsePullRequest("edited", { changes: { body: { from: "old" } } }), "edited-without-effect"],
    [
      parsePullRequest("review_requested", { requested_reviewer: { login: "bob" } }),
      "review-requested-of-others",
    ],
    [
      parsePullRequest("review_requested", { requested_team: { name: "kodiai" } }),
      "review-requested-of-others",
    ],
    [parsePullRequest("assigned"), "unhandled-action"],
    [parsePullRequest("opened", { installation: null }), "no-installation"],
    [parse("workflow_run", envelope).event, "unhandled-event"],
    [
      parse("pull_request_review", {
        ...envelope,
        action: "submitted",
        pull_request: pullRequest,
        review: { id: 5, body: null, user: null },
      }).event,
      "review-without-words",
    ],
  ];
  for (const [event, reason] of cases) assert.deepEqual(event, { kind: "ignored", reason });
});

test("a resolved thread has its pull request and sender, and each change is another request", () => {
  const parseThread = (action: string, more: object = {}) =>
    parse("pull_request_review_thread", {
      ...envelope,
      action,
      pull_request: pullRequest,
      thread: { node_id: "PRRT_1", comments: [] },
      ...more,
    });
  const { event, pullRequest: number } = parseThread("resolved");
  assert.deepEqual(event, {
    kind: "thread",
    action: "resolved",
    repositoryRef,
    number: 7,
    sender: { login: "ada", isBot: false },
    requestId: "resolved:PRRT_1:2026-01-02T03:04:05Z",
  });
  assert.equal(number, 7);
  const { event: later } = parseThread("unresolved", { updated_at: "2026-01-03T00:00:00Z" });
  assert.ok(later.kind === "thread");
  assert.deepEqual([later.action, later.requestId], ["unresolved", "unresolved:PRRT_1:2026-01-03T00:00:00Z"]);
});

test("a repository that changed its visibility, name or owner has the new ones", () => {
  const parseRepository = (action: string, changed: object) =>
    parse("repository", { ...envelope, action, repository: { ...envelope.repository, ...changed } }).event;
  assert.deepEqual(parseRepository("privatized", { private: true }), {
    kind: "visibility",
    repositoryRef,
    isPrivate: true,
  });
  assert.deepEqual(parseRepository("transferred", { private: false, owner: { login: "globex" } }), {
    kind: "visibility",
    repositoryRef: { ...repositoryRef, owner: "globex" },
    isPrivate: false,
  });
});

/** The published examples of an event, as an installation gets them. */
function examplesOf(event: string, action: string) {
  const published: readonly (readonly object[])[] = examples
    .filter(({ name }) => name === event)
    .map(({ examples: payloads }) => payloads);
  return published
    .flat()
    .filter((payload) => "action" in payload && payload.action === action)
    .map((payload) => parse(event, { installation: { id: 5 }, ...payload }).event)
    .map((parsed) => (parsed.kind === "comment" ? parsed : assert.fail(parsed.kind)));
}

test("the published examples of comments have their author, time and thread", () => {
  const [onIssue] = examplesOf("issue_comment", "created");
  assert.ok(onIssue !== undefined);
  assert.deepEqual(
    [onIssue.isPullRequest, onIssue.number, onIssue.threadRoot, onIssue.senderId, onIssue.writtenAt],
    [false, 1, null, 21031067, Date.parse("2019-05-15T15:20:21Z")],
  );
  assert.deepEqual(onIssue.target, { kind: "issue-comment", id: 492700400 });
  const onLines = examplesOf("pull_request_review_comment", "created");
  assert.ok(onLines.length > 0);
  for (const { target, threadRoot, senderId, writtenAt } of onLines) {
    assert.deepEqual([target.kind, threadRoot], ["review-comment", target.id], "it starts its thread");
    assert.ok(senderId !== null && writtenAt > Date.parse("2015-01-01T00:00:00Z"));
  }
  const changed = ["deleted", "dismissed"].flatMap((action) =>
    ["issue_comment", "pull_request_review_comment", "pull_request_review"].map(
      (name) => parse(name, { ...envelope, action }).event,
    ),
  );
  for (const event of changed) assert.deepEqual(event, { kind: "ignored", reason: "unhandled-action" });
});

test("comments have their target and whether the app wrote them", () => {
  const comment = {
    id: 99,
    body: "@kodiai review",
    user: { login: "ada", type: "User" },
    created_at: "2026-01-02T03:04:05Z",
  };
  const parseComment = (more: object, issue: object = { number: 7, pull_request: {} }) => {
    const body = { ...envelope, action: "created", issue, comment: { ...comment, ...more } };
    const { event } = parse("issue_comment", body);
    assert.ok(event.kind === "comment");
    return event;
  };
  assert.deepEqual(parseComment({}), {
    kind: "comment",
    repositoryRef,
    number: 7,
    isPullRequest: true,
    source: "comment",
    target: { kind: "issue-comment", id: 99 },
    threadRoot: null,
    body: "@kodiai review",
    edit: null,
    sender: { login: "ada", isBot: false },
    senderId: 33,
    writtenAt: Date.parse("2026-01-02T03:04:05Z"),
    isOwn: false,
    isInsider: false,
    requestId: "comment:99",
  });
  for (const [association, isInsider] of [
    ["OWNER", true],
    ["MEMBER", true],
    ["COLLABORATOR", true],
    ["CONTRIBUTOR", false],
    ["NONE", false],
  ] as const)
    assert.equal(parseComment({ author_association: association }).isInsider, isInsider, association);
  assert.equal(parseComment({}, { number: 7 }).isPullRequest, false);
  assert.equal(parseComment({ performed_via_github_app: { id: APP_ID } }).isOwn, true);
  assert.equal(parseComment({ performed_via_github_app: { id: 5 } }).isOwn, false);
  assert.equal(parseComment({ user: { login: "kodiai[bot]", type: "Bot" } }).isOwn, true);
  assert.equal(parseComment({ user: { login: "kodiai", type: "User" } }).isOwn, false);
  assert.equal(parseComment({ created_at: "soon" }).writtenAt, 0);
  const parseOnLine = (more: object) => {
    const { event } = parse("pull_request_review_comment", {
      ...envelope,
      action: "created",
      pull_request: pullRequest,
      comment: { ...comment, ...more },
    });
    assert.ok(event.kind === "comment");
    return [event.target, event.threadRoot];
  };
  assert.deepEqual(parseOnLine({}), [{ kind: "review-comment", id: 99 }, 99]);
  assert.deepEqual(parseOnLine({ in_reply_to_id: 77 }), [{ kind: "review-comment", id: 99 }, 77]);
  const review = { id: 55, body: "please", user: comment.user, submitted_at: "2026-01-02T03:04:06Z" };
  const body = { ...envelope, action: "submitted", pull_request: pullRequest, review };
  const asked = parse("pull_request_review", body).event;
  assert.ok(asked.kind === "comment");
  assert.deepEqual(
    [asked.target, asked.threadRoot, asked.writtenAt, asked.requestId],
    [{ kind: "pull-request", id: 7, reviewId: 55 }, null, Date.parse("2026-01-02T03:04:06Z"), "review:55"],
  );
});

test("an edit has the text before, its time and its age; a description is a text as well", () => {
  const text = {
    body: "@kodiai help",
    user: { login: "ada", type: "User" },
    created_at: "2026-01-02T03:04:05Z",
    updated_at: "2026-01-02T03:09:05Z",
  };
  const parseText = (name: string, body: object) => {
    const { event } = parse(name, { ...envelope, ...body });
    return event.kind === "comment" ? event : assert.fail(event.kind);
  };
  const edited = { action: "edited", changes: { body: { from: "Hello." } } };
  const age = { from: "Hello.", ageMs: 300_000 };
  const now = Date.parse("2026-01-02T03:09:05Z");
  const onIssue = parseText("issue_comment", {
    ...edited,
    issue: { number: 7 },
    comment: { id: 99, ...text },
  });
  assert.deepEqual([onIssue.edit, onIssue.writtenAt, onIssue.requestId], [age, now, "comment:99"]);
  const untouched = parseText("issue_comment", {
    ...edited,
    changes: {},
    issue: { number: 7 },
    comment: { id: 99, ...text },
  });
  assert.equal(untouched.edit?.from, text.body);
  const opened = parseText("issues", { action: "opened", issue: { number: 8, ...text } });
  assert.deepEqual(
    [opened.isPullRequest, opened.source, opened.target, opened.edit, opened.requestId],
    [false, "description", { kind: "pull-request", id: 8 }, null, "description:8"],
  );
  const described = parseText("pull_request", {
    action: "edited",
    changes: { body: { from: null } },
    pull_request: { ...pullRequest, ...text },
  });
  assert.deepEqual([described.source, described.edit], ["description", { from: "", ageMs: 300_000 }]);
  const { event } = parse("issues", {
    ...envelope,
    action: "edited",
    changes: {},
    issue: { number: 8, ...text },
  });
  assert.deepEqual(event, { kind: "ignored", reason: "edited-without-effect" });
});

test("a re-run counts only for the app's own check with a known pull request", () => {
  const check = {
    id: 3,
    head_sha: HEAD,
    completed_at: "2026-01-02T03:04:05Z",
    app: { id: APP_ID },
    pull_requests: [{ number: 7 }],
  };
  const parseCheck = (more: object) =>
    parse("check_run", { ...envelope, action: "rerequested", check_run: { ...check, ...more } }).event;
  assert.deepEqual(parseCheck({}), {
    kind: "check-rerequested",
    repositoryRef,
    number: 7,
    head: HEAD,
    sender: { login: "ada", isBot: false },
    requestId: "check:3:2026-01-02T03:04:05Z",
  });
  assert.deepEqual(parseCheck({ app: { id: 5 } }), { kind: "ignored", reason: "check-of-others" });
  // GitHub doesn't name the pull request of a fork, but the check's external id does.
  const ofFork = parseCheck({ pull_requests: [], external_id: nameCheck(12, "<!-- kodiai:check:v1:a -->") });
  assert.equal(ofFork.kind === "check-rerequested" && ofFork.number, 12);
  assert.deepEqual(parseCheck({ pull_requests: [] }), {
    kind: "ignored",
    reason: "check-without-pull-request",
  });
});

test('"Re-run all checks" includes the app\'s check', () => {
  const suite = { id: 9, head_sha: HEAD, updated_at: "2026-01-02T03:04:05Z", app: { id: APP_ID } };
  const parseSuite = (numbers: readonly number[]) =>
    parse("check_suite", {
      ...envelope,
      action: "rerequested",
      check_suite: { ...suite, pull_requests: numbers.map((number) => ({ number })) },
    }).event;
  assert.deepEqual(parseSuite([7]), {
    kind: "check-rerequested",
    repositoryRef,
    number: 7,
    head: HEAD,
    sender: { login: "ada", isBot: false },
    requestId: "suite:9:2026-01-02T03:04:05Z",
  });
  assert.equal(parseSuite([]).kind, "ignored");
});

test("installations and the record of a delivery are read", () => {
  const created = parse("installation", {
    action: "suspend",
    installation: { id: 11 },
    sender: envelope.sender,
  });
  assert.deepEqual(created.event, { kind: "installation", action: "suspend", installationId: 11 });
  const added = parse("installation_repositories", { action: "added", installation: { id: 11 } });
  assert.deepEqual(added.event, { kind: "installation", action: "repositories-added", installationId: 11 });
  const { event, ...record } = parse("pull_request", {
    ...envelope,
    action: "opened",
    pull_request: pullRequest,
  });
  assert.equal(event.kind, "pull-request");
  assert.deepEqual(record, {
    action: "opened",
    installationId: 11,
    repositoryKey: { host: "github.com", forgeId: 22 },
    repository: "acme/shop",
    pullRequest: 7,
    sender: "ada",
    seenHead: { head: HEAD, at: Date.parse("2026-01-02T03:04:05Z") },
  });
});

test("a body that doesn't match its event is an error", () => {
  const bodies: readonly (readonly [string, string])[] = [
    ["pull_request", "null"],
    ["pull_request", "[]"],
    ["pull_request", JSON.stringify({ ...envelope, action: "opened" })],
    [
      "pull_request",
      JSON.stringify({ ...envelope, action: "opened", pull_request: { ...pullRequest, head: null } }),
    ],
    ["issue_comment", JSON.stringify({ ...envelope, action: "created", issue: { number: 7 } })],
    ["installation", JSON.stringify({ action: "created" })],
    ["push", JSON.stringify({ installation: "eleven" })],
  ];
  assert.throws(() => parseEvent({ id: "guid", event: "push", body: "{" }, own), { code: "bad-json" });
  for (const [event, body] of bodies) {
    assert.throws(
      () => parseEvent({ id: "guid", event, body }, own),
      (error: unknown) =>
        error instanceof KodiaiError && error.code === "bad-payload" && error.message.includes(event),
      body,
    );
  }
});
