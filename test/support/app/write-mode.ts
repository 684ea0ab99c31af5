/** The shared parts of write mode scenes: configuration, a model that edits, and what reached the repository. */
import assert from "node:assert/strict";
import { gitText } from "../../../fake-github/git.ts";
import type { PullRequest, Repository } from "../../../fake-github/world.ts";
import type { ModelTurn, ScriptedCall, ScriptedRequest } from "../model-server/script.ts";
import { answersOn } from "./mentions.ts";
import { AFTER, type Scenario } from "./scenario.ts";

export const WRITE_CONFIG =
  "review:\n  debounceSeconds: 0\nmentions:\n  maxTurns: 50\nwrite:\n  enabled: true\n";

const FINISH: ScriptedCall = {
  name: "finish_edits",
  args: { title: "Bind the id", description: "The id is bound now. Closes #1 @ada." },
};

export const EDIT: ScriptedCall = {
  name: "edit_file",
  args: {
    path: "src/users.ts",
    find: "db.query(`select * from users where id = ${id}`)",
    replace: 'db.query("select * from users where id = $1", [id])',
  },
};

export const EDITED = AFTER["src/users.ts"].replace(
  "db.query(`select * from users where id = ${id}`)",
  'db.query("select * from users where id = $1", [id])',
);

export function writing(path: string, content = "export const a = 1;\n"): ScriptedCall {
  return { name: "write_file", args: { path, content } };
}

/** The nth conversation makes the nth calls in one turn, and finishes in the next one. */
export function inOrder(
  ...works: readonly (readonly ScriptedCall[])[]
): (request: ScriptedRequest) => ModelTurn {
  const order: number[] = [];
  return ({ conversation, turn, tools }) => {
    assert.ok(tools.some((name) => name.endsWith("finish_edits")));
    if (!order.includes(conversation)) order.push(conversation);
    const calls = works[order.indexOf(conversation)] ?? [];
    return { toolCalls: turn === 0 && calls.length > 0 ? calls : [FINISH] };
  };
}

/** The nth conversation makes the nth list of calls, one list per turn, and finishes after each of them. */
export function inTurns(
  ...works: readonly (readonly (readonly ScriptedCall[])[])[]
): (request: ScriptedRequest) => ModelTurn {
  const order: number[] = [];
  return ({ conversation, turn }) => {
    if (!order.includes(conversation)) order.push(conversation);
    const calls = turn % 2 === 0 ? works[order.indexOf(conversation)]?.[turn / 2] : undefined;
    return { toolCalls: calls ?? [FINISH] };
  };
}

export async function commitAt(directory: string, revision: string): Promise<string> {
  return (await gitText(directory, "rev-parse", revision)).trim();
}

export function ownPullRequests({ fake }: Pick<Scenario, "fake">): readonly PullRequest[] {
  return fake.world.pullRequests.filter(({ author }) => author === fake.world.app.bot);
}

/** The changes of a commit, as "M path". */
export async function changesOf({ directory }: Repository, commit: string): Promise<readonly string[]> {
  const text = await gitText(directory, "diff-tree", "-r", "--no-commit-id", "--name-status", commit);
  return text
    .trim()
    .split("\n")
    .map((line) => line.replace("\t", " "));
}

export function lastAnswer(scene: Scenario): string {
  return answersOn(scene, scene.pullRequest).at(-1) ?? "";
}

/** An event that starts no job reports the head, and the next comment is written a second later. */
export async function isSeen({ fake, pullRequest }: Pick<Scenario, "fake" | "pullRequest">): Promise<void> {
  await fake.send(await fake.events.pullRequest("labeled", pullRequest));
  fake.clock.advance(1_000);
}

const rethrowing = (name: string): string =>
  `class ${name} {\n  void Save() {\n    try { Write(); }\n    catch (IOException ex) {\n      Log(ex);\n      throw ex;\n    }\n  }\n}\n`;

export const FIXABLE = { "app/Admin.cs": rethrowing("Admin"), "app/Guest.cs": rethrowing("Guest") };
