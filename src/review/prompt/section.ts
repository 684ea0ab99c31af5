/**
 * What a section of the prompt is: one file in sections/ and one line in build-prompt.ts. Everything from outside stands in
 * a fence of the guard; what stands outside of fences is ours.
 */
import type { PromptInput } from "./prompt.ts";

export type RenderedSection = {
  /** Empty when there is nothing to say; the section is then left out. */
  readonly text: string;
  /** Characters of what it had to say that did not fit. The text says so too. */
  readonly cutChars: number;
  /** Files whose hunks are all in it. */
  readonly shownPaths?: readonly string[];
};

export type SectionRenderer = {
  readonly name: string;
  /** Most characters from outside; our own words come on top. */
  readonly budgetChars: number;
  /** The same in a lean prompt; 0 leaves the section out. */
  readonly leanBudgetChars: number;
  render(input: PromptInput, budgetChars: number): RenderedSection;
};

export const NOTHING: RenderedSection = { text: "", cutChars: 0 };
