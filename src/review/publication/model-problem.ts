/** The `what` of a degradation for a configured model that can't be used. Its message is for the operator. */
export const MODEL_PROBLEM = "model";
