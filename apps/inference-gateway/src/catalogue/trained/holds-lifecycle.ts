import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

import { CheckpointHolds } from './checkpoint-holds.js';

/** Renews the pins of this process while it runs, and ends them with it. */
@Injectable()
export class HoldsLifecycle implements OnModuleInit, OnApplicationShutdown {
  constructor(private readonly holds: CheckpointHolds) {}

  onModuleInit(): void {
    this.holds.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.holds.stop();
  }
}
