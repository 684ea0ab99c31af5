/** The ids under which users configure the rules of analysers, such as `ruff/F821`. */
import { ALL_ANALYSERS } from "./all-analysers.ts";

export async function analyserRuleIds(): Promise<readonly string[]> {
  const tables = await Promise.all(
    ALL_ANALYSERS.map(async ({ name, rules }) => (await rules()).map(({ id }) => `${name}/${id}`)),
  );
  return tables.flat();
}
