/** A path as a model sees it: on one line, and restored by `guard.reveal` when the model names it. */
import type { Guard } from "./guard.ts";
import { escapeLineFeeds } from "../../base/hidden-characters.ts";

export function showPath(path: string, guard: Guard): string {
  return escapeLineFeeds(guard.code(path));
}
