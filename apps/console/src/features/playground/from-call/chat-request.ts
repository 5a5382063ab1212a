import type { Loose } from '../../../shared/chat/blocks.js';

/** The request of a call in the words of chat completions. */
export interface ChatRequest {
  readonly inputs: Loose;
  /** What chat completions have no place for, with the reason, each as a sentence. */
  readonly leftOut: readonly string[];
}

/** Counts what a conversation here has no place for, by its type. */
export class LeftOut {
  private readonly counts = new Map<string, number>();

  add(type: unknown): void {
    const name = typeof type === 'string' && type !== '' ? type : 'unknown';
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  /** @param where of the request they stand @param what they are there */
  sentences(where: string, what: string): readonly string[] {
    return [...this.counts].map(
      ([type, count]) =>
        `${where}: ${count} ${what}${count === 1 ? '' : 's'} of type ${type}, which cannot be sent again.`,
    );
  }
}
