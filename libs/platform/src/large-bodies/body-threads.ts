import { type Task, TaskThreads } from '@hone/threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

/** Texts of so many characters take a few milliseconds to parse. */
const LIGHT_CHARACTERS = 262_144;

/** Threads in which heavy bodies are read. A service whose handlers have `@ReadsBody()` provides them. */
@Injectable()
export class BodyThreads extends TaskThreads implements OnApplicationShutdown {
  /** Runs a task in this thread when its texts are short: another one takes longer to ask. @param characters of all texts */
  async runUnlessLight<Input, Output>(task: Task<Input, Output>, input: Input, characters: number): Promise<Output> {
    return characters <= LIGHT_CHARACTERS ? task.run(input) : this.run(task, input);
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
