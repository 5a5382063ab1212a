import { isJsonObject } from '@hone/json';

import { finishReasonOfResponse, usageOfResponse } from '../../../wire/responses/response-to-chat.js';
import type { TokenUsage } from '../../target.js';
import type { TargetFailure } from '../../target-failure.js';
import { readUsage } from '../stream/chunk-json.js';
import { invalid, readNativeError, UNFINISHED } from './native-failures.js';
import type { EventKind, NativeReader } from './native-reader.js';

type Json = Record<string, unknown>;

/** What OpenAI's own stream ends without, and Open Responses (https://www.openresponses.org) asks for. */
const DONE = 'data: [DONE]\n\n';
/** Events before anything was said: of items, only that they are there. */
const BEGINNINGS = new Set([
  ...['response.created', 'response.queued', 'response.in_progress'],
  ...['response.output_item.added', 'response.content_part.added', 'response.reasoning_summary_part.added'],
]);

/** Reads OpenAI's responses (https://platform.openai.com/docs/api-reference/responses-streaming). */
export class ResponseReader implements NativeReader {
  readonly headMember = 'response';
  readonly end = DONE;
  usage: TokenUsage | null = null;
  finishReason: string | null = null;
  isDone = false;
  deltas = 0;

  read(event: Json): EventKind | TargetFailure {
    const type = String(event['type']);
    switch (type) {
      case 'response.completed':
      case 'response.incomplete':
        this.isDone = true;
        return this.finish(event['response']) ?? 'answer';
      case 'response.failed':
      case 'response.cancelled':
        return failureOf(event['response']);
      case 'error':
        return readNativeError(event['error'] ?? event);
      case 'keepalive':
        return 'idle';
      default:
        if (type.endsWith('.delta')) this.deltas++;
        return BEGINNINGS.has(type) ? 'step' : 'answer';
    }
  }

  readWhole(answer: Json): TargetFailure | null {
    if (answer['object'] !== 'response' && (answer['error'] ?? null) !== null) return readNativeError(answer['error']);
    return this.finish(answer);
  }

  private finish(response: unknown): TargetFailure | null {
    if (!isJsonObject(response) || !Array.isArray(response['output'])) return invalid('The upstream sent no response.');
    const { status } = response;
    if (status === 'failed' || status === 'cancelled' || (response['error'] ?? null) !== null)
      return failureOf(response);
    if (status !== 'completed' && status !== 'incomplete') return UNFINISHED;
    this.usage = readUsage(usageOfResponse(response['usage']));
    this.finishReason = finishReasonOfResponse(response);
    return null;
  }
}

const failureOf = (response: unknown): TargetFailure =>
  readNativeError(isJsonObject(response) ? response['error'] : null);
