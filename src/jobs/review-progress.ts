/** The current activity of a running review. */
export type ReviewProgress =
  | { readonly kind: "rules"; readonly doneFiles: number; readonly totalFiles: number }
  | {
      readonly kind: "model";
      /** As in `ReviewPass`: "review", "part 2 of 3". */
      readonly pass: string;
      /** `provider:name`. */
      readonly model: string;
      readonly turn: number;
      /** The tool that the model has just called; null between calls. */
      readonly tool: string | null;
      /** So far; null when the price of the model is unknown. */
      readonly costUsd: number | null;
    };
