/** Secrets of a change stay unseen by the agent program, and are reported by location. */
import { testModels } from "../support/model-scenes/model-scene.ts";
import { assertSecretsUnseen } from "../support/model-scenes/secrets.ts";

testModels(
  "[P9] secrets in the code and in the description: no provider sees a value, and all are reported by location (claude)",
  (openModelScene) => assertSecretsUnseen(openModelScene, "claude"),
);
