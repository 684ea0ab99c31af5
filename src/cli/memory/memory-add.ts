/** `kodiai memory add`: adds a learning that a person states. */
import { statedLearning } from "../../jobs/memory/stated-learning.ts";
import { putLearning } from "../../store/repositories/learnings.ts";
import type { CliDeps, Command, ParsedArguments } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { LEARNING_OPTIONS, readLearningOptions, readLearningText } from "./learning-options.ts";
import { NEEDS_DATABASE, REPO, requireRepository, withRecords } from "./with-records.ts";

export const memoryAdd: Command = {
  name: "memory add",
  argumentNames: "TEXT",
  positionals: { min: 1, max: 1 },
  description: `Adds a learning: a statement about how the team works, which reviews of the repository take into account. Adding the same\ntext again updates it.\n${NEEDS_DATABASE}`,
  options: { repo: { ...REPO, help: "the repository that it's about (required)" }, ...LEARNING_OPTIONS },
  examples: [
    {
      line: 'kodiai memory add --repo acme/app "Errors are returned, never thrown." --path "src/**"',
      comment: "add a learning for some files",
    },
    {
      line: 'kodiai memory add --repo acme/app "We migrate to Vitest." --kind context --expires 90d',
      comment: "add one that expires",
    },
  ],
  run,
};

async function run(args: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const { text, isMasked } = readLearningText(memoryAdd, args.positionals[0] ?? "");
  return withRecords(deps, async ({ database, now }) => {
    const { repositoryId, name } = await requireRepository(memoryAdd, args, database);
    const at = now();
    const given = readLearningOptions(memoryAdd, args, at);
    const learning = {
      ...statedLearning(text),
      provenance: null,
      ...given,
      repositoryId,
      createdBy: given.owner ?? "operator",
      at,
    };
    const id = await database.transaction((sql) => putLearning(learning, sql));
    if (isMasked) deps.stderr.write("kodiai: the text contained a credential, which was masked\n");
    deps.stdout.write(`l${id}\n`);
    deps.stderr.write(`kodiai: learning l${id} applies to reviews of ${name} from now on\n`);
    return EXIT.ok;
  });
}
