import { Injectable } from '@nestjs/common';
import { type LogLevel, toLogLevel } from '@hone/contracts';
import { Database, PROJECT_SETTINGS_CHANNEL } from '@hone/database';

interface ProjectSetting {
  retentionDays: number | null;
  logCalls: LogLevel;
}

/** Settings of projects. */
@Injectable()
export class SettingsRepository {
  constructor(private readonly database: Database) {}

  /** Days after which calls are deleted; null: never. */
  async findRetentionDays(projectRowId: string): Promise<number | null> {
    const found = await this.database.client.projectSettings.findUnique({ where: { projectId: projectRowId } });
    return found?.retentionDays ?? null;
  }

  /** Sets the days after which calls are deleted. @param retentionDays null: never */
  async setRetentionDays(projectRowId: string, retentionDays: number | null, userId: string): Promise<void> {
    await this.#set(projectRowId, { retentionDays }, userId);
  }

  /** How much the gateway keeps of chats. */
  async findLogLevel(projectRowId: string): Promise<LogLevel> {
    const found = await this.database.client.projectSettings.findUnique({ where: { projectId: projectRowId } });
    return toLogLevel(found?.logCalls);
  }

  /** Sets how much the gateway keeps of chats, and tells it. */
  async setLogLevel(projectRowId: string, logCalls: LogLevel, userId: string): Promise<void> {
    await this.database.transaction(async () => {
      await this.#set(projectRowId, { logCalls }, userId);
      await this.database.notify(PROJECT_SETTINGS_CHANNEL, projectRowId);
    });
  }

  async #set(projectRowId: string, changed: Partial<ProjectSetting>, userId: string): Promise<void> {
    const data = { ...changed, updatedAt: new Date(), updatedBy: userId };
    await this.database.client.projectSettings.upsert({
      where: { projectId: projectRowId },
      create: { projectId: projectRowId, ...data },
      update: data,
    });
  }
}
