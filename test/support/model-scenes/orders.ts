/** The shared parts of scenes of second pushes: a shop whose orders, prices and stock change from push to push. */
import assert from "node:assert/strict";
import { pushAndReview, reasonOf } from "../app/pushes.ts";
import {
  FINISHING,
  oneByOne,
  recording,
  type ModelScene,
  type ModelSceneOptions,
  type OpenModelScene,
  type ScriptedFinding,
} from "./model-scene.ts";
import { type ScriptedCall } from "../model-server/script.ts";
export const CONFIG = "review:\n  debounceSeconds: 0\n  triggers:\n    onSynchronize: true\n";

/** Lines that keep the hunks of a file apart. */
export const apart = (name: string): readonly string[] =>
  Array.from({ length: 20 }, (_, index) => `export const ${name}${index} = ${index};`);

export const joinLines = (...lines: readonly (string | readonly string[])[]): string =>
  `${lines.flat().join("\n")}\n`;

export const TABLE = Array.from({ length: 30 }, (_, index) => `  [${index}, "zone ${index}"],`);

/** Three places far from each other, of which a pull request changes one or the other. */
export function orders({ total = "  return 0;", table = [], ship = "  return true;" }: OrdersParts): string {
  return joinLines(
    "export function total(items: readonly Item[]): number {",
    total,
    "}",
    apart("first"),
    "export const ZONES = new Map<number, string>([",
    table,
    "]);",
    apart("second"),
    "export function canShip(order: Order): boolean {",
    ship,
    "}",
  );
}

export type OrdersParts = {
  readonly total?: string | readonly string[];
  readonly table?: readonly string[];
  readonly ship?: string | readonly string[];
};

export const TOTAL = "  return items.reduce((sum, item) => sum + item.price, 0);";
export const SHIP = "  return order.stock > order.amount;";

export const BASE = {
  "src/orders.ts": orders({}),
  "src/prices.ts": joinLines("export const PRICES = new Map<string, number>();"),
  "src/stock.ts": joinLines("export const STOCK = new Map<string, number>();"),
};

export const FIRST = {
  "src/orders.ts": orders({ total: TOTAL, table: TABLE }),
  "src/prices.ts": joinLines("export const PRICES = new Map<string, number>([", '  ["apple", 30],', "]);"),
  "src/stock.ts": joinLines("export const STOCK = new Map<string, number>([", '  ["apple", 100],', "]);"),
};

export const finding = (each: ScriptedFinding): ScriptedCall =>
  recording({ body: `${each.title}.`, ...each });

/** A pull request with these files on a base of its own, reviewed once by a model that makes these calls. */
export async function openReviewed(
  openModelScene: OpenModelScene,
  calls: readonly ScriptedCall[],
  options: Partial<ModelSceneOptions> & { readonly base?: Files; readonly files?: Files } = {},
): Promise<ModelScene> {
  const { base = BASE, files = FIRST, ...rest } = options;
  const scene = await openModelScene({ config: CONFIG, script: [], ...rest });
  const { fake, repository, pullRequest, server } = scene;
  await fake.commit(repository, base);
  await fake.push(pullRequest, files, { isForced: true });
  server.script(oneByOne([...calls, FINISHING]));
  await scene.start();
  assert.equal(await reasonOf(scene, () => scene.send("opened")), "published");
  return scene;
}

export type Files = Readonly<Record<string, string | null>>;

/** The model is reminded once of findings that it was to check again, and insists. */
export const INSISTING = [FINISHING, FINISHING];

/** The model's answer about an earlier finding. */
export const confirming = (
  number: number,
  verdict: "fixed" | "still-there",
  quote: string,
): ScriptedCall => ({
  name: "confirm_finding",
  args: { number, verdict, quote },
});

/** Another push, reviewed by a model that makes these calls. */
export async function push(scene: ModelScene, files: Files, calls: readonly ScriptedCall[]): Promise<void> {
  scene.server.script(oneByOne([...calls, ...INSISTING]));
  assert.equal(await pushAndReview(scene, files), "published");
}

/** The first message of each conversation. */
export function prompts({ server }: ModelScene): readonly string[] {
  const byConversation = new Map(server.requests.map(({ conversation, prompt }) => [conversation, prompt]));
  return [...byConversation.values()];
}

export const FIXED = "  return items.reduce((sum, item) => sum + item.price * item.amount, 0);";
export const UNFIXED = "  return items.filter(isPaid).reduce((sum, item) => sum + item.price, 0);";

export const AGAIN: ScriptedFinding = {
  path: "src/orders.ts",
  quote: UNFIXED,
  title: "The sum still ignores how many of an item were ordered",
  body: "The amount of each item is not multiplied with its price.",
  category: "maintainability",
};

export const totalOf = (total: string): Files => ({ "src/orders.ts": orders({ total, table: TABLE }) });

export const AMOUNT: ScriptedFinding = {
  path: "src/orders.ts",
  quote: TOTAL,
  title: "The amount of each item is ignored",
  body: "An order of two apples costs as much as one, because the sum ignores the amount.",
};
