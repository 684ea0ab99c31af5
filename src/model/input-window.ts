/** How much input models take. A model that isn't listed gets what most current models have; a setting of the user overrides both. */

/** The context windows of model families, for the input and the answer together, as their providers documented them in 2026. */
const WINDOWS: readonly (readonly [name: RegExp, tokens: number])[] = [
  // As the Claude Agent SDK marks the large window, which has to be ordered.
  [/^claude-.*\[1m\]$/, 1_000_000],
  [/^claude-/, 200_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-[5-9]/, 400_000],
  [/^o\d/, 200_000],
  [/^gemini-/, 1_048_576],
];

const DEFAULT_WINDOW = 128_000;

/** Our counts are those of OpenAI's vocabulary. Others make up to a quarter more tokens of the same code. */
const OWN_VOCABULARY = /^(?:gpt-|o\d)/;
const SHARE_OF_OTHERS = 0.8;

/** The tokens of input, in our counts, that a model (`provider:name`) takes when it may write an answer of `outputTokens`. */
export function inputWindowOf(model: string, outputTokens: number): number {
  const name = model.split(/[:/]/).at(-1) ?? model;
  const [, window] = WINDOWS.find(([pattern]) => pattern.test(name)) ?? [null, DEFAULT_WINDOW];
  return Math.floor((window - outputTokens) * (OWN_VOCABULARY.test(name) ? 1 : SHARE_OF_OTHERS));
}
