import { hashApiKey } from './key-format.js';

/** A key that somebody sent. Hashing it costs more than the lookup: whoever sends it again and again keeps this. */
export class PresentedKey {
  readonly hash: Buffer;
  /** The hash as text. */
  readonly id: string;

  constructor(key: string) {
    this.hash = hashApiKey(key);
    this.id = this.hash.toString('base64');
  }
}
