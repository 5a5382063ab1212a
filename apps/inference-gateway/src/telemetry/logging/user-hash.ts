import { createHmac, randomBytes } from 'node:crypto';

import { whenDatabaseIsUp } from '@hone/platform';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { UserHashRepository } from './user-hash.repository.js';

/** Hex digits of a hash: enough to distinguish users. */
const LENGTH = 16;
const KEY_BYTES = 32;

/** Pseudonym of a request's `user` in the log: a keyed hash (HMAC), the same in all gateways. */
@Injectable()
export class UserHash implements OnApplicationBootstrap {
  private key: string = randomBytes(KEY_BYTES).toString('hex');

  constructor(private readonly keys: UserHashRepository) {}

  /** @throws Error the error of Postgres when it is unavailable for a minute */
  async onApplicationBootstrap(): Promise<void> {
    this.key = await whenDatabaseIsUp(() => this.keys.fix(this.key));
  }

  of(user: string): string {
    return createHmac('sha256', this.key).update(user).digest('hex').slice(0, LENGTH);
  }
}
