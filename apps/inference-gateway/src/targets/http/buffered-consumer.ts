import type { TokenUsage } from '../target.js';
import type { BodyConsumer, ConsumerHost } from './body-consumer.js';

const MAX_BODY_BYTES = 64 * 1_048_576;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Buffers a body until it is complete. What it is, is for the subclasses. */
export abstract class BufferedConsumer implements BodyConsumer {
  protected readonly chunks: Buffer[] = [];
  protected bytes = 0;
  /** The first byte of the body has arrived. */
  private hasBegun = false;
  private isWaiting = false;

  constructor(
    protected readonly host: ConsumerHost,
    private readonly maxBytes = MAX_BODY_BYTES,
  ) {
    this.expectWithin(host.limits.stallMs);
  }

  onData(chunk: Buffer): boolean {
    const isBlank = isSpace(chunk);
    if (this.hasBegun) return this.add(chunk) && !isBlank;
    if (isBlank) return this.wait();
    this.hasBegun = true;
    this.expectWithin(this.host.limits.stallMs);
    return this.add(
      chunk.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
        ? chunk.subarray(BYTE_ORDER_MARK.length)
        : chunk,
    );
  }

  /** White space before the body: the upstream shows that it is alive, for as long as it may take to answer. */
  private wait(): false {
    if (!this.isWaiting) this.expectWithin(this.host.limits.responseMs);
    this.isWaiting = true;
    return false;
  }

  private expectWithin(ms: number): void {
    const failure = { reason: 'stalled', message: 'The upstream stopped amid its answer.' } as const;
    this.host.expectWithin(ms, () => this.host.fail(failure));
  }

  private add(chunk: Buffer): true {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    if (this.bytes > this.maxBytes) {
      this.host.fail({ reason: 'oversized', message: 'The upstream sent a body that is too large.' });
    } else this.readPart(chunk);
    return true;
  }

  /** A part has come, and is among {@link chunks}. */
  protected readPart(_chunk: Buffer): void {
    // Most bodies are read at their end.
  }

  protected get body(): Buffer {
    return this.chunks.length === 1 ? (this.chunks[0] as Buffer) : Buffer.concat(this.chunks);
  }

  abstract onEnd(): void;

  /** The usage of an incomplete body is unknown. */
  produced(): TokenUsage | null {
    return null;
  }
}

const SPACE = 0x20;

/** Nearly every chunk begins with another byte. */
function isSpace(chunk: Buffer): boolean {
  for (let at = 0; at < chunk.length; at++) if ((chunk[at] as number) > SPACE) return false;
  return true;
}
