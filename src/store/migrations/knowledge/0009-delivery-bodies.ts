/** A hash of each delivery's body: the same id with another body is a different delivery. */
import type { Migration } from "../../migrate.ts";

export const deliveryBodies: Migration = {
  number: 9,
  name: "delivery-bodies",
  // SHA-256 in hexadecimal. Null for deliveries recorded before this migration.
  statements: () => ["alter table deliveries add column body_hash text"],
};
