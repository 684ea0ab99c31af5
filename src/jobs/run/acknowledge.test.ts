import assert from "node:assert/strict";
import { test } from "node:test";
import { createLog } from "../../base/log.ts";
import type { CommentTarget, ForgeSession, Reaction } from "../../forge/forge.ts";
import type { ReviewJob } from "../review-job.ts";
import { acknowledge } from "./acknowledge.ts";

const COMMENT: CommentTarget = { kind: "review-comment", id: 99 };

function jobOf(reactTo: CommentTarget | null): ReviewJob {
  const repositoryRef = {
    host: "github.com",
    installationId: 7,
    forgeId: 42,
    repositoryId: 42,
    owner: "octo",
    name: "cat",
  };
  return {
    repositoryRef,
    number: 5,
    trigger: "comment",
    request: "r",
    isFull: false,
    reactTo,
    requester: null,
  };
}

function sessionOf(react: ForgeSession["react"]): ForgeSession {
  // A test double: calling any other method throws.
  return { react } as ForgeSession;
}

function recorder() {
  const lines: string[] = [];
  const reactions: (readonly [CommentTarget, Reaction])[] = [];
  const log = createLog({ level: "debug", format: "text", write: (line) => lines.push(line), now: () => 0 });
  const session = sessionOf(async (target, reaction) => void reactions.push([target, reaction]));
  return { lines, reactions, session, context: { log } };
}

test("a comment that requests a review gets an eyes reaction, then one for the outcome", async () => {
  const { reactions, session, context } = recorder();
  await acknowledge(jobOf(COMMENT), session, context);
  await acknowledge(jobOf(COMMENT), session, context, "+1");
  assert.deepEqual(reactions, [
    [COMMENT, "eyes"],
    [COMMENT, "+1"],
  ]);
});

test("a job that no comment requested adds no reaction", async () => {
  const { reactions, session, context } = recorder();
  await acknowledge(jobOf(null), session, context);
  assert.deepEqual(reactions, []);
});

test("a failed reaction is logged and doesn't fail the job", async () => {
  const { lines, context } = recorder();
  const session = sessionOf(() => Promise.reject(new Error("comment is gone")));
  await acknowledge(jobOf(COMMENT), session, context);
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", /warn {2}reaction failed reaction="eyes" error="comment is gone"/);
});
