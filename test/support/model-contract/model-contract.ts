/**
 * The contract of every model adapter. Each runs with its real SDK, against a provider on this machine that plays a script.
 */
import { describe, test } from "node:test";
import type { Model } from "../../../src/model/model.ts";
import { type ModelServer, startModelServer } from "../model-server/model-server.ts";
import { ANSWERS } from "./answers.ts";
import type { Behaviour } from "./behaviour.ts";
import { FAILURES } from "./failures.ts";
import { TIME } from "./limits.ts";
import { MONEY } from "./money.ts";
import { PRIVACY } from "./privacy.ts";
import { ONE_ANSWER } from "./one-answer.ts";
import { createScene } from "./scene.ts";

// Those that wait longest are first, so that the others run meanwhile.
const BEHAVIOURS: readonly Behaviour[] = [
  ...TIME,
  ...FAILURES,
  ...ANSWERS,
  ...ONE_ANSWER,
  ...MONEY,
  ...PRIVACY,
];

const MAIN_ANSWERS: ReadonlySet<Behaviour> = new Set(ANSWERS.filter(({ isMain }) => isMain === true));

export type ContractOptions = {
  /** Answers over the wire, or all the rest; by default both. An adapter that is slow to start divides them among the tiers. */
  readonly part?: "answers" | "the rest";
  /** "main": only the behaviours that depend on the wire protocol, for a further protocol of an adapter that is tested in full elsewhere. */
  readonly extent?: "all" | "main";
  /** How many behaviours run at once; default 1. They mostly wait. */
  readonly concurrency?: number;
  /** Behaviours that this adapter can't have, by name, each with its reason. */
  readonly except?: Readonly<Record<string, string>>;
};

export type MakeModel = (server: ModelServer) => Promise<Model>;

function register(behaviour: Behaviour, makeModel: MakeModel, options: ContractOptions): void {
  const reason = options.except?.[behaviour.name];
  test(behaviour.name, reason === undefined ? {} : { skip: reason }, async (context) => {
    const server = await startModelServer();
    context.after(() => server.close());
    await behaviour.check(createScene(server, await makeModel(server)));
  });
}

export function modelContract(name: string, makeModel: MakeModel, options: ContractOptions = {}): void {
  const wanted = BEHAVIOURS.filter(
    (behaviour) =>
      (options.extent !== "main" || behaviour.isMain === true) &&
      (options.part === undefined || (options.part === "answers") === MAIN_ANSWERS.has(behaviour)),
  );
  const names = new Set(wanted.map((behaviour) => behaviour.name));
  for (const excepted of Object.keys(options.except ?? {}))
    if (!names.has(excepted)) throw new Error(`no behaviour of the contract is called "${excepted}"`);
  void describe(name, { concurrency: options.concurrency ?? 1 }, () => {
    for (const behaviour of wanted) register(behaviour, makeModel, options);
  });
}
