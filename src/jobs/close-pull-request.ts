/** A pull request was closed: the job has taken the place of its reviews, and there is nothing else to do. */
import type { Recipe } from "./recipe.ts";

export function createCloseRecipe(): Recipe {
  return {
    run: async () => ({ state: "done", reason: "closed" }),
    giveUp: async () => {},
  };
}
