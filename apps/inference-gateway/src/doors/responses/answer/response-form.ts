import type { ResponsesRequestDto } from '@hone/contracts';

import type { AnswerFailure } from '../../../dispatch/answer/answer-failure.js';
import type { AnswerForm } from '../../translation/answer-form.js';
import type { Chunk, Completion } from '../../translation/chat-json.js';
import {
  type ChatDelta,
  type ChatLogprobs,
  type ChatToolCall,
  type ChatUsage,
  reasoningOf,
} from '../../translation/chat-json.js';
import { toEvent } from '../../translation/event-writer.js';
import { namespacedTools } from '../request/namespaces.js';
import { CallItem, type OpenItem, SummaryItem, TextItem } from './response-items.js';

type Json = Record<string, unknown>;
type Status = 'in_progress' | 'completed' | 'incomplete' | 'failed';

/** What a cut-off answer's `incomplete_details` say, by the `finish_reason` of chat completions. */
const INCOMPLETE: Readonly<Record<string, string>> = { length: 'max_output_tokens', content_filter: 'content_filter' };
/** OpenAI's own stream ends without it; Open Responses (https://www.openresponses.org) asks for it, and clients of both take it. */
const DONE = 'data: [DONE]\n\n';

/**
 * Writes an answer as a response and its events, see https://platform.openai.com/docs/api-reference/responses-streaming.
 * The items of a whole answer are put together by the same steps, and their events are left out.
 */
export class ResponseForm implements AnswerForm {
  private events = '';
  private sequence = 0;
  private readonly output: OpenItem[] = [];
  /** Items that may still grow. */
  private readonly open = new Set<OpenItem>();
  /** Calls by their index. */
  private readonly calls = new Map<number, CallItem>();
  private message: TextItem | null = null;
  private reasoning: { readonly item: OpenItem; readonly add: (text: string) => void } | null = null;
  private head: { readonly created: number; readonly model: unknown } | null = null;
  private finishReason: string | null = null;
  private usage: ChatUsage | null = null;
  private readonly namespaced: ReturnType<typeof namespacedTools>;

  constructor(
    private readonly asked: ResponsesRequestDto & Json,
    private readonly rid: string,
    /** It can be had again, and continued. */
    private readonly isStored: boolean,
  ) {
    this.namespaced = namespacedTools(asked.tools ?? []);
  }

  whole({ created, model, choices, usage }: Completion): object {
    const [choice] = choices;
    const { message = {}, finish_reason: reason, logprobs } = choice ?? {};
    this.chunk({ created, model, choices: [{ delta: message, finish_reason: reason, logprobs }], usage });
    this.closeAll();
    return this.response(this.endStatus);
  }

  chunk({ created, model, choices, usage }: Chunk): string {
    this.begin(created, model);
    if (usage) this.usage = usage;
    for (const { delta, finish_reason: reason, logprobs } of choices ?? []) {
      if (delta) this.addDelta(delta, logprobs ?? null);
      if (reason) this.finishReason = reason;
    }
    return this.takeEvents();
  }

  text(json: string): string | null {
    return this.message?.textEvent(json, () => this.sequence++) ?? null;
  }

  end(): string {
    this.begin(undefined, undefined);
    this.closeAll();
    const status = this.endStatus;
    this.emit(`response.${status}`, { response: this.response(status) });
    return this.takeEvents() + DONE;
  }

  fail({ type, code, message, param }: AnswerFailure): string {
    this.begin(undefined, undefined);
    // OpenAI's reference has the members at the top, its service and the clients made for it within `error`.
    this.emit('error', { code, message, param, error: { type, code, message, param } });
    this.emit('response.failed', { response: { ...this.response('failed'), error: { code, message } } });
    return this.takeEvents();
  }

  private begin(created: unknown, model: unknown): void {
    if (this.head !== null) return;
    this.head = {
      created: typeof created === 'number' ? created : Math.floor(Date.now() / 1_000),
      model: model ?? this.asked.model,
    };
    this.emit('response.created', { response: this.response('in_progress') });
    this.emit('response.in_progress', { response: this.response('in_progress') });
  }

  private addDelta(delta: ChatDelta, logprobs: ChatLogprobs | null): void {
    const reasoning = reasoningOf(delta);
    if (reasoning) this.reasoningItem().add(reasoning);
    if (delta.content) this.messageItem().add('output_text', delta.content, logprobs?.content ?? []);
    if (delta.refusal) this.messageItem().add('refusal', delta.refusal);
    for (const [at, call] of (delta.tool_calls ?? []).entries()) this.addCall(call, call.index ?? at);
  }

  private messageItem(): TextItem {
    if (this.message !== null) return this.message;
    this.closeText('completed');
    const item = { type: 'message', status: 'in_progress', role: 'assistant' };
    this.message = this.add(new TextItem(this.nextPosition('msg'), item, this.emit));
    return this.message;
  }

  /** A caller who asks for a summary gets the reasoning as one, others as it is. */
  private reasoningItem(): { readonly add: (text: string) => void } {
    if (this.reasoning !== null) return this.reasoning;
    this.closeText('completed');
    const position = this.nextPosition('rs');
    if (this.asked.reasoning?.summary) {
      const item = this.add(new SummaryItem(position, this.emit));
      this.reasoning = { item, add: (text) => item.add(text) };
    } else {
      const head = { type: 'reasoning', status: 'in_progress', summary: [] };
      const item = this.add(new TextItem(position, head, this.emit));
      this.reasoning = { item, add: (text) => item.add('reasoning_text', text) };
    }
    return this.reasoning;
  }

  private addCall(call: ChatToolCall, index: number): void {
    const known = this.calls.get(index);
    if (known) return known.add(call);
    this.closeText('completed');
    this.calls.set(index, this.add(new CallItem(this.nextPosition('fc'), call, this.namespaced, this.emit)));
  }

  private add<T extends OpenItem>(item: T): T {
    this.output.push(item);
    this.open.add(item);
    return item;
  }

  private nextPosition(prefix: string): { item_id: string; output_index: number } {
    const index = this.output.length;
    return { item_id: `${prefix}_${this.rid}_${index}`, output_index: index };
  }

  private closeText(status: string): void {
    const open = this.message ?? this.reasoning?.item;
    if (open) this.close(open, status);
    this.message = null;
    this.reasoning = null;
  }

  private close(item: OpenItem, status: string): void {
    this.open.delete(item);
    item.close(status);
  }

  private closeAll(): void {
    // An answer without a word is a message without a word.
    if (this.output.length === 0) this.messageItem().add('output_text', '');
    for (const item of this.open) this.close(item, this.endStatus);
  }

  private get endStatus(): 'completed' | 'incomplete' {
    return this.incompleteReason === null ? 'completed' : 'incomplete';
  }

  private get incompleteReason(): string | null {
    return this.finishReason === null ? null : (INCOMPLETE[this.finishReason] ?? null);
  }

  private response(status: Status): Json {
    const { asked, head } = this;
    const isOver = status !== 'in_progress';
    return {
      id: `resp_${this.rid}`,
      object: 'response',
      created_at: head?.created,
      status,
      completed_at: status === 'completed' ? Math.floor(Date.now() / 1_000) : null,
      background: false,
      error: null,
      incomplete_details: status === 'incomplete' ? { reason: this.incompleteReason } : null,
      ...echoOf(asked),
      store: this.isStored,
      model: head?.model,
      output: this.output.filter((item) => isOver && !this.open.has(item)).map(({ item }) => item),
      usage: isOver && this.usage !== null ? toUsage(this.usage) : null,
    };
  }

  private readonly emit = (type: string, data: Json): void => {
    this.events += toEvent({ type, sequence_number: this.sequence++, ...data });
  };

  private takeEvents(): string {
    const { events } = this;
    this.events = '';
    return events;
  }
}

/** What a response says of its request. */
const echoOf = (asked: ResponsesRequestDto & Json): Json => ({
  instructions: asked.instructions ?? null,
  max_output_tokens: asked.max_output_tokens ?? null,
  max_tool_calls: asked.max_tool_calls ?? null,
  parallel_tool_calls: asked.parallel_tool_calls ?? true,
  previous_response_id: asked['previous_response_id'] ?? null,
  ...(asked.prompt && { prompt: asked.prompt }),
  prompt_cache_key: asked['prompt_cache_key'] ?? null,
  reasoning: { effort: asked.reasoning?.effort ?? null, summary: asked.reasoning?.summary ?? null },
  safety_identifier: asked['safety_identifier'] ?? null,
  service_tier: asked['service_tier'] ?? 'default',
  temperature: asked.temperature ?? 1,
  text: { format: asked.text?.format ?? { type: 'text' }, verbosity: asked.text?.verbosity ?? 'medium' },
  tool_choice: asked.tool_choice ?? 'auto',
  tools: (asked.tools ?? []).map((tool) => (tool['type'] === 'function' ? { ...FUNCTION_TOOL, ...tool } : tool)),
  top_logprobs: asked.top_logprobs ?? 0,
  top_p: asked.top_p ?? 1,
  presence_penalty: asked['presence_penalty'] ?? 0,
  frequency_penalty: asked['frequency_penalty'] ?? 0,
  truncation: asked.truncation ?? 'disabled',
  user: asked.user ?? null,
  metadata: asked.metadata ?? {},
});

/** Members that every function has in a response. */
const FUNCTION_TOOL = { description: null, parameters: null, strict: null };

function toUsage(usage: ChatUsage): Json {
  const { prompt_tokens: input = 0, completion_tokens: output = 0 } = usage;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: usage.prompt_tokens_details?.cached_tokens ?? 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage.completion_tokens_details?.reasoning_tokens ?? 0 },
    total_tokens: usage.total_tokens ?? input + output,
  };
}
