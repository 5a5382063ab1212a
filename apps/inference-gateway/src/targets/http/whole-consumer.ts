import type { ChatRequest, TokenUsage } from '../target.js';
import { toUsageJson } from '../usage-json.js';
import type { BodyConsumer, ConsumerHost } from './body-consumer.js';
import { type AnswerNames, FrameRewriter } from './stream/frame-rewriter.js';
import type { AnswerTokens } from './tokens/answer-tokens.js';
import { LargeAnswer } from './whole/large-answer.js';
import { reframe } from './whole/reframe.js';
import { type AnswerMember, judgeWhole } from './whole/whole-answer.js';

/** Up to this size a body is parsed; a larger one is judged in parts as they arrive. */
const PARSED_BYTES = 262_144;
/** The same for a body that becomes the frames of a stream. */
const REFRAMED_BYTES = 4 * 1_048_576;
const MAX_BODY_BYTES = 64 * 1_048_576;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
/** Estimate for a body without usage: English text in JSON. */
const BYTES_PER_TOKEN = 4;

/** Buffers a body until it is complete and validates it; a streaming request gets it as frames. */
export class WholeConsumer implements BodyConsumer {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  /** The first byte of the body has arrived. */
  private hasBegun = false;
  private isWaiting = false;
  private readonly parsedBytes: number;
  /** Null: the body is small so far. */
  private large: LargeAnswer | null = null;

  constructor(
    private readonly request: ChatRequest,
    private readonly names: AnswerNames,
    private readonly host: ConsumerHost,
    private readonly estimate: (tokens: number) => TokenUsage,
    /** Null: nobody keeps the answer's tokens. */
    private readonly tokens: AnswerTokens | null = null,
  ) {
    this.parsedBytes = request.isStream ? REFRAMED_BYTES : PARSED_BYTES;
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
    if (this.bytes > MAX_BODY_BYTES) {
      this.host.fail({ reason: 'oversized', message: 'The upstream sent a body that is too large.' });
    } else if (this.bytes > this.parsedBytes) this.readPart(chunk);
    return true;
  }

  private readPart(chunk: Buffer): void {
    const parts = this.large === null ? this.chunks : [chunk];
    this.large ??= new LargeAnswer(this.request.choices, this.member);
    const { large } = this;
    if (parts.every((part) => large.push(part))) return;
    this.host.fail({ reason: 'invalid', message: 'The upstream sent no JSON object.' });
  }

  onEnd(): void {
    const { choices, isStream } = this.request;
    const body = this.chunks.length === 1 ? (this.chunks[0] as Buffer) : Buffer.concat(this.chunks);
    const judged = this.large?.judge(body) ?? judgeWhole(body, choices, this.member);
    if (judged.failure !== null) return this.host.fail(judged.failure);
    const usage = judged.usage ?? this.estimate(Math.ceil(body.length / BYTES_PER_TOKEN));
    const { finishReasons } = judged;
    if (isStream && this.member === 'text') {
      return this.host.fail({ reason: 'invalid', message: 'The upstream did not stream.' });
    }
    // An answer that is too large to parse would make frames that are too large.
    if (isStream && this.large !== null) {
      return this.host.fail({ reason: 'oversized', message: 'The upstream did not stream.' });
    }
    const shown = this.shownBody(body, judged.json);
    const kept = this.tokens && { tokens: this.tokens.kept };
    if (!isStream) return this.host.complete({ bytes: shown, usage, oddities: [], finishReasons, ...kept });
    const json = JSON.parse(shown.toString()) as Record<string, unknown>;
    const shownUsage = this.request.wantsUsageFrame ? (judged.usage === null ? toUsageJson(usage) : json.usage) : null;
    const bytes = reframe({ ...json, usage: shownUsage });
    this.host.complete({ bytes, usage, oddities: ['not_streamed'], finishReasons, ...kept });
  }

  private get member(): AnswerMember {
    return this.request.endpoint === 'completions' ? 'text' : 'message';
  }

  /** The body for the caller. @param json the parsed body, if it is small */
  private shownBody(body: Buffer, json: Record<string, unknown>): Buffer {
    const rewriter = new FrameRewriter(this.names);
    const { tokens, large } = this;
    if (large === null) {
      tokens?.read(json);
      return rewriter.body(body, tokens);
    }
    tokens?.readSpans(body, large.members, large.items);
    return rewriter.outlinedBody(body, large.members, tokens?.splicesOfSpans(large.members, large.items));
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
