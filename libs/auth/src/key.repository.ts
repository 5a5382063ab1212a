import type { Role, Scope } from '@hone/contracts';
import { Database, type Prisma } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { toKeyAttributes } from './key-attributes.js';
import type { Principal } from './principal.js';
import { SessionRepository } from './session.repository.js';

@Injectable()
export class KeyRepository {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionRepository,
  ) {}

  /** The owner of a live key, with their roles; null for an unknown, revoked or expired key. */
  async findPrincipal(keyHash: Buffer): Promise<Principal | null> {
    return this.find({ keyHash: new Uint8Array(keyHash) });
  }

  /** The same of the key that a session was opened with; null also for an unknown, ended or expired session. */
  async findSessionPrincipal(tokenHash: Buffer): Promise<Principal | null> {
    const session = await this.sessions.find(tokenHash);
    const principal = session && (await this.find({ id: session.keyId }));
    if (!principal) return null;
    const { id: sessionId, expiresAt: end } = session;
    const { expiresAt } = principal;
    return { ...principal, sessionId, expiresAt: expiresAt !== null && expiresAt < end ? expiresAt : end };
  }

  /** The same by the key's row id. */
  async findPrincipalById(keyId: string): Promise<Principal | null> {
    return this.find({ id: keyId });
  }

  async touch(keyId: string): Promise<void> {
    await this.database.client.apiKey.updateMany({ where: { id: keyId }, data: { lastUsedAt: new Date() } });
  }

  private async find(where: Prisma.ApiKeyWhereUniqueInput): Promise<Principal | null> {
    const key = await this.database.client.apiKey.findUnique({
      where,
      include: { user: { include: { defaultEntity: true, memberships: { include: { entity: true } } } } },
    });
    if (!key || key.revokedAt || (key.expiresAt && key.expiresAt <= new Date())) return null;
    const { user } = key;
    return {
      userId: user.id,
      username: user.username,
      isAdmin: user.isAdmin,
      keyId: key.id,
      sessionId: null,
      scopes: new Set(key.scopes as Scope[]),
      onlyProject: key.onlyProject,
      defaultEntity: user.defaultEntity.name,
      defaultProject: key.defaultProject,
      attributes: toKeyAttributes(key.attributes),
      roles: new Map(user.memberships.map(({ entity, role }) => [entity.name, role as Role])),
      expiresAt: key.expiresAt,
    };
  }
}
