/** The time that the processes of an SQLite installation agree on, so that it goes on when the machine's clock is set back. */
import type { Migration } from "../../migrate.ts";

export const clock: Migration = {
  number: 8,
  name: "clock",
  statements: () => [
    // One row: when the machine's clock said `wall_ms`, the store's was `ahead_ms` ahead of it; `seen_at` is the latest time
    // of the store's clock that was committed. PostgreSQL has a clock of its own and leaves the table empty.
    `create table clock (
      id bigint primary key,
      ahead_ms bigint not null,
      wall_ms bigint not null,
      seen_at bigint not null
    )`,
  ],
};
