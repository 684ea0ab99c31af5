/** A model review that is interrupted while it runs. */
import { type ModelScene, recording } from "./model-scenes/model-scene.ts";
import type { ModelTurn } from "./model-server/script.ts";

export const ENDLESS: ModelTurn = { text: "Let me think. ".repeat(20_000), pauseMs: 50 };

const found = (quote: string, title: string) => recording({ path: "src/users.ts", quote, title });

export const LOAD = found("export function load() {", "Callers cannot await it");

export const SEARCH = found('    find("1");', "The search is not awaited");

/** Does it when the first request of this turn has come. */
export function whenAsked({ server }: ModelScene, turn: number, act: () => Promise<unknown>): () => boolean {
  let isDone = false;
  let hasBegun = false;
  server.onRequest((request) => {
    if (hasBegun || request.turn !== turn) return;
    hasBegun = true;
    void act().then(() => (isDone = true));
  });
  return () => isDone;
}
