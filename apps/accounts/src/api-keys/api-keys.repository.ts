import { ApiKeyNotFoundError, hashApiKey, prefixOf, toKeyAttributes } from '@hone/auth';
import type { Scope } from '@hone/contracts';
import { Database, newId } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { ApiKeyDraft, ApiKeyRecord } from './api-key-record.js';

const WITH_USER = { user: { select: { username: true } } };
/** Newest first. */
const ORDER = { id: 'desc' } as const;

@Injectable()
export class ApiKeysRepository {
  constructor(private readonly database: Database) {}

  /** Stores the hash of `key`, never the key. */
  async insert(
    key: string,
    { chatDefaults, minPriority, models, isBootstrap, ...draft }: ApiKeyDraft,
  ): Promise<ApiKeyRecord> {
    const attributes = {
      ...(chatDefaults && { chat_defaults: chatDefaults }),
      ...(minPriority !== 0 && { min_priority: minPriority }),
      ...(models && { models: [...models] }),
      ...(isBootstrap && { bootstrap: true }),
    };
    const row = await this.database.client.apiKey.create({
      data: { id: newId(), keyHash: new Uint8Array(hashApiKey(key)), prefix: prefixOf(key), attributes, ...draft },
      include: WITH_USER,
    });
    return toApiKey(row);
  }

  async find(id: string): Promise<ApiKeyRecord | null> {
    const row = await this.database.client.apiKey.findUnique({ where: { id }, include: WITH_USER });
    return row && toApiKey(row);
  }

  /** @throws ApiKeyNotFoundError */
  async get(id: string): Promise<ApiKeyRecord> {
    const found = await this.find(id);
    if (!found) throw new ApiKeyNotFoundError(id);
    return found;
  }

  async findByKey(key: string): Promise<ApiKeyRecord | null> {
    const where = { keyHash: new Uint8Array(hashApiKey(key)) };
    const row = await this.database.client.apiKey.findUnique({ where, include: WITH_USER });
    return row && toApiKey(row);
  }

  /** Revoked and expired ones too, newest first. @param userId undefined: everyone's */
  async list(userId: string | undefined): Promise<ApiKeyRecord[]> {
    const where = userId ? { userId } : {};
    const rows = await this.database.client.apiKey.findMany({ where, include: WITH_USER, orderBy: ORDER });
    return rows.map(toApiKey);
  }

  async listLiveBootstrapKeys(): Promise<ApiKeyRecord[]> {
    const where = { revokedAt: null, attributes: { path: ['bootstrap'], equals: true } };
    const rows = await this.database.client.apiKey.findMany({ where, include: WITH_USER, orderBy: ORDER });
    return rows.map(toApiKey);
  }

  /** @returns false: it was revoked already */
  async revoke(id: string): Promise<boolean> {
    const where = { id, revokedAt: null };
    const { count } = await this.database.client.apiKey.updateMany({ where, data: { revokedAt: new Date() } });
    return count === 1;
  }
}

interface Row extends Omit<ApiKeyRecord, 'username' | 'scopes' | 'chatDefaults' | 'minPriority' | 'models'> {
  scopes: string[];
  attributes: unknown;
  user: { username: string };
}

const toApiKey = (row: Row): ApiKeyRecord => ({
  id: row.id,
  userId: row.userId,
  username: row.user.username,
  prefix: row.prefix,
  label: row.label,
  scopes: row.scopes as Scope[],
  onlyProject: row.onlyProject,
  defaultProject: row.defaultProject,
  ...toKeyAttributes(row.attributes),
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
  lastUsedAt: row.lastUsedAt,
  revokedAt: row.revokedAt,
});
