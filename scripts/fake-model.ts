/**
 * Runs a fake model provider on this machine, to try reviews with a model without a key:
 * `node scripts/with-node.js scripts/fake-model.ts [--port N] [--script FILE.json]`.
 *
 * Prints the settings that point Kodiai to it, and every request as it arrives. Without a script, it records one finding on an added
 * line and finishes. docs/fake-model.md describes scripts.
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import {
  type ModelRequest,
  type ModelServer,
  startModelServer,
} from "../test/support/model-server/model-server.ts";
import { reviewerScript } from "../test/support/model-server/reviewer-script.ts";
import { playScriptFile } from "../test/support/model-server/script-file.ts";

const DEFAULT_PORT = 8788;

/** The server accepts any key. */
const KEY = "fake-key";

function settings({ url }: ModelServer): string {
  return `Set these variables and run a review:

  export KODIAI_MODEL=anthropic:fake ANTHROPIC_API_KEY=${KEY} ANTHROPIC_BASE_URL=${url}

For the other protocols, use one of these lines instead:

  export KODIAI_MODEL=openai:fake OPENAI_API_KEY=${KEY} OPENAI_BASE_URL=${url}/v1
  export KODIAI_MODEL=google:fake GEMINI_API_KEY=${KEY} GOOGLE_BASE_URL=${url}
  export KODIAI_MODEL=compatible:fake KODIAI_COMPATIBLE_URL=${url}/v1
`;
}

function describe({
  conversation,
  turn,
  attempt,
  protocol,
  prompt,
  tools,
  toolResults,
}: ModelRequest): string {
  const again = attempt === 0 ? "" : `, attempt ${attempt + 1}`;
  const [last] = toolResults.slice(-1);
  const content =
    last === undefined
      ? `prompt of ${prompt.length} characters`
      : `tool result: ${JSON.stringify(last.slice(0, 100))}`;
  return `conversation ${conversation}, turn ${turn + 1}${again} (${protocol}, ${tools.length} tools): ${content}`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { port: { type: "string" }, script: { type: "string" } } });
  const server = await startModelServer({ port: Number(values.port ?? DEFAULT_PORT) });
  try {
    if (values.script === undefined) server.script(reviewerScript);
    else playScriptFile(readFileSync(values.script, "utf8"), server);
  } catch (error) {
    await server.close();
    throw error;
  }
  const quit = async (): Promise<void> => {
    await server.close();
    process.exit(0);
  };
  process.once("SIGINT", () => void quit());
  process.once("SIGTERM", () => void quit());
  server.onRequest((request) => console.log(describe(request)));
  console.log(`The fake model listens on ${server.url}. ${settings(server)}`);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
