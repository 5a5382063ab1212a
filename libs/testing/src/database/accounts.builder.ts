import { hashApiKey, newApiKey, prefixOf } from '@hone/auth';
import { type Role, type Scope, SCOPES } from '@hone/contracts';
import { Database, newId } from '@hone/database';

/** A user with one key, as tests act through them. */
export interface TestUser {
  id: string;
  username: string;
  key: string;
  keyId: string;
}

export interface TestUserOptions {
  isAdmin?: boolean;
  /** Role per entity; missing entities are made. */
  roles?: Record<string, Role>;
  scopes?: Scope[];
  onlyProject?: string;
  expiresAt?: Date;
}

/** Stores a user, their entity, roles and one key. */
export async function createTestUser(db: Database, username: string, options: TestUserOptions = {}): Promise<TestUser> {
  const user: TestUser = { id: newId(), username, key: newApiKey(), keyId: newId() };
  const own = await entityId(db, username, 'user');
  await db.client.user.create({
    data: { id: user.id, username, isAdmin: options.isAdmin ?? false, defaultEntityId: own },
  });
  for (const [entity, role] of Object.entries({ [username]: 'owner', ...options.roles })) {
    await db.client.membership.create({
      data: { entityId: await entityId(db, entity, 'team'), userId: user.id, role },
    });
  }
  await db.client.apiKey.create({
    data: {
      id: user.keyId,
      userId: user.id,
      keyHash: new Uint8Array(hashApiKey(user.key)),
      prefix: prefixOf(user.key),
      label: 'test',
      scopes: options.scopes ?? [...SCOPES],
      onlyProject: options.onlyProject ?? null,
      defaultProject: `${username}/default`,
      expiresAt: options.expiresAt ?? null,
    },
  });
  return user;
}

async function entityId(db: Database, name: string, kind: string): Promise<string> {
  const known = await db.client.entity.findUnique({ where: { name } });
  return known?.id ?? (await db.client.entity.create({ data: { id: newId(), name, kind } })).id;
}
