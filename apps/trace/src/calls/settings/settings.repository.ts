import { Injectable } from '@nestjs/common';
import { Database } from '@hone/database';

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
    const data = { retentionDays, updatedAt: new Date(), updatedBy: userId };
    await this.database.client.projectSettings.upsert({
      where: { projectId: projectRowId },
      create: { projectId: projectRowId, ...data },
      update: data,
    });
  }
}
