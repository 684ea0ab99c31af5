/** Images of containers. */
import type { Ecosystem } from "../ecosystem.ts";
import { TAG_ORDER } from "../versions/tag-order.ts";
import { composeFile } from "./compose.ts";
import { dockerfile } from "./dockerfile.ts";

export const DOCKER: Ecosystem = {
  formats: [dockerfile, composeFile],
  order: TAG_ORDER,
  isByReference: true,
};
