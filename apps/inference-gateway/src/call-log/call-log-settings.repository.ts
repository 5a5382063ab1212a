import { type RedactionDto, toLogLevel } from '@hone/contracts';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { type CallLogSetting, KEEP_ALL } from './call-log-setting.js';

@Injectable()
export class CallLogSettingsRepository {
  constructor(private readonly database: Database) {}

  async find(projectRowId: string): Promise<CallLogSetting> {
    const settings = await this.database.client.projectSettings.findUnique({
      where: { projectId: projectRowId },
      select: { logCalls: true, redact: true },
    });
    if (settings === null) return KEEP_ALL;
    return { level: toLogLevel(settings.logCalls), redact: settings.redact as RedactionDto | null };
  }
}
