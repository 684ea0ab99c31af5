/**
 * Finds the last text of a model. Text in the same turn as a tool call is a remark about the work and doesn't count, whichever of the two
 * is reported first.
 */
import type { ModelEvent } from "../../model/model.ts";

export type Listener = {
  hear(event: ModelEvent): void;
  /** "" for none. */
  said(): string;
};

export function createListener(): Listener {
  let before = "";
  let text = "";
  let hasCalled = false;
  const said = (): string => (hasCalled || text.trim() === "" ? before : text);
  return {
    hear(event) {
      if (event.kind === "said") ({ text } = event);
      else if (event.kind === "tool") hasCalled = true;
      else {
        before = said();
        text = "";
        hasCalled = false;
      }
    },
    said,
  };
}
