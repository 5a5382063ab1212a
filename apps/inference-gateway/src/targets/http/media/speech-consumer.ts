import { createHash } from 'node:crypto';

import type { TokenUsage } from '../../target.js';
import type { BodyConsumer, ConsumerHost } from '../body-consumer.js';

const NOTHING = Buffer.alloc(0);

/** Passes audio on as it comes, of any length. The call keeps what it was, not its bytes. */
export class SpeechConsumer implements BodyConsumer {
  private readonly hash = createHash('sha256');
  private bytes = 0;

  /**
   * @param usage of the whole text, which the upstream has to read before it speaks
   * @param contentType empty: the upstream names none
   */
  constructor(
    private readonly host: ConsumerHost,
    private readonly usage: TokenUsage,
    private readonly contentType: string,
  ) {}

  onData(chunk: Buffer): boolean {
    if (this.bytes === 0) {
      const failure = { reason: 'stalled', message: 'The upstream stopped amid its answer.' } as const;
      this.host.expectWithin(this.host.limits.stallMs, () => this.host.fail(failure));
    }
    this.hash.update(chunk);
    this.bytes += chunk.length;
    this.host.frames(chunk, true, this.type);
    return true;
  }

  onEnd(): void {
    const { bytes, usage, type, host } = this;
    if (bytes === 0) return host.fail({ reason: 'invalid', message: 'The upstream sent no audio.' });
    const kept = { content_type: type, bytes, sha256: this.hash.digest('hex') };
    const toKept = () => Buffer.from(JSON.stringify(kept));
    host.complete({ bytes: NOTHING, usage, oddities: [], contentType: type, toKept });
  }

  produced(): TokenUsage {
    return this.usage;
  }

  private get type(): string {
    return this.contentType || 'application/octet-stream';
  }
}
