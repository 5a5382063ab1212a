import { TaskThreads } from '@hone/threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

/** Threads in which heavy bodies are read. A service whose handlers have `@ReadsBody()` provides them. */
@Injectable()
export class BodyThreads extends TaskThreads implements OnApplicationShutdown {
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
