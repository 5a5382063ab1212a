import { type CallLoggingDto, type LogLevel, type RedactionDto, toLogLevel } from '@hone/contracts';
import { Database, Prisma, PROJECT_SETTINGS_CHANNEL } from '@hone/database';
import { Injectable } from '@nestjs/common';

interface ProjectSetting {
  retentionDays: number | null;
  logCalls: LogLevel;
  redact: Prisma.InputJsonValue | typeof Prisma.DbNull;
  search: boolean;
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
    await this.set(projectRowId, { retentionDays }, userId);
  }

  /** How much the gateway keeps of chats. */
  async findCallLogging(projectRowId: string): Promise<CallLoggingDto> {
    const found = await this.database.client.projectSettings.findUnique({ where: { projectId: projectRowId } });
    const redact = (found?.redact ?? null) as RedactionDto | null;
    return { log_calls: toLogLevel(found?.logCalls), redact };
  }

  /** Sets how much the gateway keeps of chats, and tells it. @param redact undefined: as before */
  async setCallLogging(
    projectRowId: string,
    logCalls: LogLevel,
    redact: RedactionDto | null | undefined,
    userId: string,
  ): Promise<void> {
    const stored = redact === null ? Prisma.DbNull : redact && { paths: redact.paths, patterns: redact.patterns };
    await this.database.transaction(async () => {
      await this.set(projectRowId, { logCalls, ...(stored && { redact: stored }) }, userId);
      await this.database.notify(PROJECT_SETTINGS_CHANNEL, projectRowId);
    });
  }

  /** Sets whether words of calls are indexed. @returns whether they were before */
  async setSearch(projectRowId: string, search: boolean, userId: string): Promise<boolean> {
    const found = await this.database.client.projectSettings.findUnique({ where: { projectId: projectRowId } });
    await this.set(projectRowId, { search }, userId);
    return found?.search ?? true;
  }

  private async set(projectRowId: string, changed: Partial<ProjectSetting>, userId: string): Promise<void> {
    const data = { ...changed, updatedAt: new Date(), updatedBy: userId };
    await this.database.client.projectSettings.upsert({
      where: { projectId: projectRowId },
      create: { projectId: projectRowId, ...data },
      update: data,
    });
  }
}
