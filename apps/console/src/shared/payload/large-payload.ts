import { parseJson } from '@hone/client';

import type { ChatTurn } from '../chat/chat.js';
import type { Exchange } from '../chat/exchange.js';
import type {
  PayloadAnswer,
  PayloadPieces,
  PayloadRequests,
  PayloadTask,
  SentMember,
  SentValue,
} from './payload-messages.js';

interface Waiting {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

let opened = 0;
/** Is there before it is needed. */
let spare: Worker | null = null;

const startWorker = (): Worker => new Worker(new URL('./payload.worker.ts', import.meta.url), { type: 'module' });

/** Starts the worker of the next large answer: while the server finds it, there is time. */
export function expectLargePayload(): void {
  spare ??= startWorker();
}

/** The answer is there: if it was large, its worker is no spare one any more. */
export function endSpareWorker(): void {
  spare?.terminate();
  spare = null;
}

/**
 * A large answer of the server in a worker of its own, which indexes it: the page's own thread never holds more of it
 * than it shows. The worker ends with the last one who uses it.
 */
export class LargePayload {
  /** Tells payloads apart. */
  readonly name = `payload ${++opened}`;
  private readonly worker = spare ?? startWorker();
  private readonly waiting = new Map<number, Waiting>();
  private asked = 0;
  private users = 0;

  constructor() {
    spare = null;
    this.worker.addEventListener('message', ({ data }: MessageEvent<PayloadAnswer>) => {
      const waiting = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if ('error' in data) waiting?.reject(Object.assign(new Error(data.error.message), { name: data.error.name }));
      else waiting?.resolve(data.answer as never);
    });
    // For example: the worker could not be loaded, or there was no memory left.
    this.worker.addEventListener('error', ({ message }) =>
      this.endWith(new Error(message || 'The page could not start what reads large values.')),
    );
  }

  /** Hands pieces of the answer over, which are the worker's then. */
  push(pieces: readonly Uint8Array[]): void {
    const message: PayloadPieces = { task: 'pieces', pieces };
    this.worker.postMessage(
      message,
      pieces.map(({ buffer }) => buffer),
    );
  }

  /** All pieces are there. @param frames levels of objects around the values, which the page gets whole */
  async open(frames: number): Promise<unknown> {
    return toValue(await this.ask('open', { frames }), this);
  }

  /** The conversation of the call that is this member of the answer; null: it is none. */
  chat(member: string, signal: AbortSignal): Promise<readonly ChatTurn[] | null> {
    return this.ask('chat', { member }, signal);
  }

  /** The same as a model was sent it, and as it answered. */
  exchange(member: string, signal: AbortSignal): Promise<Exchange | null> {
    return this.ask('exchange', { member }, signal);
  }

  /** @returns what lets go of it again; nobody uses it any more: `ended` is called once, and its worker is gone */
  use(ended: () => void): () => void {
    this.users++;
    return () => {
      this.users--;
      // A component that is shown again at once, as React does it in development, uses it on.
      setTimeout(() => {
        if (this.users > 0) return;
        this.end();
        ended();
      });
    };
  }

  end(): void {
    this.endWith(new DOMException('Nobody looks at it any more.', 'AbortError'));
  }

  ask<Task extends PayloadTask>(
    task: Task,
    request: PayloadRequests[Task]['request'],
    signal?: AbortSignal,
  ): Promise<PayloadRequests[Task]['answer']> {
    const id = ++this.asked;
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => {
        if (!this.waiting.delete(id)) return;
        this.worker.postMessage({ id, task: 'cancel' });
        reject(signal.reason as Error);
      });
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, task, request });
    });
  }

  private endWith(error: Error): void {
    this.worker.terminate();
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}

/** A long array or object, whose members the worker has. */
export class RemoteBranch {
  /** Tells it apart from all others. */
  readonly name: string;

  constructor(
    readonly kind: 'array' | 'object',
    readonly count: number,
    /** Its first members, of which there may be none. */
    readonly first: readonly RemoteMember[],
    private readonly at: number,
    private readonly payload: LargePayload,
  ) {
    this.name = `${payload.name} at ${at}`;
  }

  /** By their positions, `to` excluded. */
  async members(from: number, to: number, signal?: AbortSignal): Promise<readonly RemoteMember[]> {
    return toMembers(await this.payload.ask('members', { at: this.at, from, to }, signal), this.payload);
  }

  /** The value as it was sent. */
  source(): Promise<string> {
    return this.payload.ask('source', { at: this.at });
  }

  /** Positions that lead to what contains the text, at most so many. */
  search(wanted: string, most: number, signal?: AbortSignal): Promise<readonly (readonly number[])[]> {
    return this.payload.ask('search', { at: this.at, wanted, most }, signal);
  }
}

/** A long text, whose end the worker has. */
export class RemoteText {
  readonly name: string;

  constructor(
    readonly length: number,
    readonly head: string,
    private readonly at: number,
    private readonly payload: LargePayload,
  ) {
    this.name = `${payload.name} at ${at}`;
  }

  /** As that of {@link RemoteBranch}: the text itself, at no position, or nothing. */
  search(wanted: string, most: number, signal?: AbortSignal): Promise<readonly (readonly number[])[]> {
    return this.payload.ask('search', { at: this.at, wanted, most }, signal);
  }

  whole(signal?: AbortSignal): Promise<string> {
    return this.payload.ask('text', { at: this.at }, signal);
  }
}

export type RemoteMember = readonly [key: string, value: unknown];

const toMembers = (members: readonly SentMember[], payload: LargePayload): readonly RemoteMember[] =>
  members.map(({ key, value }) => [key, toValue(value, payload)]);

function toValue(sent: SentValue, payload: LargePayload): unknown {
  switch (sent.kind) {
    case 'short':
      return parseJson(sent.json);
    case 'text':
      return new RemoteText(sent.length, sent.head, sent.at, payload);
    case 'frame':
      // Own properties, whatever their names.
      return Object.fromEntries(toMembers(sent.members, payload));
    default:
      return new RemoteBranch(sent.kind, sent.count, toMembers(sent.first, payload), sent.at, payload);
  }
}
