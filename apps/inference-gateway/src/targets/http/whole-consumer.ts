import type { ChatRequest, TokenUsage } from '../target.js';
import { toUsageJson } from '../usage-json.js';
import type { ConsumerHost } from './body-consumer.js';
import { BufferedConsumer } from './buffered-consumer.js';
import { type AnswerNames, FrameRewriter } from './stream/frame-rewriter.js';
import type { AnswerTokens } from './tokens/answer-tokens.js';
import { LargeAnswer } from './whole/large-answer.js';
import { reframe } from './whole/reframe.js';
import { type AnswerMember, judgeWhole } from './whole/whole-answer.js';

/** Up to this size a body is parsed; a larger one is judged in parts as they arrive. */
const PARSED_BYTES = 262_144;
/** The same for a body that becomes the frames of a stream. */
const REFRAMED_BYTES = 4 * 1_048_576;
/** Estimate for a body without usage: English text in JSON. */
const BYTES_PER_TOKEN = 4;

/** Buffers a body until it is complete and validates it; a streaming request gets it as frames. */
export class WholeConsumer extends BufferedConsumer {
  private readonly parsedBytes: number;
  /** Null: the body is small so far. */
  private large: LargeAnswer | null = null;

  constructor(
    private readonly request: ChatRequest,
    private readonly names: AnswerNames,
    host: ConsumerHost,
    private readonly estimate: (tokens: number) => TokenUsage,
    /** Null: nobody keeps the answer's tokens. */
    private readonly tokens: AnswerTokens | null = null,
  ) {
    super(host);
    this.parsedBytes = request.isStream ? REFRAMED_BYTES : PARSED_BYTES;
  }

  protected override readPart(chunk: Buffer): void {
    if (this.bytes <= this.parsedBytes) return;
    const parts = this.large === null ? this.chunks : [chunk];
    this.large ??= new LargeAnswer(this.request.choices, this.member);
    const { large } = this;
    if (parts.every((part) => large.push(part))) return;
    this.host.fail({ reason: 'invalid', message: 'The upstream sent no JSON object.' });
  }

  onEnd(): void {
    const { choices, isStream } = this.request;
    const { body } = this;
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
}
