import { createHmac, randomBytes } from 'node:crypto';

import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { whenDatabaseIsUp } from '@hone/platform';

import { UserHashRepository } from './user-hash.repository.js';

/** Hex digits of a hash: enough to tell users apart. */
const LENGTH = 16;
const KEY_BYTES = 32;

/** Stands for a request's `user` in the log: the same for one user, in all gateways, and of no use without their key. */
@Injectable()
export class UserHash implements OnApplicationBootstrap {
  private key: string = randomBytes(KEY_BYTES).toString('hex');

  constructor(private readonly keys: UserHashRepository) {}

  /** @throws Error what Postgres says when it is away for a minute */
  async onApplicationBootstrap(): Promise<void> {
    this.key = await whenDatabaseIsUp(() => this.keys.fix(this.key));
  }

  of(user: string): string {
    return createHmac('sha256', this.key).update(user).digest('hex').slice(0, LENGTH);
  }
}
