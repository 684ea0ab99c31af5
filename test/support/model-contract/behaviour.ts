/** One behaviour of every model adapter, with the check for it. */
import type { Scene } from "./scene.ts";

export type Behaviour = {
  readonly name: string;
  /** Whether it is tested with each wire protocol. The other behaviours are about the loop, which all protocols share. */
  readonly isMain?: boolean;
  readonly check: (scene: Scene) => Promise<void>;
};
