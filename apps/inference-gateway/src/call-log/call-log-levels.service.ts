import type { LogLevel } from '@hone/contracts';
import { NotificationListener, PROJECT_SETTINGS_CHANNEL, RefreshingCache } from '@hone/database';
import { Injectable, type OnModuleInit } from '@nestjs/common';

import { CallLogLevelsRepository } from './call-log-levels.repository.js';

const MAX_PROJECTS = 10_000;
/** A change is notified. While no notification would come, a level may be wrong this long. */
const UNHEARD_MS = 1_000;
const FRESH_MS = 30_000;
const RETRY_MS = 1_000;

/** How much of its requests each project keeps. */
@Injectable()
export class CallLogLevels implements OnModuleInit {
  private readonly levels: RefreshingCache<{ level: LogLevel }>;

  constructor(
    private readonly settings: CallLogLevelsRepository,
    private readonly notifications: NotificationListener,
  ) {
    this.levels = new RefreshingCache({
      max: MAX_PROJECTS,
      freshMs: () => (notifications.isListening ? FRESH_MS : UNHEARD_MS),
      staleMs: Infinity,
      retryMs: RETRY_MS,
    });
  }

  async onModuleInit(): Promise<void> {
    this.notifications.onGap(() => this.levels.invalidateAll());
    await this.notifications.listen(PROJECT_SETTINGS_CHANNEL, (projectRowId) => this.levels.invalidate(projectRowId));
  }

  /**
   * Without a wait where it is known. While the database is unavailable, a project of which nothing is known keeps no
   * content: it may have asked for that.
   *
   * @param projectRowId null: the project is about to be made, and has no settings
   */
  of(projectRowId: string | null): LogLevel | Promise<LogLevel> {
    if (projectRowId === null) return 'full';
    return this.levels.peek(projectRowId)?.level ?? this.read(projectRowId);
  }

  private async read(projectRowId: string): Promise<LogLevel> {
    try {
      const known = await this.levels.get(projectRowId, async () => ({
        level: await this.settings.find(projectRowId),
      }));
      return known?.level ?? 'metadata';
    } catch {
      return 'metadata';
    }
  }
}
