/** Provider failures: overload, errors before and within an answer, lost connections. */
import assert from "node:assert/strict";
import { type Fault, LAST_TURN, type ModelScript, type ModelTurn } from "../model-server/script.ts";
import { FINISH, record } from "./answers.ts";
import type { Behaviour } from "./behaviour.ts";
import { type Run, type Scene } from "./scene.ts";

/** On a busy machine, the first answer may take longer than the shorter times, and then nothing is asked again. */
const OVERLOAD_MS = [5_000, 20_000, 80_000];

const fails = (fault: Fault): ModelTurn => ({ text: "half of", faults: [{ times: "always", ...fault }] });

/** A request for the rest of a broken answer has a longer history, so it is another turn, which breaks off as well. */
const breaksOff = (fault: Fault, before: readonly ModelTurn[] = []): ModelScript => {
  return ({ turn }) => before[turn] ?? fails(fault);
};

const FAULTS: Readonly<Record<string, (hasBegun: () => boolean) => Fault>> = {
  // A reset loses what the other side hasn't read. An answer that it never saw can't be counted.
  "a reset connection": (hasBegun) => ({ kind: "reset", after: hasBegun }),
  "an end without a reason": () => ({ kind: "cut" }),
  "an overload": () => ({ kind: "error-event", isOverloaded: true }),
};

/** Thinking, text, a complete call if there is a title for it, and half of another call; then the answer breaks off. */
const breaksInCall = (title: string | null, fault: Fault): ModelTurn => ({
  thinking: "Hm, let me see.",
  text: "I record two.",
  ...(title !== null && record(title)),
  halfCall: { name: "record_finding", args: { title: `${title}, which never came in whole` } },
  faults: [fault],
});

const titlesOf = ({ calls }: Run): readonly unknown[] =>
  calls.map(({ args }) => (typeof args === "object" && args !== null && "title" in args ? args.title : args));

function assertMadeOnce(task: Run): void {
  const titles = titlesOf(task);
  assert.deepEqual([...new Set(titles)], titles);
}

/** A model that records a, b and c. Its first attempt at b is the broken answer; no call is lost or made twice. */
async function recordThree({ server, run }: Scene, broken: (hasBegun: () => boolean) => ModelTurn) {
  const turns = [record("a"), record("b"), record("c"), FINISH];
  let isBroken = false;
  const task: Run = run(({ toolResults: { length } }) => {
    if (length !== 1 || isBroken) return turns[length] ?? LAST_TURN;
    isBroken = true;
    return broken(() => task.events.filter(({ kind }) => kind === "turn").length > 1);
  });
  const outcome = await task.outcome;
  assert.deepEqual([outcome.kind, outcome.stopReason], ["completed", { kind: "finished" }]);
  assert.deepEqual(titlesOf(task), ["a", "b", "c", "all done"]);
  assert.deepEqual(server.requests.at(-1)?.toolResults, ["recorded", "recorded", "recorded"]);
  assert.doesNotMatch(JSON.stringify(server.requests.at(-1)?.body), /never came in whole/);
  return { turns: outcome.turns, added: task.added.length, admissions: task.admissions.length };
}

/** The broken answer is admitted and counted like the others. */
function goesOnAfter(name: string, fault: (hasBegun: () => boolean) => Fault): readonly Behaviour[] {
  const check = async (scene: Scene, title: string | null): Promise<void> => {
    const counts = await recordThree(scene, (hasBegun) => breaksInCall(title, fault(hasBegun)));
    const { length } = scene.server.requests;
    assert.deepEqual(counts, { turns: length, added: length, admissions: length });
  };
  return [
    {
      // Tools that have run get no second call: the model gets their results and continues from there.
      name: `after a call that was made, ${name} loses no call and repeats none`,
      isMain: true,
      check: (scene) => check(scene, "b"),
    },
    {
      name: `within the only call of an answer, ${name} loses no call, and the next request is admitted`,
      isMain: true,
      check: (scene) => check(scene, null),
    },
  ];
}

/** Runs until the provider was asked more than once, with more time each time. */
async function askUntilAgain({ server, run }: Scene, script: ModelScript): Promise<Run> {
  for (const overloadMs of OVERLOAD_MS) {
    const { length } = server.requests;
    const task = run(script, { limits: { overloadMs } });
    await task.outcome;
    if (server.requests.length > length + 1) return task;
  }
  return assert.fail("was not asked again");
}

/** Requests to an overloaded provider are retried, but not forever. */
function staysOverloaded(status: number): Behaviour {
  return {
    name: `a provider that answers ${status} for ever is overloaded when its time is over`,
    isMain: status === 503,
    async check(scene) {
      const task = await askUntilAgain(scene, [fails({ kind: "status", status })]);
      const outcome = await task.outcome;
      assert.equal(outcome.kind, "overloaded");
      assert.deepEqual(outcome.stopReason, { kind: "http-error", status });
      assert.equal(outcome.turns, 0);
    },
  };
}

export const FAILURES: readonly Behaviour[] = [
  ...[429, 529, 503].map(staysOverloaded),
  {
    name: "after 429 with retry-after it is asked again, not earlier",
    isMain: true,
    async check({ server, run }) {
      const faults: readonly Fault[] = [{ kind: "status", status: 429, retryAfterSeconds: 1 }];
      const task = run([record("a"), { ...FINISH, faults }]);
      assert.deepEqual((await task.outcome).stopReason, { kind: "finished" });
      const [, refused, again] = server.requests;
      // Timers may be early by a millisecond.
      assert.ok((again?.atMs ?? 0) - (refused?.atMs ?? 0) >= 990);
      assert.equal(task.calls.length, 2);
    },
  },
  {
    name: "after 429 without retry-after it is asked again",
    isMain: true,
    async check({ server, run }) {
      const faults: readonly Fault[] = [{ kind: "status", status: 429, times: 2 }];
      const outcome = await run([{ ...FINISH, faults }]).outcome;
      assert.deepEqual(outcome.stopReason, { kind: "finished" });
      assert.equal(outcome.turns, 1);
      assert.equal(server.requests.length, 3);
    },
  },
  {
    name: "a retry-after beyond all patience is not waited for",
    async check({ server, run }) {
      const task = run([fails({ kind: "status", status: 429, retryAfterSeconds: 3_600 })]);
      assert.equal((await task.outcome).kind, "overloaded");
      assert.equal(server.requests.length, 1);
    },
  },
  {
    name: "a wrong key is a failure at once",
    isMain: true,
    async check({ server, run }) {
      const task = run([fails({ kind: "status", status: 401 })]);
      const outcome = await task.outcome;
      assert.equal(outcome.kind, "failed");
      assert.deepEqual(outcome.stopReason, { kind: "http-error", status: 401 });
      assert.equal(server.requests.length, 1);
    },
  },
  {
    name: "a model that is not known is a failure at once",
    isMain: true,
    async check({ run }) {
      const task = run([fails({ kind: "status", status: 404 })]);
      const outcome = await task.outcome;
      assert.deepEqual([outcome.kind, outcome.stopReason], ["failed", { kind: "http-error", status: 404 }]);
    },
  },
  {
    name: "an account without credit is a failure of its own name, at once",
    isMain: true,
    async check({ server, run }) {
      const outcome = await run([fails({ kind: "no-credit" })]).outcome;
      assert.deepEqual([outcome.kind, outcome.stopReason], ["failed", { kind: "quota-exceeded" }]);
      assert.equal(server.requests.length, 1);
    },
  },
  {
    name: "a request that is too large is a prompt that is too long",
    async check({ run }) {
      const outcome = await run([fails({ kind: "status", status: 413 })]).outcome;
      assert.deepEqual([outcome.kind, outcome.stopReason], ["failed", { kind: "context-overflow" }]);
    },
  },
  {
    name: "an unreachable provider is distinguished from a lost connection",
    isMain: true,
    async check({ server, run }) {
      await server.close();
      const task = run([FINISH], { limits: { overloadMs: 1_200 } });
      const outcome = await task.outcome;
      assert.deepEqual([outcome.kind, outcome.stopReason], ["failed", { kind: "no-connection" }]);
      assert.equal(outcome.turns, 0);
    },
  },
  {
    name: "a prompt that is longer than the window is a failure of its own name",
    isMain: true,
    async check({ run }) {
      const outcome = await run([fails({ kind: "context-overflow" })]).outcome;
      assert.equal(outcome.kind, "failed");
      assert.deepEqual(outcome.stopReason, { kind: "context-overflow" });
    },
  },
  {
    name: "a window that overflows later keeps what was recorded",
    async check({ run }) {
      const task = run([record("a"), fails({ kind: "context-overflow" })]);
      assert.deepEqual((await task.outcome).stopReason, { kind: "context-overflow" });
      assert.equal(task.calls.length, 1);
    },
  },
  {
    name: "an error within an answer is a failure",
    isMain: true,
    async check({ run }) {
      const task = run(breaksOff({ kind: "error-event" }, [record("a")]));
      const outcome = await task.outcome;
      assert.equal(outcome.kind, "failed");
      assert.equal(task.calls.length, 1);
    },
  },
  {
    name: "an answer that breaks off because the provider is overloaded is reported as that",
    isMain: true,
    async check({ run }) {
      const script = breaksOff({ kind: "error-event", isOverloaded: true });
      const outcome = await run(script, { limits: { overloadMs: 1_200 } }).outcome;
      assert.equal(outcome.kind, "overloaded");
    },
  },
  {
    name: "a connection that is lost once is made again",
    async check({ run }) {
      const broken: ModelTurn = { ...FINISH, text: "half of", faults: [{ kind: "reset" }] };
      const task = run([record("a"), broken, FINISH]);
      assert.deepEqual((await task.outcome).stopReason, { kind: "finished" });
      assert.equal(task.calls.length, 2);
    },
  },
  {
    name: "a connection that is lost again and again is a failure",
    isMain: true,
    async check({ run }) {
      const outcome = await run(breaksOff({ kind: "reset" })).outcome;
      assert.equal(outcome.kind, "failed");
      assert.deepEqual(outcome.stopReason, { kind: "connection-lost" });
    },
  },
  {
    name: "a connection that is lost after a call again and again is a failure, and each call is made once",
    isMain: true,
    async check({ run }) {
      const task = run(({ turn }) => breaksInCall(`n${turn}`, { kind: "reset", times: "always" }));
      const outcome = await task.outcome;
      assert.deepEqual([outcome.kind, outcome.stopReason], ["failed", { kind: "connection-lost" }]);
      assertMadeOnce(task);
    },
  },
  {
    name: "a provider that is overloaded after a call again and again is reported as that, and each call is made once",
    isMain: true,
    async check(scene) {
      const fault = { kind: "error-event", isOverloaded: true, times: "always" } as const;
      const task = await askUntilAgain(scene, ({ turn }) => breaksInCall(`n${turn}`, fault));
      assert.equal((await task.outcome).kind, "overloaded");
      assertMadeOnce(task);
    },
  },
  ...Object.entries(FAULTS).flatMap(([name, fault]) => goesOnAfter(name, fault)),
  {
    name: "a connection that is reset before an answer begins costs nothing, and no call is lost",
    isMain: true,
    async check(scene) {
      const { turns, added } = await recordThree(scene, () => ({ faults: [{ kind: "hang-up" }] }));
      assert.deepEqual([turns, added], [4, 4]);
      assert.ok(scene.server.requests.length > 4, "was not asked again");
    },
  },
  {
    name: "an answer that ends in the middle is no answer",
    isMain: true,
    async check({ run }) {
      const outcome = await run(breaksOff({ kind: "cut" })).outcome;
      assert.equal(outcome.kind, "failed");
      assert.deepEqual(outcome.stopReason, { kind: "connection-lost" });
    },
  },
];
