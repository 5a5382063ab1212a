import { Database, isLockTimeout } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { IdempotencyInProgressError } from '../errors/platform.errors.js';

/** Which request a key belongs to. */
export interface IdempotencySlot {
  userId: string;
  route: string;
  /** Project that the body names; empty when it names none. */
  scope: string;
  key: string;
}

export interface StoredAnswer {
  bodyHash: Uint8Array;
  /** Body of the 200 answer. */
  response: string;
}

/** Answers are kept for 24 h. */
@Injectable()
export class IdempotencyRepository {
  constructor(private readonly database: Database) {}

  /**
   * Takes the slot inside the ambient transaction. A second request with the same key waits here on the first one's
   * uncommitted row.
   *
   * @returns null: the slot is ours; else the answer that an earlier request left
   * @throws IdempotencyInProgressError the first request did not end within 10 s
   */
  async take(slot: IdempotencySlot, bodyHash: Buffer): Promise<StoredAnswer | null> {
    const { client } = this.database;
    const { userId, route, scope, key } = slot;
    try {
      await client.$executeRaw`SELECT set_config('lock_timeout', '10s', true)`;
      await client.$executeRaw`
        DELETE FROM idempotency_keys WHERE user_id = ${userId}::uuid AND route = ${route} AND scope = ${scope}
          AND key = ${key} AND created_at < now() - interval '24 hours'`;
      const made = await client.$executeRaw`
        INSERT INTO idempotency_keys (user_id, route, scope, key, body_hash)
        VALUES (${userId}::uuid, ${route}, ${scope}, ${key}, ${bodyHash}) ON CONFLICT DO NOTHING`;
      await client.$executeRaw`SELECT set_config('lock_timeout', '0', true)`;
      if (made === 1) return null;
    } catch (error) {
      if (isLockTimeout(error)) throw new IdempotencyInProgressError(key);
      throw error;
    }
    const rows = await client.$queryRaw<StoredAnswer[]>`
      SELECT body_hash AS "bodyHash", response FROM idempotency_keys
      WHERE user_id = ${userId}::uuid AND route = ${route} AND scope = ${scope} AND key = ${key}`;
    return rows[0] as StoredAnswer;
  }

  async keep({ userId, route, scope, key }: IdempotencySlot, response: string): Promise<void> {
    await this.database.client.$executeRaw`
      UPDATE idempotency_keys SET response = ${response}
      WHERE user_id = ${userId}::uuid AND route = ${route} AND scope = ${scope} AND key = ${key}`;
  }

  /** Forgets answers older than 24 h. */
  async deleteExpired(): Promise<number> {
    return this.database.client
      .$executeRaw`DELETE FROM idempotency_keys WHERE created_at < now() - interval '24 hours'`;
  }
}
