import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { DiskState } from '../errors/disk-state.js';

const TIMEOUT_MS = 2_000;

/** `full`: what is stored can be read, and nothing be written. */
type State = 'up' | 'down' | 'full';

/** What a service needs in order to serve: the database, and what its modules {@link add}. */
@Injectable()
export class Readiness {
  private readonly checks = new Map<string, () => Promise<void>>();
  private readonly warningLists: (() => readonly string[])[] = [];

  constructor(
    database: Database,
    private readonly disk: DiskState,
  ) {
    this.add('database', () => database.ping());
  }

  /** @param check rejects when the dependency cannot be used; after 2 s without an answer it cannot either */
  add(name: string, check: () => Promise<void>): void {
    this.checks.set(name, check);
  }

  /** @param list sentences about what does not work, though the service serves; it is asked each time */
  addWarnings(list: () => readonly string[]): void {
    this.warningLists.push(list);
  }

  warnings(): string[] {
    return this.warningLists.flatMap((list) => list());
  }

  async check(): Promise<Record<string, State>> {
    const states = [...this.checks].map(async ([name, check]) => [name, await stateOf(check)] as const);
    return { ...Object.fromEntries(await Promise.all(states)), disk: this.disk.isFull ? 'full' : 'up' };
  }
}

async function stateOf(check: () => Promise<void>): Promise<State> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<State>((resolve) => {
    timer = setTimeout(() => resolve('down'), TIMEOUT_MS).unref();
  });
  const answer = check().then(
    (): State => 'up',
    (): State => 'down',
  );
  const state = await Promise.race([answer, timeout]);
  clearTimeout(timer);
  return state;
}
