/**
 * Takes secrets out of a recording: stars of the same length wherever one stands, so that change, files, quotes and answers
 * still fit together. What was masked for the model is turned into the same stars where a tool would have turned it back.
 */
import { yieldToEventLoop } from "../../base/event-loop.ts";
import type { Change, ChangedFile, Hunk } from "../../review/change/change.ts";
import type { Finding } from "../../review/findings/finding.ts";
import { identifyInChange } from "../../review/findings/judge-findings.ts";
import { createGuard } from "../../review/untrusted/create-guard.ts";
import { createConcealer, secretValuesIn } from "../reading/conceal-secrets.ts";
import type { RecordedRun, ReviewRecording, RunStep } from "./recording.ts";

/** Whoever else works in this process waits no longer than this. */
const MAX_BUSY_MS = 20;

/** What a guard puts in the place of a secret. */
const PLACEHOLDER = /\[masked:([a-z0-9-]{1,60}):[0-9a-f-]{1,20}\]/g;

/** Arguments that tools turn back into the text of the repository. */
const REVEALED_ARGUMENTS: ReadonlySet<string> = new Set(["quote", "suggestion", "path", "paths", "dir"]);

/** `found`: all that the model has recorded, for the identities of findings. */
export async function concealRecording(
  recording: ReviewRecording,
  found: readonly Finding[],
): Promise<ReviewRecording> {
  const pause = createPause();
  const { change, ...request } = recording.request;
  const shown = { ...change, files: change.files.flatMap(hunkTexts) };
  const { hidden, values } = await findHidden({ ...recording, request, shown }, pause);
  const { conceal } = createConcealer({ files: [] }, { moreValues: values, isNumbered: true });
  const turnBack = createTurnBack(recording.models.word, hidden);
  const text = (value: string): string => conceal(turnBack.number(value));
  const exact = (value: string): string => text(turnBack.star(value, conceal));
  const concealRun = async (run: RecordedRun): Promise<RecordedRun> => ({
    ...(await mapTexts({ ...run, steps: [] }, text, pause)),
    steps: await inOrder(run.steps, (step) => concealStep(step, { text, exact, pause })),
  });
  const concealedChange = await concealChange(change, text, pause);
  const all = [...recording.floor.findings, ...found];
  const renamed = renameIdentities(
    identifyInChange(all, change),
    identifyInChange(await mapTexts(all, text, pause), concealedChange),
  );
  const { repository, floor, outcome } = recording;
  return {
    ...recording,
    ...(await mapTexts({ repository, floor, outcome }, text, pause)),
    request: {
      ...(await mapTexts(request, text, pause)),
      change: concealedChange,
      alreadyTold: request.alreadyTold.map((id) => renamed.get(id) ?? id),
      listedBefore: request.listedBefore.map((id) => renamed.get(id) ?? id),
    },
    models: {
      ...(await mapTexts({ ...recording.models, runs: [] }, text, pause)),
      runs: await inOrder(recording.models.runs, concealRun),
    },
  };
}

async function concealChange(
  change: Change,
  text: (value: string) => string,
  pause: () => Promise<void>,
): Promise<Change> {
  return {
    ...(await mapTexts({ ...change, files: [] }, text, pause)),
    files: await inOrder(change.files, async (file) => ({
      ...(await mapTexts({ ...file, hunks: [] }, text, pause)),
      hunks: await inOrder(file.hunks, async (hunk) => {
        await pause();
        return concealHunk(hunk, text);
      }),
    })),
  };
}

/** A finding whose code is stars now has another identity, also where it was told before. */
function renameIdentities(
  before: readonly { readonly id: string }[],
  after: readonly { readonly id: string }[],
): ReadonlyMap<string, string> {
  return new Map(before.map(({ id }, index) => [id, after[index]?.id ?? id]));
}

type Concealing = {
  readonly text: (value: string) => string;
  /** For what a tool turns back. */
  readonly exact: (value: string) => string;
  readonly pause: () => Promise<void>;
};

async function concealStep(step: RunStep, { text, exact, pause }: Concealing): Promise<RunStep> {
  if (step.kind !== "tool") return mapTexts(step, text, pause);
  const { args, ...rest } = step;
  const isObject = typeof args === "object" && args !== null && !Array.isArray(args);
  const concealed = isObject
    ? Object.fromEntries(
        await inOrder(Object.entries(args), async ([key, value]) => [
          text(key),
          await mapTexts(value, REVEALED_ARGUMENTS.has(key) ? exact : text, pause),
        ]),
      )
    : await mapTexts(args, exact, pause);
  return { ...(await mapTexts(rest, text, pause)), args: concealed };
}

/** Each side as a whole, because keys go on over lines; a line of both sides loses what either loses. */
function concealHunk(hunk: Hunk, conceal: (text: string) => string): Hunk {
  const lines = [...hunk.lines];
  for (const other of ["+", "-"]) {
    const side = lines.flatMap((line, index) => (line.startsWith(other) ? [] : [index]));
    const texts = side.map((index) => lines[index]?.slice(1) ?? "");
    const concealed = conceal(texts.join("\n")).split("\n");
    for (const [at, index] of side.entries())
      lines[index] = `${lines[index]?.[0] ?? ""}${concealed[at] ?? ""}`;
  }
  return { ...hunk, section: conceal(hunk.section), lines };
}

/** As models and rules see it: all lines, and each side. */
function hunkTexts({ hunks }: ChangedFile): readonly string[] {
  const without = (lines: readonly string[], other: string): string =>
    lines
      .filter((line) => !line.startsWith(other))
      .map((line) => line.slice(1))
      .join("\n");
  return hunks.flatMap(({ lines, section }) => [
    section,
    // Nothing but one of the three stands at the beginning of a line.
    ...["none", "+", "-"].map((other) => without(lines, other)),
  ]);
}

type TurnBack = {
  /** Placeholders as the stars that the secret has everywhere else. */
  readonly star: (text: string, conceal: (text: string) => string) => string;
  /** Placeholders by number: their hash would let a guess at the secret be tried. */
  readonly number: (text: string) => string;
};

/** A guard with the same word masks the same secrets the same way. */
function createTurnBack(word: string | null, texts: readonly string[]): TurnBack {
  if (word === null) return { star: (text) => text, number: (text) => text };
  const guard = createGuard(word);
  for (const text of texts) guard.code(text);
  const numbers = new Map<string, number>();
  const replace = (text: string, by: (placeholder: string, kind: string) => string): string =>
    text.replace(PLACEHOLDER, (placeholder, kind: string) =>
      // Who wrote the fence's own word gets it back from the same word; all else that is not known is somebody's text.
      kind === "delimiter" || guard.reveal(placeholder) === placeholder ? placeholder : by(placeholder, kind),
    );
  return {
    star: (text, conceal) =>
      replace(text, (placeholder) => {
        const secret = guard.reveal(placeholder);
        const concealed = conceal(secret);
        return concealed === secret ? "*".repeat(secret.length) : concealed;
      }),
    number: (text) =>
      replace(text, (placeholder, kind) => {
        const number = numbers.get(placeholder) ?? numbers.size + 1;
        numbers.set(placeholder, number);
        return `[masked:${kind}:${number}]`;
      }),
  };
}

type Hidden = { readonly hidden: readonly string[]; readonly values: ReadonlySet<string> };

/** Every text that holds a secret, and all secrets. */
async function findHidden(value: unknown, pause: () => Promise<void>): Promise<Hidden> {
  const hidden: string[] = [];
  const values = new Set<string>();
  const look = (text: string): string => {
    const found = secretValuesIn(text);
    if (found.length > 0) hidden.push(text);
    for (const secret of found) values.add(secret);
    return text;
  };
  await mapTexts(value, look, pause);
  return { hidden, values };
}

/**
 * The same value with every text in it replaced; texts that stand in a list are taken together. Words of ours stay: nothing
 * without digits or capitals is taken for a secret.
 */
async function mapTexts<Value>(
  value: Value,
  replace: (text: string) => string,
  pause: () => Promise<void>,
): Promise<Value> {
  const map = async (inner: unknown): Promise<unknown> => {
    if (typeof inner === "string") {
      await pause();
      return replace(inner);
    }
    if (isTextList(inner)) {
      await pause();
      return replace(inner.join("\n")).split("\n");
    }
    if (Array.isArray(inner)) return inOrder(inner, map);
    if (typeof inner !== "object" || inner === null) return inner;
    const entries = await inOrder(Object.entries(inner), async ([name, each]) => [name, await map(each)]);
    return Object.fromEntries(entries);
  };
  // Nothing but texts is replaced, and by texts.
  return (await map(value)) as Value;
}

function isTextList(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length > 1 &&
    value.every((each) => typeof each === "string" && !each.includes("\n"))
  );
}

async function inOrder<From, To>(from: readonly From[], map: (item: From) => Promise<To>): Promise<To[]> {
  const mapped: To[] = [];
  for (const item of from) mapped.push(await map(item));
  return mapped;
}

function createPause(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < MAX_BUSY_MS) return;
    await yieldToEventLoop();
    since = performance.now();
  };
}
