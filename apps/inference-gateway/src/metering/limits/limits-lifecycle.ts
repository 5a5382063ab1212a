import { NotificationListener } from '@hone/database';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

import { LIMITS_CHANNEL } from './limits.repository.js';
import { UsageLimiter } from './usage-limiter.js';

/** Starts and stops the limiter with the application, and invalidates limits that changed in the database. */
@Injectable()
export class LimitsLifecycle implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly limiter: UsageLimiter,
    private readonly notifications: NotificationListener,
  ) {}

  async onModuleInit(): Promise<void> {
    this.notifications.onGap(() => this.limiter.forgetAll());
    await this.notifications.listen(LIMITS_CHANNEL, (subject) => this.limiter.forget(subject));
    this.limiter.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.limiter.stop();
  }
}
