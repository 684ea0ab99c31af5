/**
 * Ranks signatures inside PostgreSQL, with pgvector's Hamming distance if the extension is available. Stored data doesn't
 * depend on the extension, so it can be added or removed between two starts.
 */
import type { Database } from "../../database.ts";
import type { SignatureSearch } from "../signature-search.ts";
import { SIGNATURE_BITS } from "../signature.ts";

export async function openPostgresSearch(database: Database): Promise<SignatureSearch> {
  const hamming = (await findPgvector(database)) ?? (await createPgvector(database));
  const wanted = `$2::bit(${SIGNATURE_BITS})`;
  const difference = hamming === null ? `bit_count(bits # ${wanted})` : `${hamming}(bits, ${wanted})`;
  // A row per signature would cost more than everything else. The length of the bits precedes them.
  const sql = `select string_agg(int8send(id) || substr(bit_send(bits), 5), '') as packed from (
      select id, bits, (${difference})::bigint as differing from vectors
      where place_id = $1 and (${difference})::bigint <= $3 order by differing, id limit $4
    ) as best`;
  return {
    method: hamming === null ? "postgres" : "pgvector",
    async rank({ collectionId, signature, mostBits, limit }) {
      const bits = `x${Buffer.from(signature).toString("hex")}`;
      const [row] = await database.query<{ packed: Uint8Array | null }>(sql, [
        collectionId,
        bits,
        mostBits,
        limit,
      ]);
      return row?.packed ?? new Uint8Array();
    },
  };
}

/**
 * Returns the qualified name of the function that counts differing bits, because the extension may be in a schema outside
 * the search path. Null if there is no such function or the role may not call it; versions before 0.7 don't have it.
 */
async function findPgvector(database: Database): Promise<string | null> {
  const [row] = await database.query<{ name: string }>(
    `select quote_ident(namespace.nspname) || '.' || quote_ident(proc.proname) as name
     from pg_extension as extension
     join pg_namespace as namespace on namespace.oid = extension.extnamespace
     join pg_proc as proc on proc.pronamespace = namespace.oid
     where extension.extname = 'vector' and proc.proname = 'hamming_distance'
       and oidvectortypes(proc.proargtypes) = 'bit, bit'
       and has_schema_privilege(namespace.oid, 'usage') and has_function_privilege(proc.oid, 'execute')`,
  );
  return row?.name ?? null;
}

/** Creates the extension if the server offers it and the role may. Without it, searches are only slower. */
async function createPgvector(database: Database): Promise<string | null> {
  const available = await database.query(
    "select name from pg_available_extensions where name = 'vector' and installed_version is null",
  );
  if (available.length === 0) return null;
  const { lockSchema } = database.dialect;
  try {
    await database.transaction(async (sql) => {
      if (lockSchema !== null) await sql.query(lockSchema);
      await sql.query("create extension if not exists vector");
    });
  } catch {
    // The role probably lacks the permission. The next statement reports any other problem.
  }
  return findPgvector(database);
}
