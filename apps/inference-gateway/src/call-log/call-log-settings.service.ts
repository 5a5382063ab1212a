import { NotificationListener, PROJECT_SETTINGS_CHANNEL, RefreshingCache } from '@hone/database';
import { Injectable, type OnModuleInit } from '@nestjs/common';

import { type CallLogSetting, KEEP_ALL, KEEP_LEAST } from './call-log-setting.js';
import { CallLogSettingsRepository } from './call-log-settings.repository.js';

const MAX_PROJECTS = 10_000;
/** A change is notified. While no notification would come, a setting may be wrong this long. */
const UNHEARD_MS = 1_000;
const FRESH_MS = 30_000;
const RETRY_MS = 1_000;

/** How much of its requests each project keeps. */
@Injectable()
export class CallLogSettings implements OnModuleInit {
  private readonly cache: RefreshingCache<CallLogSetting>;

  constructor(
    private readonly settings: CallLogSettingsRepository,
    private readonly notifications: NotificationListener,
  ) {
    this.cache = new RefreshingCache({
      max: MAX_PROJECTS,
      freshMs: () => (notifications.isListening ? FRESH_MS : UNHEARD_MS),
      staleMs: Infinity,
      retryMs: RETRY_MS,
    });
  }

  async onModuleInit(): Promise<void> {
    this.notifications.onGap(() => this.cache.invalidateAll());
    await this.notifications.listen(PROJECT_SETTINGS_CHANNEL, (projectRowId) => this.cache.invalidate(projectRowId));
  }

  /**
   * Without a wait where it is known. While the database is unavailable, a project of which nothing is known keeps no
   * content: it may have asked for that.
   *
   * @param projectRowId null: the project is about to be made, and has no settings
   */
  of(projectRowId: string | null): CallLogSetting | Promise<CallLogSetting> {
    if (projectRowId === null) return KEEP_ALL;
    return this.cache.peek(projectRowId) ?? this.read(projectRowId);
  }

  private async read(projectRowId: string): Promise<CallLogSetting> {
    try {
      return (await this.cache.get(projectRowId, () => this.settings.find(projectRowId))) ?? KEEP_LEAST;
    } catch {
      return KEEP_LEAST;
    }
  }
}
