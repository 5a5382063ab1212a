import type { AnswerParts } from './answer-parts.js';
import type { NativeEvent, NativeForm } from './native-form.js';

type Json = Record<string, unknown>;

const CREATED = 1_763_650_000;
const ENCRYPTED = 'ZW5jcnlwdGVk';

/** OpenAI's responses, see https://platform.openai.com/docs/api-reference/responses-streaming. */
export class ResponsesForm implements NativeForm {
  readonly endings = 0;
  readonly unfinished = '[DONE]';
  /** Items before the one with the tokens. */
  private readonly items: Json[];
  private number = 0;

  constructor(private readonly parts: AnswerParts) {
    const { modifiers } = parts.scenario;
    const search = {
      id: 'ws_0',
      type: 'web_search_call',
      status: 'completed',
      action: { type: 'search', query: 'fake' },
    };
    this.items = [
      ...(modifiers.has('reasoning')
        ? [{ id: 'rs_0', type: 'reasoning', summary: [], encrypted_content: ENCRYPTED }]
        : []),
      ...(modifiers.has('search') ? [search] : []),
    ];
  }

  start(): NativeEvent[] {
    const response = this.response('in_progress', []);
    const before = this.items.flatMap((item, index) => [
      this.event('response.output_item.added', { output_index: index, item: { ...item, status: 'in_progress' } }),
      this.event('response.output_item.done', { output_index: index, item }),
    ]);
    const opened = { output_index: this.items.length, item: this.item(0, 'in_progress') };
    return [
      this.event('response.created', { response }),
      this.event('response.in_progress', { response }),
      ...before,
      this.event('response.output_item.added', opened),
      ...(this.isCall ? [] : [this.event('response.content_part.added', { ...this.place, part: toPart('') })]),
    ];
  }

  token(index: number): NativeEvent[] {
    const delta = this.parts.tokens[index];
    return this.isCall
      ? [this.event('response.function_call_arguments.delta', { ...this.callPlace, delta })]
      : [this.event('response.output_text.delta', { ...this.place, delta, logprobs: [] })];
  }

  finish(): NativeEvent[] {
    const item = this.item(Infinity, 'completed');
    const { text } = this;
    const done = this.isCall
      ? [this.event('response.function_call_arguments.done', { ...this.callPlace, name: 'fake', arguments: text })]
      : [
          this.event('response.output_text.done', { ...this.place, text, logprobs: [] }),
          this.event('response.content_part.done', { ...this.place, part: toPart(text) }),
        ];
    return [
      ...done,
      this.event('response.output_item.done', { output_index: this.items.length, item }),
      this.event('response.completed', { response: this.response('completed', [...this.items, item]) }),
    ];
  }

  get otherFinish(): NativeEvent[] {
    return [this.event('response.incomplete', { response: this.response('incomplete', []) })];
  }

  get failure(): NativeEvent {
    return this.event('response.failed', { response: JSON.parse(this.whole(0, 'error')) as Json });
  }

  get error(): string {
    return this.parts.error;
  }

  whole(count = this.parts.tokens.length, finishReason: string | null = 'stop'): string {
    const status = finishReason === null ? 'in_progress' : finishReason === 'stop' ? 'completed' : 'failed';
    const response = this.response(status, [...this.items, this.item(count, status)]);
    const error = { code: 'server_error', message: 'The fake worker died.' };
    return this.parts.json({ ...this.parts.padding, ...response, ...(status === 'failed' && { error }) });
  }

  private response(status: string, output: readonly Json[]): Json {
    const { id, request } = this.parts;
    const isCounted = status === 'completed' && !this.parts.scenario.modifiers.has('no-usage');
    const head = { id, object: 'response', created_at: CREATED, model: request.model, status, error: null };
    return {
      ...head,
      incomplete_details: null,
      previous_response_id: null,
      store: true,
      output,
      usage: isCounted ? this.usage : null,
    };
  }

  private get usage(): Json {
    const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total, ...details } = this.parts.usage;
    return {
      input_tokens: prompt,
      input_tokens_details: details.prompt_tokens_details,
      output_tokens: completion,
      output_tokens_details: details.completion_tokens_details,
      total_tokens: total,
    };
  }

  private get isCall(): boolean {
    return this.parts.scenario.modifiers.has('tool-call');
  }

  private get text(): string {
    return this.parts.tokens.join('');
  }

  private get callPlace(): Json {
    return { item_id: this.itemId, output_index: this.items.length };
  }

  private get place(): Json {
    return { ...this.callPlace, content_index: 0 };
  }

  private get itemId(): string {
    return this.isCall ? 'fc_0' : 'msg_0';
  }

  /** @param count tokens that it has; 0: none, and no part for them */
  private item(count: number, status: string): Json {
    const text = this.parts.tokens.slice(0, count).join('');
    const id = this.itemId;
    if (this.isCall) return { id, type: 'function_call', status, call_id: 'call_0', name: 'fake', arguments: text };
    const content = count === 0 ? [] : [toPart(text)];
    return { id, type: 'message', status, role: 'assistant', content };
  }

  private event(type: string, data: Json): NativeEvent {
    return { type, sequence_number: this.number++, ...data };
  }
}

const toPart = (text: string): Json => ({ type: 'output_text', text, annotations: [], logprobs: [] });
