import { Database, newId } from '@hone/database';
import { Injectable } from '@nestjs/common';

import type { UserRecord } from './user-record.js';
import { UserNotFoundError } from './users.errors.js';

/** A user to store; their default entity exists already. */
export interface UserDraft {
  username: string;
  isAdmin: boolean;
  defaultEntityId: string;
}

const WITH_ENTITY = { defaultEntity: { select: { name: true } } };

type Row = Omit<UserRecord, 'defaultEntity'> & { defaultEntity: { name: string } };

@Injectable()
export class UsersRepository {
  constructor(private readonly database: Database) {}

  async find(username: string): Promise<UserRecord | null> {
    const row = await this.database.client.user.findUnique({ where: { username }, include: WITH_ENTITY });
    return row && toUser(row);
  }

  /** @throws UserNotFoundError */
  async get(username: string): Promise<UserRecord> {
    const user = await this.find(username);
    if (!user) throw new UserNotFoundError(username);
    return user;
  }

  /** In the order they were made. */
  async list(): Promise<UserRecord[]> {
    const rows = await this.database.client.user.findMany({ include: WITH_ENTITY, orderBy: { id: 'asc' } });
    return rows.map(toUser);
  }

  /** Null: the username is taken. Does not break the transaction it runs in. */
  async insert(draft: UserDraft): Promise<UserRecord | null> {
    const { count } = await this.database.client.user.createMany({
      data: { id: newId(), ...draft },
      skipDuplicates: true,
    });
    return count === 1 ? this.get(draft.username) : null;
  }
}

const toUser = ({ id, username, isAdmin, createdAt, defaultEntity }: Row): UserRecord => ({
  id,
  username,
  isAdmin,
  createdAt,
  defaultEntity: defaultEntity.name,
});
