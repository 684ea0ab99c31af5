/** The Forge port: where a review is told. One publication, written once. */
import type { Publication } from "../review/publication/publication.ts";

export type Forge = {
  publish(publication: Publication): Promise<void>;
};
