/** The shared parts of mention scenes: a model that reviews, and answers questions about users. */
import assert from "node:assert/strict";
import type { ModelTurn, ScriptedRequest } from "../model-server/script.ts";
import { FINISHING, type ModelScene, oneByOne, pricesOf } from "./model-scene.ts";

export const ANSWER = "It reads users by id, see `src/users.ts:4`.";
const REVIEWING = oneByOne([FINISHING]);
const ANSWERING = oneByOne(
  [
    { name: "read_file", args: { path: "src/users.ts" } },
    { name: "give_answer", args: { text: ANSWER } },
  ],
  { usage: { input: 1_000, output: 10 } },
);

export const isQuestion = ({ tools }: Pick<ScriptedRequest, "tools">): boolean =>
  tools.some((name) => name.endsWith("give_answer"));

export const answerQuestions = (request: ScriptedRequest): ModelTurn =>
  (isQuestion(request) ? ANSWERING : REVIEWING)[request.turn] ?? {};

export const CALLS_PER_ANSWER = ANSWERING.length;

export const QUESTIONS_CONFIG = `review:\n  debounceSeconds: 0\n${pricesOf("openai:scripted")}`;

/** A published review, so that there are findings and threads. Returns the thread of a finding. */
export async function reviewFirst(scene: ModelScene) {
  await scene.send("opened");
  await scene.settled();
  const root = scene.fake.reviewCommentsOf(scene.pullRequest).find(({ line }) => line === 4);
  assert.ok(root !== undefined);
  return root;
}
