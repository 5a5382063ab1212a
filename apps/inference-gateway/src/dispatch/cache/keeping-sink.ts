import type { AnswerFailure } from '../answer/answer-failure.js';
import type { AnswerSink } from '../answer/answer-sink.js';
import type { AnswerOutcome } from '../answer/outcome.js';
import type { AnswerCache } from '../route/answer-cache.js';

const COLON = 0x3a;
/** Of this answer alone. */
const OWN_HEADERS = new Set(['content-length', 'hone-attempts', 'hone-target']);

/** Passes an answer on, and keeps it once it is known to be whole. */
export class KeepingSink implements AnswerSink {
  private parts: Buffer[] = [];
  private bytes = 0;
  private headers: Record<string, string> = {};
  /** Null: the answer is not whole yet, or is none to keep. */
  private settled: AnswerOutcome | null = null;

  /** @param rid of the request that is answered */
  constructor(
    private readonly sink: AnswerSink,
    private readonly cache: AnswerCache,
    private readonly key: string,
    private readonly rid: string,
  ) {}

  commit(headers: Readonly<Record<string, string>>): void {
    this.headers = Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name)));
    this.sink.commit(headers);
  }

  write(bytes: Buffer): boolean {
    this.collect(bytes);
    return this.sink.write(bytes);
  }

  onDrain(run: () => void): void {
    this.sink.onDrain(run);
  }

  get pendingBytes(): number {
    return this.sink.pendingBytes;
  }

  async settle(outcome: AnswerOutcome, bytes: Buffer): Promise<void> {
    await this.sink.settle(outcome, bytes);
    if (isKept(outcome)) this.settled = outcome;
  }

  end(bytes: Buffer): void {
    this.sink.end(bytes);
    this.collect(bytes);
    const { settled, headers, rid } = this;
    const answered = settled?.attempts.at(-1);
    if (!settled || !answered || this.isLarge) return;
    const { route, answeredAs } = answered;
    const { finishReasons, warnings = [] } = settled;
    const answer = { rid, bytes: Buffer.concat(this.parts), headers, route, answeredAs, finishReasons, warnings };
    this.cache.keep(this.key, answer);
  }

  fail(failure: AnswerFailure): void {
    this.sink.fail(failure);
  }

  private get isLarge(): boolean {
    return this.bytes > this.cache.settings.maxBytes;
  }

  /** Comments only kept the connection alive. */
  private collect(bytes: Buffer): void {
    if (bytes[0] === COLON) return;
    this.bytes += bytes.length;
    if (this.isLarge) this.parts = [];
    else this.parts.push(bytes);
  }
}

/** A part of it may be lost, or what a filter cut may be there the next time. */
const isKept = ({ status, oddities, finishReasons }: AnswerOutcome): boolean =>
  status === 'ok' && !oddities.includes('malformed_frame') && !finishReasons.includes('content_filter');
