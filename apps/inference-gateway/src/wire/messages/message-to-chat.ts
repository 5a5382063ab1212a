import { isJsonObject } from '@hone/json';

import {
  type ChatHead,
  type ChatTranslator,
  countOf,
  textOf,
  toChunk,
  toCompletion,
  toUsage,
  toUsageChunk,
} from '../chat-translator.js';

type Json = Record<string, unknown>;

/** `finish_reason` by the `stop_reason` of messages; others: `stop`. */
const FINISH_REASONS: Readonly<Record<string, string>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

/** `finish_reason` of a message that has stopped. */
export const finishReasonOf = (stopReason: string): string => FINISH_REASONS[stopReason] ?? 'stop';

/**
 * Usage of a message as chat completions have it, whose prompt includes what caches had of it. Null: nothing was counted.
 *
 * @param usage of the message, or of its parts so far, the last ones in place of the first
 */
export function usageOfMessage(usage: unknown): Json | null {
  if (!isJsonObject(usage)) return null;
  const { input_tokens: input, output_tokens: output, output_tokens_details: details } = usage;
  if (!Number.isSafeInteger(input ?? output)) return null;
  const cached = countOf(usage['cache_read_input_tokens']);
  const cacheWrite = countOf(usage['cache_creation_input_tokens']);
  return toUsage({
    prompt: countOf(input) + cached + cacheWrite,
    completion: countOf(output),
    cached,
    cacheWrite,
    reasoning: countOf(isJsonObject(details) ? details['thinking_tokens'] : 0),
  });
}

/** What the counts of a stream's events come to: each event has those that changed. */
export const withCounts = (known: Json, usage: unknown): Json =>
  isJsonObject(usage)
    ? { ...known, ...Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null)) }
    : known;

/**
 * Reads Anthropic's messages, see https://platform.claude.com/docs/en/build-with-claude/streaming. Of blocks, texts, thinking
 * and calls of the caller's tools have a place in a chat completion; those of tools that ran at the upstream have none.
 */
export class MessageToChat implements ChatTranslator {
  private head: ChatHead;
  private usage: Json = {};
  private hasStopped = false;
  /** Index of the call by that of its block. */
  private readonly calls = new Map<unknown, number>();

  /**
   * @param id of the chat completion
   * @param showsDetails the caller gets signatures, without which thinking cannot go back to the upstream
   */
  constructor(
    id: string,
    model: unknown,
    private readonly showsDetails: boolean,
  ) {
    this.head = { id, created: Math.floor(Date.now() / 1_000), model };
  }

  chunks(event: Json): Json[] {
    switch (event['type']) {
      case 'message_start':
        return this.begin(event['message']);
      case 'content_block_start':
        return this.startBlock(event);
      case 'content_block_delta':
        return this.addDelta(event);
      case 'message_delta':
        return this.stop(event);
      default:
        return [];
    }
  }

  whole(message: Json): Json {
    this.head = { ...this.head, model: message['model'] ?? this.head.model };
    const blocks = Array.isArray(message['content']) ? message['content'].filter(isJsonObject) : [];
    const texts = (type: string, member: string) =>
      blocks.flatMap((block) => (block['type'] === type ? [textOf(block[member])] : []));
    const calls = blocks.filter(({ type }) => type === 'tool_use').map(toCall);
    const [content, reasoning] = [texts('text', 'text'), texts('thinking', 'thinking').join('')];
    const details = this.showsDetails ? blocks.flatMap(toDetail) : [];
    return toCompletion(
      this.head,
      {
        content: content.length === 0 ? null : content.join(''),
        ...(reasoning !== '' && { reasoning }),
        ...(details.length > 0 && { reasoning_details: details }),
        ...(calls.length > 0 && { tool_calls: calls }),
      },
      toEnd(message),
      usageOfMessage(message['usage']),
    );
  }

  private begin(message: unknown): Json[] {
    if (!isJsonObject(message)) return [];
    this.head = { ...this.head, model: message['model'] ?? this.head.model };
    this.usage = withCounts(this.usage, message['usage']);
    return [toChunk(this.head, { role: 'assistant', content: '' })];
  }

  private startBlock({ index, content_block: block }: Json): Json[] {
    if (!isJsonObject(block)) return [];
    switch (block['type']) {
      case 'text':
        return this.textChunk(block['text']);
      case 'thinking':
        return this.thinkingChunk(index, block['thinking']);
      case 'redacted_thinking':
        return this.detailChunk({ type: 'reasoning.encrypted', data: block['data'], index });
      case 'tool_use': {
        const at = this.calls.size;
        this.calls.set(index, at);
        const { function: called, ...call } = toCall(block);
        const { name, arguments: sent } = called as Json;
        const isWhole = isJsonObject(block['input']) && Object.keys(block['input']).length > 0;
        const shown = { name, arguments: isWhole ? sent : '' };
        return [toChunk(this.head, { tool_calls: [{ index: at, ...call, function: shown }] })];
      }
      default:
        return [];
    }
  }

  private addDelta({ index, delta }: Json): Json[] {
    if (!isJsonObject(delta)) return [];
    switch (delta['type']) {
      case 'text_delta':
        return this.textChunk(delta['text']);
      case 'thinking_delta':
        return this.thinkingChunk(index, delta['thinking']);
      case 'signature_delta':
        return this.detailChunk({ type: 'reasoning.text', signature: delta['signature'], index });
      case 'input_json_delta': {
        const at = this.calls.get(index);
        const json = textOf(delta['partial_json']);
        if (at === undefined || json === '') return [];
        return [toChunk(this.head, { tool_calls: [{ index: at, function: { arguments: json } }] })];
      }
      default:
        return [];
    }
  }

  private stop({ delta, usage }: Json): Json[] {
    this.usage = withCounts(this.usage, usage);
    if (this.hasStopped || !isJsonObject(delta) || typeof delta['stop_reason'] !== 'string') return [];
    this.hasStopped = true;
    const counted = usageOfMessage(this.usage);
    return [toChunk(this.head, {}, toEnd(delta)), ...(counted ? [toUsageChunk(this.head, counted)] : [])];
  }

  private textChunk(text: unknown): Json[] {
    return textOf(text) === '' ? [] : [toChunk(this.head, { content: text })];
  }

  private thinkingChunk(index: unknown, text: unknown): Json[] {
    if (textOf(text) === '') return [];
    const details = this.showsDetails && { reasoning_details: [{ type: 'reasoning.text', text, index }] };
    return [toChunk(this.head, { reasoning: text, ...details })];
  }

  private detailChunk(detail: Json): Json[] {
    return this.showsDetails ? [toChunk(this.head, { reasoning_details: [detail] })] : [];
  }
}

const toEnd = ({ stop_reason: reason, stop_sequence: sequence }: Json): Json => ({
  finish_reason: finishReasonOf(textOf(reason)),
  ...(typeof sequence === 'string' && { stop_reason: sequence }),
});

const toCall = ({ id, name, input }: Json): Json => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(input ?? {}) },
});

/** A block of thinking in the form that OpenRouter's clients send back (https://openrouter.ai/docs/use-cases/reasoning-tokens). */
function toDetail({ type, thinking, signature, data }: Json, index: number): Json[] {
  if (type === 'thinking') return [{ type: 'reasoning.text', text: thinking, signature, index }];
  return type === 'redacted_thinking' ? [{ type: 'reasoning.encrypted', data, index }] : [];
}
