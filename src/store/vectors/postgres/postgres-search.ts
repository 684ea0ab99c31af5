/**
 * Ranks signatures within PostgreSQL, with the operator of pgvector where that extension can be used and without it
 * elsewhere. Nothing that is stored depends on the extension: it may come and go between two starts of the program.
 */
import type { Database } from "../../database.ts";
import type { SignatureSearch } from "../signature-search.ts";
import { SIGNATURE_BITS } from "../signature.ts";

export async function openPostgresSearch(database: Database): Promise<SignatureSearch> {
  const hamming = (await findPgvector(database)) ?? (await createPgvector(database));
  const wanted = `$2::bit(${SIGNATURE_BITS})`;
  const difference = hamming === null ? `bit_count(bits # ${wanted})` : `${hamming}(bits, ${wanted})`;
  return {
    method: hamming === null ? "postgres" : "pgvector",
    rank: ({ placeId, signature, limit }) =>
      database.query(
        `select id, (${difference})::bigint as bits from vectors where place_id = $1 order by 2, 1 limit $3`,
        [placeId, `x${Buffer.from(signature).toString("hex")}`, limit],
      ),
  };
}

/**
 * The function that counts differing bits, by its full name: an extension may be in a schema that is not searched. Null
 * when there is none that we may call; versions before 0.7 have none.
 */
async function findPgvector(database: Database): Promise<string | null> {
  const [row] = await database.query<{ name: string }>(
    `select quote_ident(place.nspname) || '.' || quote_ident(made.proname) as name
     from pg_extension as extension
     join pg_namespace as place on place.oid = extension.extnamespace
     join pg_proc as made on made.pronamespace = place.oid
     where extension.extname = 'vector' and made.proname = 'hamming_distance'
       and oidvectortypes(made.proargtypes) = 'bit, bit'
       and has_schema_privilege(place.oid, 'usage') and has_function_privilege(made.oid, 'execute')`,
  );
  return row?.name ?? null;
}

/** Creates the extension where the server has it and lets us. Without it searches are slower, and that is all. */
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
    // Most likely it takes an administrator. What else is wrong with the database, the next statement says.
  }
  return findPgvector(database);
}
