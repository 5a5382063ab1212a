import { LRUCache } from 'lru-cache';

/** What a route keeps of its answers. */
export interface CacheSettings {
  /** How long an answer is given again, in milliseconds. */
  readonly ttlMs: number;
  /** Of all answers together; the least recently used ones make room. */
  readonly maxBytes: number;
  /** Who gets an answer again: all of its project, or requests with the same key alone. */
  readonly scope: 'project' | 'key';
}

/** A whole answer, as targets gave it: a body, or the frames of a stream with `[DONE]`. */
export interface KeptAnswer {
  /** Id of the request that it answered, which its `id` has. */
  readonly rid: string;
  readonly bytes: Buffer;
  /** That say what answered, and how; lower-case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly route: string;
  readonly answeredAs: string;
  readonly finishReasons: readonly string[];
  /** What it leaves out of what was asked for. */
  readonly warnings: readonly string[];
}

/** Estimate for what an entry takes beside its bytes. */
const ENTRY_BYTES = 1_024;

/** The answers of one route, by the key of their requests. A route that is built anew begins without any. */
export class AnswerCache {
  private readonly answers: LRUCache<string, KeptAnswer>;

  constructor(readonly settings: CacheSettings) {
    this.answers = new LRUCache({
      maxSize: settings.maxBytes,
      ttl: settings.ttlMs,
      sizeCalculation: ({ bytes }) => bytes.length + ENTRY_BYTES,
    });
  }

  find(key: string): KeptAnswer | undefined {
    return this.answers.get(key);
  }

  /** An answer that is larger than all may be together is not kept. */
  keep(key: string, answer: KeptAnswer): void {
    this.answers.set(key, answer);
  }
}
