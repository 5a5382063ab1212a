import { Environment } from '@hone/platform';

const ENTITY_CREATORS = ['admin', 'anyone'] as const;

/** What the accounts service reads from its environment beyond what every service does. */
export interface AccountsConfig {
  /** Key of the user `admin` that the operator chose. Undefined: the one in `dataDir`, made when there is none. */
  bootstrapApiKey: string | undefined;
  /** Folder of the generated bootstrap key. */
  dataDir: string;
  /** Who makes teams: administrators, or every user with a key for accounts. */
  entityCreators: (typeof ENTITY_CREATORS)[number];
}

/** Injection token of the {@link AccountsConfig}. */
export const ACCOUNTS_CONFIG = Symbol('AccountsConfig');

export const MIN_BOOTSTRAP_KEY_LENGTH = 32;
/** A longer one would not fit into the `Authorization` header that we read. */
const MAX_BOOTSTRAP_KEY_LENGTH = 1_024;

export function readAccountsConfig(environment = new Environment()): AccountsConfig {
  return {
    bootstrapApiKey: environment.optional(
      'HONE_BOOTSTRAP_API_KEY',
      `a key of ${MIN_BOOTSTRAP_KEY_LENGTH} to ${MAX_BOOTSTRAP_KEY_LENGTH} characters without blanks`,
      isUsableKey,
    ),
    dataDir: environment.text('HONE_DATA_DIR', 'a folder', () => true, './.hone'),
    entityCreators: environment.word('HONE_ENTITY_CREATORS', ENTITY_CREATORS, 'admin'),
  };
}

/** Blanks end a credential in the `Authorization` header. */
export const isUsableKey = (key: string): boolean =>
  key.length >= MIN_BOOTSTRAP_KEY_LENGTH && key.length <= MAX_BOOTSTRAP_KEY_LENGTH && !/[\s\p{Cc}]/u.test(key);
