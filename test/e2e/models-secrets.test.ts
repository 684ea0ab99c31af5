/** Secrets of a change: no provider sees one, all are reported by location, and a model's quotes of them are still found. */
import { testModels } from "../support/model-scenes/model-scene.ts";
import { assertSecretsUnseen } from "../support/model-scenes/secrets.ts";

testModels(
  "[P9] secrets in the code and in the description: no provider sees a value, and all are reported by location (openai)",
  (openModelScene) => assertSecretsUnseen(openModelScene, "openai"),
);
