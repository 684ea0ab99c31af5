/** Renders the schema for editors, `schema/kodiai.schema.json`. It describes the file as written, so no key is required. */
import * as z from "zod";
import { RepoConfigSchema } from "./schema.ts";

export function renderJsonSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(RepoConfigSchema, {
    io: "input",
    // Kodiai treats a section with all keys commented out as empty, so editors must accept null there too.
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema instanceof z.ZodPrefault) delete jsonSchema.default;
      const isSection = zodSchema instanceof z.ZodPrefault || zodSchema instanceof z.ZodDefault;
      // The library's type allows a single name here; JSON Schema also allows a list.
      if (isSection && jsonSchema.type === "object") jsonSchema.type = ["object", "null"] as never;
    },
  });
  const document = {
    $schema,
    $id: "kodiai.schema.json",
    title: "Kodiai repository configuration (.kodiai.yml)",
    ...schema,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
