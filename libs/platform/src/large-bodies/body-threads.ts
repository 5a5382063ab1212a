import { type RunOptions, type Task, TaskThreads } from '@hone/threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

/** Texts of so many characters take some milliseconds to parse, as do so many bytes. */
const LIGHT_LENGTH = 262_144;

/** Threads in which heavy bodies are read. A service whose handlers have `@ReadsBody()` provides them. */
@Injectable()
export class BodyThreads extends TaskThreads implements OnApplicationShutdown {
  /** Runs a task in this thread when its input is short: another one takes longer to ask. @param length of all texts */
  async runUnlessLight<Input, Output>(
    task: Task<Input, Output>,
    input: Input,
    length: number,
    options?: RunOptions,
  ): Promise<Output> {
    return length <= LIGHT_LENGTH ? task.run(input) : this.run(task, input, options);
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
