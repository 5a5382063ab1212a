import { isJsonObject } from '@hone/json';

import { finishReasonOf, usageOfMessage, withCounts } from '../../../wire/messages/message-to-chat.js';
import type { TokenUsage } from '../../target.js';
import type { TargetFailure } from '../../target-failure.js';
import { readUsage } from '../stream/chunk-json.js';
import { DAMAGED, invalid, readNativeError, UNFINISHED, WENT_ON } from './native-failures.js';
import type { EventKind, NativeReader } from './native-reader.js';

type Json = Record<string, unknown>;

const STOP = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';
/** Blocks that say something as they begin, all others in their deltas. */
const SILENT_BLOCKS = new Set(['text', 'thinking']);

/** Reads Anthropic's messages (https://platform.claude.com/docs/en/build-with-claude/streaming). */
export class MessageReader implements NativeReader {
  readonly headMember = 'message';
  finishReason: string | null = null;
  isDone = false;
  deltas = 0;
  private stopReason: string | null = null;
  private counts: Json = {};
  /** The counts are those of the end: the first event counts one token of the answer at most. */
  private isCounted = false;
  private readonly blocks = new Set<unknown>();

  get usage(): TokenUsage | null {
    return this.isCounted ? readUsage(usageOfMessage(this.counts)) : null;
  }

  get end(): string {
    return this.isDone ? '' : STOP;
  }

  read(event: Json): EventKind | TargetFailure {
    switch (event['type']) {
      case 'message_start':
        if (isJsonObject(event['message'])) this.counts = withCounts(this.counts, event['message']['usage']);
        return 'step';
      case 'content_block_start':
        return this.startBlock(event);
      case 'content_block_delta':
        if (this.finishReason !== null) return WENT_ON;
        // The frame that began the block was lost.
        if (!this.blocks.has(event['index'])) return DAMAGED;
        this.deltas++;
        return 'answer';
      case 'message_delta':
        return this.stop(event);
      case 'message_stop':
        this.isDone = true;
        return this.finishReason === null ? UNFINISHED : 'answer';
      case 'error':
        return readNativeError(event['error'] ?? event);
      case 'ping':
        return 'idle';
      default:
        return 'step';
    }
  }

  readWhole(answer: Json): TargetFailure | null {
    const { type, error, content, stop_reason: reason, usage } = answer;
    if (type === 'error' || (error ?? null) !== null) return readNativeError(error ?? answer);
    if (type !== 'message' || !Array.isArray(content)) return invalid('The upstream sent no message.');
    if (typeof reason !== 'string' || reason === '') return UNFINISHED;
    this.counts = withCounts({}, usage);
    this.isCounted = true;
    this.finishReason = finishReasonOf(reason);
    return null;
  }

  private startBlock({ index, content_block: block }: Json): EventKind | TargetFailure {
    if (this.finishReason !== null) return WENT_ON;
    if (!isJsonObject(block)) return DAMAGED;
    this.blocks.add(index);
    return SILENT_BLOCKS.has(String(block['type'])) ? 'step' : 'answer';
  }

  private stop({ delta, usage }: Json): EventKind | TargetFailure {
    this.counts = withCounts(this.counts, usage);
    this.isCounted ||= isJsonObject(usage);
    const reason = isJsonObject(delta) ? delta['stop_reason'] : null;
    if (typeof reason !== 'string' || reason === '') return 'step';
    if (this.stopReason !== null && reason !== this.stopReason) return WENT_ON;
    this.stopReason = reason;
    this.finishReason = finishReasonOf(reason);
    return 'answer';
  }
}
