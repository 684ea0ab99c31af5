/** Tables for the dashboard: who is signed in, sign-ins that have begun, and the actions that people have taken. */
import type { Migration } from "../../migrate.ts";

export const dashboardTables: Migration = {
  number: 20,
  name: "dashboard",
  statements: ({ identity }) => [
    // Cookies and states are stored as hashes, and tokens encrypted: a copy of the database is of no use for signing in.
    `create table dashboard_sessions (
      id_hash text primary key,
      person_id bigint,
      login text not null,
      token text,
      created_at bigint not null,
      seen_at bigint not null,
      expires_at bigint not null
    )`,
    `create table dashboard_sign_ins (
      state_hash text primary key,
      challenge text not null,
      return_path text not null,
      expires_at bigint not null
    )`,
    `create table dashboard_audit (
      id ${identity},
      at bigint not null,
      person text not null,
      action text not null,
      target text not null,
      repository_id bigint,
      result text not null,
      detail text not null
    )`,
    "create index dashboard_audit_at on dashboard_audit (at)",
    "create index dashboard_audit_repository on dashboard_audit (repository_id)",
  ],
};
