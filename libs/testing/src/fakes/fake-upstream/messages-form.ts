import type { AnswerParts } from './answer-parts.js';
import type { NativeEvent, NativeForm } from './native-form.js';

type Json = Record<string, unknown>;

const SIGNATURE = 'c2lnbmVk';

/** Anthropic's messages, see https://platform.claude.com/docs/en/build-with-claude/streaming. */
export class MessagesForm implements NativeForm {
  /** `message_stop`. */
  readonly endings = 1;
  readonly unfinished: NativeEvent[] = [{ type: 'message_stop' }];
  private readonly blocks: Json[];

  constructor(private readonly parts: AnswerParts) {
    const { modifiers } = parts.scenario;
    const search = { type: 'server_tool_use', id: 'srvtoolu_0', name: 'web_search', input: { query: 'fake' } };
    const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_0', content: [] };
    this.blocks = [
      ...(modifiers.has('reasoning') ? [{ type: 'thinking', thinking: 'hm', signature: SIGNATURE }] : []),
      ...(modifiers.has('search') ? [search, found] : []),
    ];
  }

  start(): NativeEvent[] {
    const message = { ...this.head, content: [], stop_reason: null, stop_sequence: null };
    const usage = { ...this.usage, output_tokens: 1 };
    return [
      { type: 'message_start', message: { ...message, usage } },
      ...this.blocks.flatMap((block, index) => this.eventsOf(block, index)),
      { type: 'content_block_start', index: this.blocks.length, content_block: this.opening },
      { type: 'ping' },
    ];
  }

  token(index: number): NativeEvent[] {
    const text = this.text(index);
    const delta = this.isCall ? { type: 'input_json_delta', partial_json: text } : { type: 'text_delta', text };
    return [{ type: 'content_block_delta', index: this.blocks.length, delta }];
  }

  finish(): NativeEvent[] {
    return [
      { type: 'content_block_stop', index: this.blocks.length },
      this.stop(this.stopReason),
      { type: 'message_stop' },
    ];
  }

  get otherFinish(): NativeEvent[] {
    return [this.stop('max_tokens')];
  }

  get failure(): NativeEvent {
    return { type: 'error', error: { type: 'api_error', message: 'The fake worker died.' } };
  }

  get error(): string {
    return JSON.stringify(this.failure);
  }

  whole(count = this.parts.tokens.length, finishReason: string | null = 'stop'): string {
    if (finishReason === 'error' || finishReason === 'abort') return this.error;
    const text = this.parts.tokens
      .slice(0, count)
      .map((_, index) => this.text(index))
      .join('');
    const last = this.isCall ? { ...this.opening, input: JSON.parse(text) as Json } : { ...this.opening, text };
    const stop_reason = finishReason === null ? null : this.stopReason;
    const content = [...this.blocks, last];
    return this.parts.json({
      ...this.head,
      ...this.parts.padding,
      content,
      stop_reason,
      stop_sequence: null,
      usage: this.usage,
    });
  }

  private get head(): Json {
    return { id: this.parts.id, type: 'message', role: 'assistant', model: this.parts.request.model };
  }

  private get usage(): Json {
    const { prompt_tokens: prompt, completion_tokens: completion, prompt_tokens_details: details } = this.parts.usage;
    const { cached_tokens: cached } = details as { cached_tokens: number };
    return {
      input_tokens: Number(prompt) - cached,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: 0,
      output_tokens: completion,
      output_tokens_details: { thinking_tokens: 2 },
    };
  }

  private stop(reason: string): NativeEvent {
    const usage = this.parts.scenario.modifiers.has('no-usage') ? {} : { usage: this.usage };
    return { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, ...usage };
  }

  private get isCall(): boolean {
    return this.parts.scenario.modifiers.has('tool-call');
  }

  private get stopReason(): string {
    return this.isCall ? 'tool_use' : 'end_turn';
  }

  private get opening(): Json {
    return this.isCall ? { type: 'tool_use', id: 'toolu_0', name: 'fake', input: {} } : { type: 'text', text: '' };
  }

  /** Calls have JSON: the tokens are the text of its only member. */
  private text(index: number): string {
    const { tokens } = this.parts;
    const token = tokens[index] as string;
    if (!this.isCall) return token;
    const inner = JSON.stringify(token).slice(1, -1);
    return `${index === 0 ? '{"said":"' : ''}${inner}${index === tokens.length - 1 ? '"}' : ''}`;
  }

  private eventsOf(block: Json, index: number): NativeEvent[] {
    const delta = (value: Json): NativeEvent => ({ type: 'content_block_delta', index, delta: value });
    const stop = { type: 'content_block_stop', index };
    if (block.type !== 'thinking') return [{ type: 'content_block_start', index, content_block: block }, stop];
    return [
      { type: 'content_block_start', index, content_block: { ...block, thinking: '', signature: '' } },
      delta({ type: 'thinking_delta', thinking: block.thinking }),
      delta({ type: 'signature_delta', signature: block.signature }),
      stop,
    ];
  }
}
