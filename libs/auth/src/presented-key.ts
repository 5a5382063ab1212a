import { hashApiKey } from './key-format.js';

/**
 * A key, or the token of a session, that a caller sent, with its hash, which costs more than the look-up: keep it for
 * callers who repeat the key.
 */
export class PresentedKey {
  readonly hash: Buffer;
  /** Kind and hash as text. */
  readonly id: string;

  constructor(
    key: string,
    readonly kind: 'key' | 'session' = 'key',
  ) {
    this.hash = hashApiKey(key);
    this.id = `${kind} ${this.hash.toString('base64')}`;
  }
}
