/** The schema for editors: `schema/kodiai.schema.json`. It describes what people write, so nothing is required. */
import * as z from "zod";
import { RepoConfigSchema } from "./schema.ts";

export function renderJsonSchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(RepoConfigSchema, {
    io: "input",
    // A section whose keys are all commented out is read as an empty one, so editors should not complain either.
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema instanceof z.ZodPrefault) delete jsonSchema.default;
      const isSection = zodSchema instanceof z.ZodPrefault || zodSchema instanceof z.ZodDefault;
      // The library's type has one name here; the standard allows a list of them.
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
