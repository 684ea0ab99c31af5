/**
 * The type of a section of the prompt: one file in sections/ and one line in build-prompt.ts. Everything from outside is in
 * a fence of the guard; the text outside fences is fixed.
 */
import type { FilePart } from "../change/scope.ts";
import type { PromptInput } from "./prompt.ts";

export type RenderedSection = {
  /** Empty when there is no content; the section is then left out. */
  readonly text: string;
  /** Characters that didn't fit. The text mentions it too. */
  readonly cutChars: number;
  /** Files whose hunks are all in it. */
  readonly shownPaths?: readonly string[];
  /** The hunks in it of other files. */
  readonly shownParts?: readonly FilePart[];
};

/** `Input`: the part of a prompt's input that it needs. */
export type SectionRenderer<Input = PromptInput> = {
  readonly name: string;
  /** Maximum number of characters from outside; fixed text comes on top. */
  readonly budgetChars: number;
  /** The same in a lean prompt; 0 leaves the section out. */
  readonly leanBudgetChars: number;
  render(input: Input, budgetChars: number): RenderedSection;
};

export const NOTHING: RenderedSection = { text: "", cutChars: 0 };
