/** A question of the user that a review has to look into, with the context pack for it. */
export type AskedQuestion = {
  readonly question: string;
  /** The change and the code around it, as `kodiai pack` writes it. */
  readonly pack: string;
};
