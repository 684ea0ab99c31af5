/**
 * Masks the secrets in a recording: stars of the same length wherever one is, so that change, files, quotes and answers still
 * match. Placeholders that a tool would turn back into the secret become the same stars.
 */
import { yieldToEventLoop } from "../../base/event-loop.ts";
import { PLACEHOLDER_SOURCE, placeholderOf } from "../../base/secrets/mask-secrets.ts";
import { createSameLengthMask, secretValuesIn } from "../../base/secrets/same-length-mask.ts";
import type { Hunk } from "../../review/change/change.ts";
import type { Finding } from "../../review/findings/finding.ts";
import { identifyInChange } from "../../review/findings/judge-findings.ts";
import { createGuard } from "../../review/untrusted/create-guard.ts";
import type { ReviewRecording, ToolStep } from "./recording.ts";

/** Other work in this process waits no longer than this. */
const MAX_BUSY_MS = 20;

/** A guard's placeholder for a secret. */
const PLACEHOLDER = new RegExp(PLACEHOLDER_SOURCE, "g");

/** Arguments that tools turn back into the text of the repository. */
const REVEALED_ARGUMENTS: ReadonlySet<string> = new Set(["quote", "suggestion", "path", "paths", "dir"]);

type Masks = {
  readonly text: (value: string) => string;
  /** For arguments that a tool turns back. */
  readonly revealed: (value: string) => string;
};

/** `found`: all findings of the models, for their identities. */
export async function maskRecording(
  recording: ReviewRecording,
  found: readonly Finding[],
): Promise<ReviewRecording> {
  const mapTexts = createTextMapper();
  const secretTexts: string[] = [];
  const values = new Set<string>();
  const look = (text: string): string => {
    const secrets = secretValuesIn(text);
    if (secrets.length > 0) secretTexts.push(text);
    for (const secret of secrets) values.add(secret);
    return text;
  };
  await mapTexts(recording, { text: look, revealed: look });

  const star = createSameLengthMask({ values, isNumbered: true });
  const placeholders = createPlaceholders(recording.models.word, secretTexts);
  const text = (value: string): string => star(placeholders.number(value));
  const masks = { text, revealed: (value: string) => text(placeholders.star(value, star)) };
  const masked = await mapTexts(recording, masks);

  // A finding on masked code has another identity, also where it was reported before.
  const { change, prior } = recording.request;
  const before = identifyInChange([...recording.floor.findings, ...found], change);
  const maskedFindings = [...masked.floor.findings, ...(await mapTexts(found, masks))];
  const after = identifyInChange(maskedFindings, masked.request.change);
  const renamed = new Map(before.map(({ id }, index) => [id, after[index]?.id ?? id]));
  const rename = (id: string): string => renamed.get(id) ?? id;
  return {
    ...masked,
    request: {
      ...masked.request,
      prior: {
        ...masked.request.prior,
        findings: masked.request.prior.findings.map((finding, index) => ({
          ...finding,
          identity: rename(prior.findings[index]?.identity ?? ""),
          others: finding.others.map((other) => ({ ...other, identity: rename(other.identity) })),
        })),
      },
    },
  };
}

type Placeholders = {
  /** Placeholders become the stars that the secret has everywhere else. */
  readonly star: (text: string, star: (secret: string) => string) => string;
  /** Placeholders get a number: a guess at the secret could be checked against their hash. */
  readonly number: (text: string) => string;
};

/** A guard with the same word masks the same secrets the same way. */
function createPlaceholders(word: string | null, secretTexts: readonly string[]): Placeholders {
  if (word === null) return { star: (text) => text, number: (text) => text };
  const guard = createGuard(word);
  for (const text of secretTexts) guard.code(text);
  const numbers = new Map<string, number>();
  const replace = (text: string, by: (placeholder: string, kind: string) => string): string =>
    text.replace(PLACEHOLDER, (placeholder, kind: string) =>
      // The placeholder of the fence's own word stays; an unknown one is part of a text.
      kind === "delimiter" || guard.reveal(placeholder) === placeholder ? placeholder : by(placeholder, kind),
    );
  return {
    star: (text, star) =>
      replace(text, (placeholder) => {
        const secret = guard.reveal(placeholder);
        const starred = star(secret);
        return starred === secret ? "*".repeat(secret.length) : starred;
      }),
    number: (text) =>
      replace(text, (placeholder, kind) => {
        const number = numbers.get(placeholder) ?? numbers.size + 1;
        numbers.set(placeholder, number);
        return placeholderOf(kind, String(number));
      }),
  };
}

/**
 * Returns a function that replaces every text in a value. The texts of a list, and each side of a hunk, are replaced as one text,
 * because keys span lines. It yields to the event loop now and then.
 */
function createTextMapper(): <Value>(value: Value, masks: Masks) => Promise<Value> {
  let since = performance.now();
  async function map(value: unknown, masks: Masks): Promise<unknown> {
    if (performance.now() - since > MAX_BUSY_MS) {
      await yieldToEventLoop();
      since = performance.now();
    }
    if (typeof value === "string") return masks.text(value);
    if (isTextList(value)) return masks.text(value.join("\n")).split("\n");
    if (Array.isArray(value)) return Array.fromAsync(value, (each) => map(each, masks));
    if (typeof value !== "object" || value === null) return value;
    if (isHunk(value)) return maskHunk(value, masks.text);
    const entries = await Array.fromAsync(Object.entries(value), async ([name, each]) => {
      const isArguments = name === "args" && isToolStep(value);
      return [name, await (isArguments ? mapArguments(each, masks) : map(each, masks))] as const;
    });
    return Object.fromEntries(entries);
  }
  async function mapArguments(args: unknown, masks: Masks): Promise<unknown> {
    const revealing = { ...masks, text: masks.revealed };
    if (typeof args !== "object" || args === null || Array.isArray(args)) return map(args, revealing);
    const entries = await Array.fromAsync(
      Object.entries(args),
      async ([name, each]) =>
        [masks.text(name), await map(each, REVEALED_ARGUMENTS.has(name) ? revealing : masks)] as const,
    );
    return Object.fromEntries(entries);
  }
  // Only texts are replaced, by texts.
  return async <Value>(value: Value, masks: Masks) => (await map(value, masks)) as Value;
}

function isTextList(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length > 1 &&
    value.every((each) => typeof each === "string" && !each.includes("\n"))
  );
}

function isHunk(value: object): value is Hunk {
  return "oldStart" in value && "lines" in value;
}

function isToolStep(value: object): value is ToolStep {
  return "kind" in value && value.kind === "tool";
}

/** All lines and each side, as models and rules see them; a line of both sides loses what any view loses. */
function maskHunk(hunk: Hunk, mask: (text: string) => string): Hunk {
  const lines = [...hunk.lines];
  for (const other of ["none", "+", "-"]) {
    const shown = [...lines.keys()].filter((index) => !lines[index]?.startsWith(other));
    const masked = mask(shown.map((index) => lines[index]?.slice(1) ?? "").join("\n")).split("\n");
    for (const [at, index] of shown.entries()) lines[index] = `${lines[index]?.[0] ?? ""}${masked[at] ?? ""}`;
  }
  return { ...hunk, section: mask(hunk.section), lines };
}
