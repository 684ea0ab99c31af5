/**
 * Models of one review in an evaluation: what they spend is written to the journal, and everything that decides what they are asked is
 * the same when the review runs again.
 */
import { hashParts } from "../../base/hash.ts";
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { ModelAccess } from "../../jobs/model-review/model-access.ts";
import type { Model, Tokens } from "../../model/model.ts";
import { atMostUsd, costUsd, priceOf } from "../../model/prices.ts";
import { addTokens } from "../../model/tokens.ts";
import type { AnswerJournal } from "./answer-journal.ts";

export type JournaledModels = {
  readonly access: ModelAccess;
  /** Of all calls; a kept answer counts as the call that it once was. */
  tokens(): Tokens;
  /** Input of the first call; null before. */
  firstCallTokens(): number | null;
};

/** The Claude Agent SDK's program sends its requests itself. */
const UNSEEN_PROVIDER = "claude:";

/** As long as the random word of a review. */
const WORD_CHARS = 24;

/** `seed`: secret, and the same when the review runs again. */
export function journaledModels(real: ModelAccess, journal: AnswerJournal, seed: string): JournaledModels {
  let prices: RepoConfig["prices"] = {};
  let words = 0;
  let first: number | null = null;
  let tokens: Tokens = { input: 0, cachedInput: 0, output: 0 };

  const journaled = (model: Model): Model => ({
    id: model.id,
    run(task, signal) {
      const price = priceOf(model.id, prices, real.money.operatorPrices);
      const { meter } = task;
      return model.run(
        {
          ...task,
          meter: {
            async admit(atMost) {
              const outputTokens = await meter.admit(atMost);
              if (outputTokens === 0) return 0;
              journal.expect(price === null ? null : atMostUsd({ ...atMost, outputTokens }, price));
              if (model.id.startsWith(UNSEEN_PROVIDER)) await journal.sendUnseen();
              return outputTokens;
            },
            add(more) {
              first ??= more.input;
              tokens = addTokens(tokens, more);
              journal.count(price === null ? null : costUsd(more, price));
              meter.add(more);
            },
          },
        },
        signal,
      );
    },
  });

  return {
    access: {
      choice: {
        async choose(config) {
          const chosen = await real.choice.choose(config);
          return { ...chosen, models: chosen.models.map(journaled) };
        },
        async loadNamed(name, style) {
          const named = await real.choice.loadNamed(name, style);
          return named.kind === "loaded" ? { ...named, model: journaled(named.model) } : named;
        },
        mayRetry: () => real.choice.mayRetry(),
      },
      money: {
        openSpending(config) {
          ({ prices } = config);
          return real.money.openSpending(config);
        },
        get operatorPrices() {
          return real.money.operatorPrices;
        },
      },
      openNotebook: (change) => real.openNotebook(change),
      // Conversations at the same time would see one another's findings in another order.
      concurrency: 1,
      randomWord: () => hashParts([seed, String(words++)], WORD_CHARS),
    },
    tokens: () => tokens,
    firstCallTokens: () => first,
  };
}
