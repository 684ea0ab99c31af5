/** The shared clock of an SQLite installation, which never goes back even if the machine's clock does. */
import type { Migration } from "../../migrate.ts";

export const clock: Migration = {
  number: 8,
  name: "clock",
  statements: () => [
    // One row: when the machine's clock showed `wall_ms`, the store's clock was `ahead_ms` ahead of it. `seen_at` is the
    // latest committed time of the store's clock. With PostgreSQL the table stays empty, because the server has a clock.
    `create table clock (
      id bigint primary key,
      ahead_ms bigint not null,
      wall_ms bigint not null,
      seen_at bigint not null
    )`,
  ],
};
