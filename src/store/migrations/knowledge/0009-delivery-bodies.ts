/** What the body of a delivery was, as a hash: the same id with another body is not the same delivery. */
import type { Migration } from "../../migrate.ts";

export const deliveryBodies: Migration = {
  number: 9,
  name: "delivery-bodies",
  // SHA-256 in hexadecimal; null for deliveries from before.
  statements: () => ["alter table deliveries add column body_hash text"],
};
