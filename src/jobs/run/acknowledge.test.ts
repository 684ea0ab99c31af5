import assert from "node:assert/strict";
import { test } from "node:test";
import { createLog } from "../../base/log.ts";
import type { Comments, CommentTarget, Reaction } from "../../forge/forge.ts";
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

function commentsOf(react: Comments["react"]): Pick<Comments, "react"> {
  return { react };
}

function recorder() {
  const lines: string[] = [];
  const reactions: (readonly [CommentTarget, Reaction])[] = [];
  const log = createLog({ level: "debug", format: "text", write: (line) => lines.push(line), now: () => 0 });
  const comments = commentsOf(async (target, reaction) => void reactions.push([target, reaction]));
  return { lines, reactions, comments, context: { log } };
}

test("a comment that requests a review gets an eyes reaction, then one for the outcome", async () => {
  const { reactions, comments, context } = recorder();
  await acknowledge(jobOf(COMMENT), comments, context);
  await acknowledge(jobOf(COMMENT), comments, context, "+1");
  assert.deepEqual(reactions, [
    [COMMENT, "eyes"],
    [COMMENT, "+1"],
  ]);
});

test("a job that no comment requested adds no reaction", async () => {
  const { reactions, comments, context } = recorder();
  await acknowledge(jobOf(null), comments, context);
  assert.deepEqual(reactions, []);
});

test("a failed reaction is logged and doesn't fail the job", async () => {
  const { lines, context } = recorder();
  const comments = commentsOf(() => Promise.reject(new Error("comment is gone")));
  await acknowledge(jobOf(COMMENT), comments, context);
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", /warn {2}reaction failed reaction="eyes" error="comment is gone"/);
});
