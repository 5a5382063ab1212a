import { Module } from '@nestjs/common';

import { ApiKeysRepository } from './api-keys/api-keys.repository.js';
import { EntitiesRepository } from './entities/entities.repository.js';
import { MembersRepository } from './members/members.repository.js';
import { ProjectsRepository } from './projects/projects.repository.js';
import { UsersRepository } from './users/users.repository.js';

const REPOSITORIES = [ApiKeysRepository, EntitiesRepository, MembersRepository, ProjectsRepository, UsersRepository];

/** All repositories in one module: a change to accounts mostly touches several tables in one transaction. */
@Module({ providers: REPOSITORIES, exports: REPOSITORIES })
export class StorageModule {}
