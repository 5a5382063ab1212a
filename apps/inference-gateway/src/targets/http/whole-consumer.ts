import type { ChatRequest, TokenUsage } from '../target.js';
import { toUsageJson } from '../usage-json.js';
import type { BodyConsumer, ConsumerHost } from './body-consumer.js';
import { FrameRewriter } from './stream/frame-rewriter.js';
import { reframe } from './whole/reframe.js';
import { judgeWhole } from './whole/whole-answer.js';

const MAX_BODY_BYTES = 64 * 1_048_576;
/** Estimate for a body without usage: English text in JSON. */
const BYTES_PER_TOKEN = 4;

/** Buffers a body until it is complete and validates it; a streaming request gets it as frames. */
export class WholeConsumer implements BodyConsumer {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  /** The first byte of the body has arrived. */
  private hasBegun = false;
  private isWaiting = false;

  constructor(
    private readonly request: ChatRequest,
    private readonly answerId: string,
    private readonly host: ConsumerHost,
    private readonly estimate: (tokens: number) => TokenUsage,
  ) {
    this.expectWithin(host.limits.stallMs);
  }

  onData(chunk: Buffer): boolean {
    const isBlank = isSpace(chunk);
    if (this.hasBegun) return this.add(chunk) && !isBlank;
    if (isBlank) return this.wait();
    this.hasBegun = true;
    this.expectWithin(this.host.limits.stallMs);
    return this.add(chunk);
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
    if (this.bytes > MAX_BODY_BYTES) {
      this.host.fail({ reason: 'oversized', message: 'The upstream sent a body that is too large.' });
    }
    return true;
  }

  onEnd(): void {
    const { choices, isStream } = this.request;
    const body = this.chunks.length === 1 ? (this.chunks[0] as Buffer) : Buffer.concat(this.chunks);
    const judged = judgeWhole(body, choices);
    if (judged.failure !== null) return this.host.fail(judged.failure);
    const usage = judged.usage ?? this.estimate(Math.ceil(body.length / BYTES_PER_TOKEN));
    const { finishReasons } = judged;
    const rewriter = new FrameRewriter(this.answerId);
    if (!isStream) return this.host.complete({ bytes: rewriter.body(body), usage, oddities: [], finishReasons });
    // An answer that is too large to parse would make frames that are too large.
    if (judged.json === null) return this.host.fail({ reason: 'oversized', message: 'The upstream did not stream.' });
    const json = JSON.parse(rewriter.body(body).toString()) as Record<string, unknown>;
    const { wantsUsageFrame } = this.request;
    const shown = wantsUsageFrame ? (judged.usage === null ? toUsageJson(usage) : json.usage) : null;
    const bytes = reframe({ ...json, usage: shown });
    this.host.complete({ bytes, usage, oddities: ['not_streamed'], finishReasons });
  }

  /** The usage of an incomplete body is unknown. */
  produced(): null {
    return null;
  }
}

const SPACE = 0x20;

/** Nearly every chunk begins with another byte. */
function isSpace(chunk: Buffer): boolean {
  for (let at = 0; at < chunk.length; at++) if ((chunk[at] as number) > SPACE) return false;
  return true;
}
