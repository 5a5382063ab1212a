import { hashApiKey } from './key-format.js';

/** A key that a caller sent, with its hash, which costs more than the look-up: keep it for callers who repeat the key. */
export class PresentedKey {
  readonly hash: Buffer;
  /** The hash as text. */
  readonly id: string;

  constructor(key: string) {
    this.hash = hashApiKey(key);
    this.id = this.hash.toString('base64');
  }
}
