/** An embedding model that is reached over the network. */
import type { ProviderAccess } from "../config/provider-access.ts";

export type RemoteModel = ProviderAccess & {
  /** `provider:model`. */
  readonly id: string;
  readonly model: string;
};
