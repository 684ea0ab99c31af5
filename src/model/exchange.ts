/**
 * What may stand between a model adapter and its provider, and answer a request itself: the journal of an evaluation, which never pays
 * for an answer twice.
 */
export type ProviderRequest = {
  /** Path and query of the address, without its host. */
  readonly path: string;
  readonly body: string;
};

/** `send` sends the request. The response may be one that was kept earlier. */
export type Exchange = (request: ProviderRequest, send: () => Promise<Response>) => Promise<Response>;
