import type { Readable } from 'node:stream';

import { type Principal, ProjectAccess } from '@hone/auth';
import { RawJson, type ThreadsQueryDto } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { ThreadsRepository } from './threads.repository.js';

@Injectable()
export class ThreadsService {
  constructor(
    private readonly threads: ThreadsRepository,
    private readonly access: ProjectAccess,
  ) {}

  /** Conversations, one per line. An unknown project has none. @throws AccessDeniedError */
  async stream(caller: Principal, query: ThreadsQueryDto): Promise<RawJson | Readable> {
    const projectRowId = await this.access.findReadable(caller, 'trace', query.project_id);
    return projectRowId === null ? new RawJson('') : this.threads.stream(projectRowId, query);
  }
}
