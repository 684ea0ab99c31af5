/**
 * Jobs and the turns of groups. The port's state `queued` is one of three states here: a `ready` job can be claimed now, a
 * `delayed` job waits for its time, and a `blocked` job waits for another job with its serial key. Each query of a claim
 * then reads only the first entry of an index, however many jobs there are.
 */
import type { Migration } from "../../migrate.ts";

export const jobTables: Migration = {
  number: 2,
  name: "jobs",
  statements: ({ identity }) => [
    // `due_at` is when a delayed job may run, when the lease of a running job expires, or since when a ready job could have
    // run. `stop` is returned to a running job at its next heartbeat. `head_key` is the serial key of the one open job with
    // that key that isn't blocked.
    `create table jobs (
      id ${identity},
      key text not null unique,
      kind text not null,
      lane text not null,
      serial_key text,
      head_key text,
      job_group text not null,
      priority bigint not null,
      payload text not null,
      state text not null,
      due_at bigint not null,
      run_at bigint not null,
      created_at bigint not null,
      started_at bigint,
      finished_at bigint,
      attempts bigint not null default 0,
      deaths bigint not null default 0,
      worker text,
      token text,
      step text,
      stop text,
      stop_reason text,
      superseded_by bigint,
      reason text
    )`,
    // Each index holds jobs of one state only, so a change of state updates two indexes and not six.
    "create index jobs_ready on jobs (lane, job_group, priority desc, id, due_at) where state = 'ready'",
    "create index jobs_delayed on jobs (due_at) where state = 'delayed'",
    "create index jobs_blocked on jobs (serial_key, id) where state = 'blocked'",
    "create index jobs_running on jobs (job_group, due_at) where state = 'running'",
    // Enforces one running job per serial key.
    "create unique index jobs_head on jobs (head_key) where head_key is not null",
    "create index jobs_superseded on jobs (superseded_by) where superseded_by is not null",
    // Groups take turns within a lane: the group whose last turn was longest ago is next. `is_waiting` is 1 while the group
    // may have a ready job in the lane. A claim that finds none clears it.
    `create table job_turns (
      lane text not null,
      job_group text not null,
      is_shared integer not null,
      is_waiting integer not null,
      turn bigint not null,
      primary key (lane, job_group)
    )`,
    "create index job_turns_by_lane on job_turns (lane, turn) where is_waiting = 1",
    "create index job_turns_shared on job_turns (is_shared, turn) where is_waiting = 1",
  ],
};
