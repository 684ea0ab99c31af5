/**
 * Tables for what past reviews teach: findings with their outcome, people's feedback, learnings, and suppressions. One list, because
 * a released migration never changes.
 */
import type { Migration } from "../../migrate.ts";

export const memory: Migration = {
  number: 13,
  name: "memory",
  statements: ({ identity, name }) => [
    // The current row of a repository here decides which repositories may see its memories, never a copy in a memory.
    `create table memory_repositories (
      repository_id bigint primary key,
      owner text not null,
      name text not null,
      is_private bigint not null,
      is_sharing bigint not null,
      memories bigint not null,
      terms bigint not null,
      embeddings text not null,
      updated_at bigint not null
    )`,
    "create index memory_repositories_by_owner on memory_repositories (owner, is_sharing, is_private)",
    `create table memories (
      id ${identity},
      repository_id bigint not null,
      pull_request bigint not null,
      identity text not null,
      pattern text not null,
      title text not null,
      body text not null,
      path text not null,
      language text not null,
      category text not null,
      severity text not null,
      rule text,
      url text,
      outcome text not null,
      terms bigint not null,
      space text,
      created_at bigint not null,
      updated_at bigint not null,
      unique (repository_id, pull_request, identity)
    )`,
    "create index memories_by_repository on memories (repository_id, id)",
    "create index memories_by_space on memories (repository_id, space, id)",
    // The full-text index: a row per term and memory, with the memory's length, so that a search reads no other table.
    `create table memory_terms (
      repository_id bigint not null,
      term text not null,
      memory_id bigint not null,
      frequency bigint not null,
      length bigint not null,
      primary key (repository_id, term, memory_id) ${name === "postgres" ? "include (frequency, length)" : ""}
    ) ${name === "sqlite" ? "without rowid" : ""}`,
    "create index memory_terms_by_memory on memory_terms (memory_id)",
    // How many memories of a repository have the term.
    `create table memory_term_counts (
      repository_id bigint not null,
      term text not null,
      memories bigint not null,
      primary key (repository_id, term)
    )`,
    `create table feedback (
      repository_id bigint not null,
      pull_request bigint not null,
      identity text not null,
      signal text not null,
      person text not null,
      pattern text not null,
      title text not null,
      teaches bigint not null,
      reason text not null,
      url text,
      at bigint not null,
      primary key (repository_id, pull_request, identity, signal, person)
    )`,
    "create index feedback_by_time on feedback (repository_id, teaches, at)",
    `create table feedback_polls (
      repository_id bigint not null,
      pull_request bigint not null,
      installation_id bigint not null,
      repository text not null,
      closed_at bigint,
      changed_at bigint not null,
      next_at bigint not null,
      primary key (repository_id, pull_request)
    )`,
    "create index feedback_polls_by_time on feedback_polls (next_at)",
    `create table suppressions (
      id ${identity},
      repository_id bigint not null,
      pattern text not null,
      title text not null,
      created_at bigint not null,
      expires_at bigint not null,
      undone_at bigint,
      undone_by text
    )`,
    "create index suppressions_by_pattern on suppressions (repository_id, pattern, created_at)",
    `create table learnings (
      id ${identity},
      repository_id bigint not null,
      source text not null,
      name text not null,
      kind text not null,
      text text not null,
      paths text not null,
      confidence_permille bigint not null,
      confirmations bigint not null,
      uses bigint not null,
      last_used_at bigint,
      provenance text,
      owner text,
      created_by text not null,
      created_at bigint not null,
      updated_at bigint not null,
      expires_at bigint,
      unique (repository_id, source, name)
    )`,
    // Items that a person made Kodiai forget, as hashes, so that reviews don't learn them again. See repositories/forgotten.ts.
    `create table forgotten (
      repository_id bigint not null,
      item text not null,
      at bigint not null,
      primary key (repository_id, item)
    )`,
    // The verified replacement of the finding's lines, to recognize that it was committed.
    "alter table findings add column suggestion text",
    // The head whose lines were found to be that replacement.
    "alter table findings add column suggestion_committed_in text",
    // Where a person finds it; null when it has no comment of its own.
    "alter table findings add column url text",
  ],
};
