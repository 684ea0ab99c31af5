/** Serves a scene of the dashboard over HTTP, for real browsers. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { readDashboardRequest, sendDashboardAnswer } from "../../../src/dashboard/serving/http-exchange.ts";
import type { DashboardAnswer } from "../../../src/dashboard/exchange.ts";
import { createDashboardScene, type DashboardSceneOptions } from "./dashboard-scene.ts";

export type ServedScene = Awaited<ReturnType<typeof createDashboardScene>> & {
  /** Signs in as the operator, once. */
  readonly link: string;
  readonly url: string;
};

const ELSEWHERE: DashboardAnswer = { status: 404, headers: {}, body: "not one of the dashboard's paths" };

export async function serveScene(
  t: Pick<TestContext, "after">,
  options: Omit<DashboardSceneOptions, "origin"> = {},
): Promise<ServedScene> {
  let scene: Awaited<ReturnType<typeof createDashboardScene>> | null = null;
  const server = createServer((incoming, response) => {
    void (async () => {
      const request = await readDashboardRequest(incoming);
      const answer = request === null ? null : ((await scene?.dashboard(request)) ?? null);
      await sendDashboardAnswer(incoming, response, answer ?? ELSEWHERE);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  scene = await createDashboardScene(t, { ...options, origin: url });
  return { ...scene, url, link: `${url}${scene.linkPath}` };
}
