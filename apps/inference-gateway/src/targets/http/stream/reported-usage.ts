import type { TokenUsage } from '../../target.js';
import { toUsageJson } from '../../usage-json.js';
import type { ChunkJson } from './chunk-json.js';
import type { FrameFacts, FrameRewriter } from './frame-rewriter.js';

type Json = Record<string, unknown>;

/**
 * The usage that an upstream reports, wherever in the stream: in a frame without choices, in the frame that finishes, or
 * in both. The caller gets it once, at the end.
 */
export class ReportedUsage {
  /** Counts of the last report; null: none so far. */
  counts: TokenUsage | null = null;

  /** `usage` of the last report, as it was sent. */
  private value: unknown = null;
  /** The upstream's own usage frame, if that was its last report. */
  private frame: Buffer | null = null;
  /** Members of the answer's frames that its usage frame has, too. */
  private readonly facts: FrameFacts;

  /** @param model for frames of the gateway when the upstream's name none */
  constructor(
    private readonly rewriter: FrameRewriter,
    model: string,
  ) {
    this.facts = { created: null, model, system_fingerprint: undefined };
  }

  /** @param json of the frame that `chunk` was read from */
  read(json: Json, { usage }: ChunkJson): void {
    const { created, model, system_fingerprint: fingerprint } = json;
    if (typeof created === 'number') this.facts.created = created;
    if (typeof model === 'string' && model !== '') this.facts.model = model;
    if (fingerprint !== undefined) this.facts.system_fingerprint = fingerprint;
    if (usage === null) return;
    this.counts = usage;
    this.value = json.usage;
    this.frame = null;
  }

  /** @param frame the frame of the last report, which has no choices, in the form for the caller */
  keep(frame: Buffer): void {
    this.frame = frame;
  }

  /**
   * The usage frame for the caller.
   *
   * @param estimate for an upstream that reported nothing
   */
  frameOf(estimate: TokenUsage, lineEnd: string): Buffer {
    return this.frame ?? this.rewriter.usageFrame(this.facts, this.value ?? toUsageJson(estimate), lineEnd);
  }
}
