/** One thing that every adapter of a model does, with how it is seen. */
import type { Scene } from "./scene.ts";

export type Behaviour = {
  readonly name: string;
  /** One that each wire protocol is tried with; the others are about the loop, which all of them share. */
  readonly isMain?: boolean;
  readonly check: (scene: Scene) => Promise<void>;
};
