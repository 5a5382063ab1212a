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

/** Usage of a response as chat completions have it. Null: nothing was counted. */
export function usageOfResponse(usage: unknown): Json | null {
  if (!isJsonObject(usage) || !Number.isSafeInteger(usage['input_tokens'])) return null;
  const of = (member: string, count: string) => {
    const details = usage[member];
    return countOf(isJsonObject(details) ? details[count] : 0);
  };
  return toUsage({
    prompt: countOf(usage['input_tokens']),
    completion: countOf(usage['output_tokens']),
    cached: of('input_tokens_details', 'cached_tokens'),
    cacheWrite: of('input_tokens_details', 'cache_write_tokens'),
    reasoning: of('output_tokens_details', 'reasoning_tokens'),
  });
}

/** `finish_reason` of a response that is over. */
export function finishReasonOfResponse({ status, incomplete_details: details, output }: Json): string {
  if (status === 'incomplete') {
    return isJsonObject(details) && details['reason'] === 'content_filter' ? 'content_filter' : 'length';
  }
  return itemsOf(output).some(({ type }) => isCall(type)) ? 'tool_calls' : 'stop';
}

/**
 * Reads OpenAI's responses, see https://platform.openai.com/docs/api-reference/responses-streaming. Of items, messages,
 * reasoning that is shown and calls of the caller's tools have a place in a chat completion; built-in tools have none.
 */
export class ResponseToChat implements ChatTranslator {
  private head: ChatHead;
  /** Index of the call by that of its item. */
  private readonly calls = new Map<unknown, number>();

  /** @param id of the chat completion */
  constructor(id: string, model: unknown) {
    this.head = { id, created: Math.floor(Date.now() / 1_000), model };
  }

  chunks(event: Json): Json[] {
    const { type, delta, output_index: index } = event;
    switch (type) {
      case 'response.created':
        this.name(event['response']);
        return [toChunk(this.head, { role: 'assistant', content: '' })];
      case 'response.output_text.delta':
        return this.textChunk('content', delta, toLogprobs(event['logprobs']));
      case 'response.refusal.delta':
        return this.textChunk('refusal', delta);
      case 'response.reasoning_text.delta':
      case 'response.reasoning_summary_text.delta':
        return this.textChunk('reasoning', delta);
      case 'response.output_item.added':
        return this.startCall(event['item'], index);
      case 'response.function_call_arguments.delta':
        return this.callChunk(index, { function: { arguments: delta } });
      case 'response.custom_tool_call_input.delta':
        return this.callChunk(index, { custom: { input: delta } });
      case 'response.completed':
      case 'response.incomplete':
        return this.end(event['response']);
      default:
        return [];
    }
  }

  whole(response: Json): Json {
    this.name(response);
    const items = itemsOf(response['output']);
    const parts = (type: string) => items.filter((item) => item['type'] === type).flatMap(partsOf);
    const texts = (found: readonly Json[], member: string) => found.map((part) => textOf(part[member])).join('');
    const said = parts('message');
    const reasoning = texts(parts('reasoning'), 'text');
    const refusal = texts(said, 'refusal');
    const calls = items.filter(({ type }) => isCall(type)).map(toCall);
    return toCompletion(
      this.head,
      {
        content: said.some(({ type }) => type === 'output_text') ? texts(said, 'text') : null,
        ...(reasoning !== '' && { reasoning }),
        ...(refusal !== '' && { refusal }),
        ...(calls.length > 0 && { tool_calls: calls }),
      },
      {
        finish_reason: finishReasonOfResponse(response),
        ...toLogprobs(said.flatMap(({ logprobs }) => logprobs ?? [])),
      },
      usageOfResponse(response['usage']),
    );
  }

  private name(response: unknown): void {
    if (!isJsonObject(response)) return;
    const { created_at: created, model } = response;
    this.head = {
      ...this.head,
      created: typeof created === 'number' ? Math.floor(created) : this.head.created,
      model: model ?? this.head.model,
    };
  }

  private startCall(item: unknown, index: unknown): Json[] {
    if (!isJsonObject(item) || !isCall(item['type'])) return [];
    const at = this.calls.size;
    this.calls.set(index, at);
    return [toChunk(this.head, { tool_calls: [{ index: at, ...toCall(item) }] })];
  }

  private callChunk(index: unknown, part: Json): Json[] {
    const at = this.calls.get(index);
    return at === undefined ? [] : [toChunk(this.head, { tool_calls: [{ index: at, ...part }] })];
  }

  private end(response: unknown): Json[] {
    if (!isJsonObject(response)) return [];
    const usage = usageOfResponse(response['usage']);
    const end = toChunk(this.head, {}, { finish_reason: finishReasonOfResponse(response) });
    return [end, ...(usage ? [toUsageChunk(this.head, usage)] : [])];
  }

  private textChunk(member: string, text: unknown, more: Json = {}): Json[] {
    return textOf(text) === '' ? [] : [toChunk(this.head, { [member]: text }, more)];
  }
}

const itemsOf = (output: unknown): Json[] => (Array.isArray(output) ? output.filter(isJsonObject) : []);

const isCall = (type: unknown): boolean => type === 'function_call' || type === 'custom_tool_call';

/** Of an item's texts; reasoning shows itself, or its summary. */
const partsOf = ({ content, summary }: Json): Json[] => {
  const parts = itemsOf(content);
  return parts.length > 0 ? parts : itemsOf(summary);
};

const toLogprobs = (logprobs: unknown): Json =>
  Array.isArray(logprobs) && logprobs.length > 0 ? { logprobs: { content: logprobs as unknown[] } } : {};

function toCall({ type, call_id: id, name, arguments: sent, input }: Json): Json {
  return type === 'custom_tool_call'
    ? { id, type: 'custom', custom: { name, input: textOf(input) } }
    : { id, type: 'function', function: { name, arguments: textOf(sent) } };
}
