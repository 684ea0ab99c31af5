/** The journal of a review: what is asked again after a crash, what it costs, and what is sent. */
import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { openAnswerJournal } from "./answer-journal.ts";

function newPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-journal-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "journal.jsonl");
}

function open(
  path: string,
  more: { readonly admit?: () => void; readonly onKept?: (ms: number) => void } = {},
) {
  const nothing = (): void => {};
  return openAnswerJournal(path, {
    admit: nothing,
    onKept: nothing,
    onChanged: nothing,
    now: () => 0,
    ...more,
  });
}

const asking = (body: string) => ({ path: "/v1/messages", body });
const QUESTION = asking('{"question":1}');

/** A provider that counts what reaches it. */
function provider(answers: readonly (string | Error | Response)[]) {
  const left = [...answers];
  return {
    sent: () => answers.length - left.length,
    send: async (): Promise<Response> => {
      const next = left.shift() ?? new Error("asked too often");
      if (next instanceof Error) throw next;
      return typeof next === "string" ? new Response(next) : next;
    },
  };
}

test("a second process gets each answer from the journal, in order, and pays for none", async (t) => {
  const path = newPath(t);
  const { send, sent } = provider(["one", "two"]);
  const first = open(path);
  first.expect(0.5);
  assert.equal(await (await first.exchange(QUESTION, send)).text(), "one");
  first.count(0.02);
  assert.equal(await (await first.exchange(QUESTION, send)).text(), "two");
  first.count(0.03);
  first.close();
  const second = open(path);
  for (const expected of ["one", "two"]) {
    assert.equal(await (await second.exchange(QUESTION, send)).text(), expected);
    second.count(99);
  }
  assert.equal(sent(), 2);
  assert.deepEqual(second.costs(), { usd: 0.05, isPriced: true, unanswered: 0 });
  await assert.rejects(second.exchange(QUESTION, send), /asked too often/);
});

test("an answer is on disk before the review gets it", async (t) => {
  const path = newPath(t);
  const journal = open(path);
  const response = await journal.exchange(QUESTION, provider(["the answer"]).send);
  assert.match(readFileSync(path, "utf8"), new RegExp(Buffer.from("the answer").toString("base64")));
  assert.equal(await response.text(), "the answer");
});

test("a request without an answer counts with the most it can cost, and is sent again", async (t) => {
  const path = newPath(t);
  const first = open(path);
  first.expect(0.5);
  const aborted = Object.assign(new Error("aborted"), { name: "AbortError" });
  await assert.rejects(first.exchange(QUESTION, provider([aborted]).send));
  first.close();
  const second = open(path);
  assert.deepEqual(second.costs(), { usd: 0.5, isPriced: true, unanswered: 1 });
  const { send, sent } = provider(["one"]);
  second.expect(0.5);
  await second.exchange(QUESTION, send);
  second.count(0.02);
  assert.equal(sent(), 1);
  assert.equal(second.costs().usd, 0.52);
});

test("a refused request costs nothing, and an answer that the connection cuts off is the same again", async (t) => {
  const path = newPath(t);
  const cut = (): Response => {
    let pulls = 0;
    return new Response(
      new ReadableStream({
        pull(controller) {
          if (pulls++ === 0) controller.enqueue(Buffer.from("half"));
          else controller.error(new TypeError("terminated"));
        },
      }),
    );
  };
  const { send } = provider([new Response("busy", { status: 429 }), new TypeError("fetch failed"), cut()]);
  const first = open(path);
  first.expect(0.5);
  assert.equal((await first.exchange(QUESTION, send)).status, 429);
  await assert.rejects(first.exchange(QUESTION, send), /fetch failed/);
  assert.equal(first.costs().usd, 0);
  const response = await first.exchange(QUESTION, send);
  await assert.rejects(response.text(), /terminated/);
  first.count(0.01);
  first.close();
  const again = await open(path).exchange(QUESTION, send);
  await assert.rejects(again.text(), /terminated/);
});

test("a line that a crash cut off is removed, and one that isn't ours is passed over", async (t) => {
  const path = newPath(t);
  const { send, sent } = provider(["one", "two"]);
  const first = open(path);
  await first.exchange(QUESTION, send);
  first.close();
  appendFileSync(path, '{"kind":"something"}\n{"kind":"answered","key":"12');
  const second = open(path);
  await second.exchange(QUESTION, send);
  await second.exchange(asking("other"), send);
  assert.equal(sent(), 2);
  for (const line of readFileSync(path, "utf8").trimEnd().split("\n")) JSON.parse(line);
});

test("the folder that Kodiai was started in changes no key, and anything else does", async (t) => {
  const path = newPath(t);
  const { send, sent } = provider(["one", "two"]);
  await open(path).exchange(asking('{"prompt_cache_key":"abc","input":1}'), send);
  await open(path).exchange(asking('{"prompt_cache_key":"def","input":1}'), send);
  assert.equal(sent(), 1);
  await open(path).exchange(asking('{"prompt_cache_key":"def","input":2}'), send);
  assert.equal(sent(), 2);
});

test("a request that isn't admitted isn't sent", async (t) => {
  const path = newPath(t);
  writeFileSync(path, "");
  const { send, sent } = provider(["one"]);
  const refusing = open(path, {
    admit: () => {
      throw new Error("over budget");
    },
  });
  await assert.rejects(refusing.exchange(QUESTION, send), /over budget/);
  assert.equal(sent(), 0);
  assert.equal(refusing.costs().usd, 0);
});
