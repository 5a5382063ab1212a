import { type LogLevel, toLogLevel } from '@hone/contracts';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

@Injectable()
export class CallLogLevelsRepository {
  constructor(private readonly database: Database) {}

  async find(projectRowId: string): Promise<LogLevel> {
    const settings = await this.database.client.projectSettings.findUnique({
      where: { projectId: projectRowId },
      select: { logCalls: true },
    });
    return toLogLevel(settings?.logCalls);
  }
}
