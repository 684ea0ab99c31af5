/**
 * A model adapter can send its requests through an exchange, which may answer them itself: the journal of an evaluation never pays for an
 * answer twice.
 */
export type ProviderRequest = {
  /** Path and query of the address, without its host. */
  readonly path: string;
  readonly body: string;
};

/** `send` sends the request. The response may be one that was kept earlier. */
export type Exchange = (request: ProviderRequest, send: () => Promise<Response>) => Promise<Response>;
