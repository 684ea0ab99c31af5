/** A pull request whose GitHub, model and registry can only be reached through a proxy with a password. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { createScenario, type Scenario, type ScenarioOptions } from "./app/scenario.ts";
import { reviewerScript } from "./model-server/reviewer-script.ts";
import { type ModelServer, startModelServer } from "./model-server/model-server.ts";
import { startNpmRegistry } from "./npm-registry.ts";
import { type OutboundProxy, startOutboundProxy } from "./outbound-proxy.ts";

export const PASSWORD = "pa55-of-the-proxy";

type Scene = {
  readonly scenario: Scenario;
  readonly proxy: OutboundProxy;
  readonly model: ModelServer;
  /** Leads to GitHub, the model and the registry by names that only the proxy knows. */
  readonly environment: Readonly<Record<string, string>>;
  readonly address: string;
  readonly asked: () => readonly string[];
};

export async function createScene(t: TestContext, options: ScenarioOptions = {}): Promise<Scene> {
  const proxy = await startOutboundProxy(t);
  proxy.credentials = `kodiai:${PASSWORD}`;
  const model = await startModelServer();
  t.after(() => model.close());
  model.script(reviewerScript);
  const registry = await startNpmRegistry(t, [
    { name: "left-pad", version: "1.0.0", files: { "index.js": "exports.pad = 1;\n" } },
    { name: "left-pad", version: "1.0.1", files: { "index.js": "exports.pad = 1;\n" } },
  ]);
  const scenario = await createScenario(t, { isPrivate: false, ...options });
  const { fake, pullRequest, folder } = scenario;
  const portOf = (url: string | undefined): number => Number(new URL(url ?? "").port);
  const github = await proxy.addHost("github", portOf(fake.url));
  fake.world.origin = github;
  const npm = await proxy.addHost("npm", portOf(registry.env["KODIAI_NPM_REGISTRY"]));
  const models = await proxy.addHost("models", portOf(model.url));
  const passwordFile = join(folder.path, "proxy-url");
  writeFileSync(passwordFile, `${proxy.url.replace("//", `//kodiai:${PASSWORD}@`)}\n`);
  return {
    scenario,
    proxy,
    model,
    asked: registry.asked,
    address: `${github}/acme/shop/pull/${pullRequest.number}`,
    environment: {
      ...registry.env,
      GITHUB_API_URL: `${github}/api/v3`,
      GITHUB_TOKEN: fake.personalToken("ada"),
      KODIAI_NPM_REGISTRY: npm,
      KODIAI_HOSTS: npm,
      KODIAI_PRIVATE_HOSTS: "",
      ANTHROPIC_API_KEY: "sk-ant-0123456789",
      ANTHROPIC_BASE_URL: models,
      HTTPS_PROXY_FILE: passwordFile,
      NODE_EXTRA_CA_CERTS: proxy.authorityFile,
    },
  };
}

export const BUMP: ScenarioOptions = {
  baseFiles: { "package.json": '{ "dependencies": { "left-pad": "1.0.0" } }\n' },
  pullRequest: {
    files: {
      "package.json": '{ "dependencies": { "left-pad": "1.0.1" } }\n',
      "src/users.ts": "export const users = [];\n",
    },
  },
};
