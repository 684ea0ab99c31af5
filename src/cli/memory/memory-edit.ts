/** `kodiai memory edit ID`: changes a learning. */
import { KodiaiError } from "../../base/errors.ts";
import { updateLearning } from "../../store/repositories/learnings.ts";
import type { CliDeps, Command, ParsedArguments } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { usage } from "../parse-arguments.ts";
import { LEARNING_OPTIONS, readLearningOptions, readLearningText } from "./learning-options.ts";
import { parseMemoryId, unknownItem } from "./memory-id.ts";
import { NEEDS_DATABASE, withRecords } from "./with-records.ts";

const CLEARABLE = ["path", "owner", "expires", "provenance"] as const;

const CLEARED = {
  path: { paths: [] },
  owner: { owner: null },
  expires: { expiresAt: null },
  provenance: { provenance: null },
} as const;

export const memoryEdit: Command = {
  name: "memory edit",
  argumentNames: "ID",
  positionals: { min: 1, max: 1 },
  description: `Changes a learning. Options that aren't set keep their values. If feedback repeats, Kodiai may rewrite the text of a learning\nfrom feedback; add a learning of your own to keep a wording.\n${NEEDS_DATABASE}`,
  options: {
    text: { type: "string", value: "TEXT", help: "the new text" },
    ...LEARNING_OPTIONS,
    confidence: { type: "string", value: "N", help: "how certain it is, from 0 to 1" },
    clear: {
      type: "string",
      value: "FIELD",
      choices: CLEARABLE,
      isRepeatable: true,
      help: `remove a value: ${CLEARABLE.join(", ")}`,
    },
  },
  examples: [
    { line: 'kodiai memory edit l12 --text "Errors are values."', comment: "change the text" },
    {
      line: "kodiai memory edit l12 --path src/api/** --clear expires",
      comment: "change where and how long",
    },
  ],
  run,
};

async function run(args: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const item = parseMemoryId(args.positionals[0] ?? "");
  if (item.kind !== "learning")
    throw new KodiaiError("usage", `${item.text} is a ${item.kind}; only learnings can be edited`, {
      hint: `Run \`kodiai memory forget ${item.text}\` to remove it.`,
    });
  return withRecords(deps, async ({ database, now }) => {
    const at = now();
    const { text } = args.options;
    const wording = typeof text === "string" ? readLearningText(memoryEdit, text) : null;
    const change = {
      ...(wording === null ? {} : { text: wording.text }),
      ...readLearningOptions(memoryEdit, args, at),
      ...readConfidence(args),
      ...readCleared(args),
    };
    if (Object.keys(change).length === 0)
      throw usage(memoryEdit, "memory edit requires at least one option with a new value");
    if (!(await updateLearning(item.id, { ...change, at }, database))) throw unknownItem(item);
    if (wording?.isMasked === true)
      deps.stderr.write("kodiai: the text contained a credential, which was masked\n");
    deps.stderr.write(`kodiai: changed ${item.text}\n`);
    return EXIT.ok;
  });
}

function readConfidence({ options }: ParsedArguments): { readonly confidence?: number } {
  const { confidence } = options;
  if (typeof confidence !== "string") return {};
  if (!/^(?:0(?:\.\d{1,3})?|1(?:\.0{1,3})?)$/.test(confidence))
    throw usage(memoryEdit, "--confidence must be a number from 0 to 1, such as 0.75");
  return { confidence: Number(confidence) };
}

function readCleared({ options, lists }: ParsedArguments): object {
  const fields = CLEARABLE.filter((field) => lists["clear"]?.includes(field));
  const twice = fields.find((field) => options[field] !== undefined || lists[field] !== undefined);
  if (twice !== undefined) throw usage(memoryEdit, `--${twice} is set and cleared`);
  return Object.assign({}, ...fields.map((field) => CLEARED[field])) as object;
}
