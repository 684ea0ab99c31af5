/**
 * Vectors, and the signatures that searches use. Each engine derives a second form of the signatures that it can search
 * fast: PostgreSQL a generated bit column, SQLite blocks of many signatures.
 */
import type { Dialect } from "../../database.ts";
import type { Migration } from "../../migrate.ts";

export const vectors: Migration = {
  number: 5,
  name: "vectors",
  statements: (dialect) => {
    const isPostgres = dialect.name === "postgres";
    return [
      `create table vector_places (
        id ${dialect.identity},
        scope text not null,
        space text not null,
        unique (scope, space)
      )`,
      vectorsTable(dialect, isPostgres ? `, ${BITS}` : ""),
      `create index vectors_by_place on vectors (place_id, id${isPostgres ? ", bits" : ""})`,
      ...(isPostgres ? [] : SQLITE_BLOCKS),
    ];
  },
};

const vectorsTable = ({ bytes }: Dialect, more: string): string => `create table vectors (
  id bigint primary key,
  place_id bigint not null,
  vector ${bytes} not null,
  signature ${bytes} not null
  ${more}
)`;

/** The id precedes the signature itself. */
const BITS = `bits bit(1024) not null generated always as
  (('x' || encode(substr(signature, 9), 'hex'))::bit(1024)) stored`;

// 17 KB: few rows to read, and little to rewrite for each vector.
const IDS_PER_BLOCK = 128;

const ADD_TO_BLOCK = `insert into vector_blocks (place_id, block, packed)
  values (new.place_id, new.id / ${IDS_PER_BLOCK}, new.signature)
  on conflict (place_id, block) do update set packed = cast(packed || excluded.packed as blob);`;

// A signature starts with its id, so it occurs once in a block.
const TAKE_FROM_BLOCK = `update vector_blocks set packed = cast(
    substr(packed, 1, instr(packed, old.signature) - 1)
    || substr(packed, instr(packed, old.signature) + length(old.signature)) as blob)
  where place_id = old.place_id and block = old.id / ${IDS_PER_BLOCK} and instr(packed, old.signature) > 0;
  delete from vector_blocks
  where place_id = old.place_id and block = old.id / ${IDS_PER_BLOCK} and length(packed) = 0;`;

/** Concatenates the signatures of a collection whose ids are close together. */
const SQLITE_BLOCKS = [
  `create table vector_blocks (
    place_id bigint not null,
    block bigint not null,
    packed blob not null,
    primary key (place_id, block)
  )`,
  `create trigger vectors_added after insert on vectors begin ${ADD_TO_BLOCK} end`,
  `create trigger vectors_changed after update on vectors begin ${TAKE_FROM_BLOCK} ${ADD_TO_BLOCK} end`,
  `create trigger vectors_removed after delete on vectors begin ${TAKE_FROM_BLOCK} end`,
];
