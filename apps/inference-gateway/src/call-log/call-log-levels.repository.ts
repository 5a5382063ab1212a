import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { LOG_LEVELS, type LogLevel } from './log-level.js';

/** How much a project that says nothing keeps. */
const DEFAULT_LEVEL: LogLevel = 'full';

@Injectable()
export class CallLogLevelsRepository {
  constructor(private readonly database: Database) {}

  async find(projectRowId: string): Promise<LogLevel> {
    const settings = await this.database.client.projectSettings.findUnique({
      where: { projectId: projectRowId },
      select: { logCalls: true },
    });
    return LOG_LEVELS.find((level) => level === settings?.logCalls) ?? DEFAULT_LEVEL;
  }
}
