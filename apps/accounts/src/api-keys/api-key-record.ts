import type { Scope } from '@hone/contracts';

export type ChatDefaults = 'openai' | 'listed';

/** A key to store, without the key. */
export interface ApiKeyDraft {
  userId: string;
  label: string;
  scopes: Scope[];
  /** `<entity>/<project>`; null: every project of its user. */
  onlyProject: string | null;
  /** `<entity>/<project>`. */
  defaultProject: string;
  chatDefaults: ChatDefaults | null;
  /** Smallest priority of its requests. */
  minPriority: number;
  /** Names of models; null: all. */
  models: readonly string[] | null;
  expiresAt: Date | null;
  /** Made at the start of the service for the user `admin`. */
  isBootstrap?: boolean;
}

export interface ApiKeyRecord extends Omit<ApiKeyDraft, 'isBootstrap'> {
  id: string;
  prefix: string;
  username: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}
