import type { MessagesRequestDto } from '@hone/contracts';

import type { AnswerFailure } from '../../../dispatch/answer/answer-failure.js';
import type { AnswerForm } from '../../translation/answer-form.js';
import {
  type ChatDelta,
  type ChatToolCall,
  type ChatUsage,
  type Chunk,
  type ChunkChoice,
  type Completion,
  reasoningOf,
} from '../../translation/chat-json.js';
import { toEvent } from '../../translation/event-writer.js';
import { type OpenBlock, TextBlock, type TextKind, ToolBlock } from './message-blocks.js';
import { messageError } from './message-error.js';

type Json = Record<string, unknown>;

/** `stop_reason` by the `finish_reason` of chat completions; others: `end_turn`. */
const STOP_REASONS: Readonly<Record<string, string>> = {
  length: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'refusal',
};

/** What an answer said while the input of a call was still incomplete. */
type Held =
  { readonly kind: TextKind; readonly text: string } | { readonly call: ChatToolCall; readonly index: number };

/**
 * Writes an answer as a message and its events, see https://platform.claude.com/docs/en/build-with-claude/streaming. Blocks
 * of a message follow each other, while calls of a chat completion may grow side by side: what comes while the input of a
 * call is incomplete is held until the end. The blocks of a whole answer are put together by the same steps, and their
 * events are left out.
 */
export class MessageForm implements AnswerForm {
  private events = '';
  private readonly content: Json[] = [];
  private block: TextBlock | ToolBlock | null = null;
  /** Indices of calls whose blocks have ended. */
  private readonly ended = new Set<number>();
  private held: Held[] = [];
  private model: unknown = null;
  private hasBegun = false;
  private finishReason: string | null = null;
  private stopSequence: string | null = null;
  private refusal = '';
  private usage: ChatUsage = {};
  private readonly showsThinking: boolean;

  constructor(
    private readonly asked: Pick<MessagesRequestDto, 'model' | 'thinking'>,
    private readonly rid: string,
  ) {
    const { type, display } = asked.thinking ?? {};
    this.showsThinking = type !== 'disabled' && display !== 'omitted';
  }

  whole({ model, choices, usage }: Completion): object {
    const [choice] = choices;
    const { message: delta = {}, finish_reason, stop_reason } = choice ?? {};
    this.chunk({ model, choices: [{ delta, finish_reason, stop_reason }], usage });
    this.endBlocks();
    const { content, stop } = this;
    return { ...this.head, content, ...stop, usage: toUsage(this.usage) };
  }

  chunk({ model, choices, usage }: Chunk): string {
    this.begin(model);
    if (usage) this.usage = usage;
    for (const choice of choices ?? []) this.addChoice(choice);
    return this.takeEvents();
  }

  text(json: string): string | null {
    return this.block instanceof TextBlock ? this.block.textEvent(json) : null;
  }

  end(): string {
    this.begin(null);
    this.endBlocks();
    this.emit('message_delta', { delta: this.stop, usage: toUsage(this.usage) });
    this.emit('message_stop', {});
    return this.takeEvents();
  }

  fail({ status, code, message, param }: AnswerFailure): string {
    return toEvent(messageError(status, { code, message, param }, this.rid));
  }

  private begin(model: unknown): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    this.model = model ?? this.asked.model;
    const message = { ...this.head, content: [], ...NOT_STOPPED, usage: toUsage({}) };
    this.emit('message_start', { message });
  }

  private get head(): Json {
    return { id: `msg_${this.rid}`, type: 'message', role: 'assistant', container: null, model: this.model };
  }

  private addChoice({ delta, finish_reason: reason, stop_reason: stopped }: ChunkChoice): void {
    if (delta) this.addDelta(delta);
    if (reason) this.finishReason = reason;
    if (typeof stopped === 'string') this.stopSequence = stopped;
  }

  private addDelta(delta: ChatDelta): void {
    const reasoning = this.showsThinking ? reasoningOf(delta) : null;
    if (reasoning) this.addText('thinking', reasoning);
    if (delta.content) this.addText('text', delta.content);
    if (delta.refusal) {
      this.refusal += delta.refusal;
      this.addText('text', delta.refusal);
    }
    for (const [at, call] of (delta.tool_calls ?? []).entries()) this.addCall(call, call.index ?? at);
  }

  private addText(kind: TextKind, text: string): void {
    const { block } = this;
    if (block instanceof TextBlock && block.key === kind) return block.add(text);
    if (!this.mayFollow) return void this.held.push({ kind, text });
    this.endBlock();
    const begun = new TextBlock(kind, this.content.length, this.emit);
    this.block = begun;
    begun.add(text);
  }

  private addCall(call: ChatToolCall, index: number): void {
    const { block } = this;
    const json = call.function?.arguments ?? '';
    if (block instanceof ToolBlock && block.key === index) return block.add(json);
    // Its input was whole: more can only be blank.
    if (this.ended.has(index)) return;
    if (!this.mayFollow) return void this.held.push({ call, index });
    this.endBlock();
    const at = this.content.length;
    const begun = new ToolBlock(index, at, call, `toolu_${this.rid}_${at}`, this.emit);
    this.block = begun;
    begun.add(json);
  }

  /** Whether another block may begin now. */
  private get mayFollow(): boolean {
    return this.held.length === 0 && (this.block === null || this.block.isWhole);
  }

  private endBlock(): void {
    const block: OpenBlock | null = this.block;
    if (block === null) return;
    this.content.push(block.close());
    if (typeof block.key === 'number') this.ended.add(block.key);
    this.block = null;
  }

  /** Ends the open block, then writes what was held, each block at once. */
  private endBlocks(): void {
    this.endBlock();
    const groups = new Map<TextKind | number, Held[]>();
    for (const held of this.held) {
      const key = 'call' in held ? held.index : held.kind;
      const group = groups.get(key);
      if (group) group.push(held);
      else groups.set(key, [held]);
    }
    this.held = [];
    for (const group of groups.values()) {
      for (const held of group) {
        if ('call' in held) this.addCall(held.call, held.index);
        else this.addText(held.kind, held.text);
      }
      this.endBlock();
    }
  }

  private get stop(): Json {
    const hasRefused = this.refusal !== '';
    const details = { type: 'refusal', category: null, explanation: this.refusal };
    return {
      stop_reason: hasRefused ? 'refusal' : this.stopReason,
      stop_sequence: this.stopSequence,
      stop_details: hasRefused ? details : null,
    };
  }

  private get stopReason(): string {
    const reason = this.finishReason ?? '';
    if (reason === 'stop' && this.stopSequence !== null) return 'stop_sequence';
    // Some upstreams say `stop` after a call that was asked for by name.
    if (reason === 'stop' && this.ended.size > 0) return 'tool_use';
    return STOP_REASONS[reason] ?? 'end_turn';
  }

  private readonly emit = (type: string, data: Json): void => {
    this.events += toEvent({ type, ...data });
  };

  private takeEvents(): string {
    const { events } = this;
    this.events = '';
    return events;
  }
}

const NOT_STOPPED = { stop_reason: null, stop_sequence: null, stop_details: null };

function toUsage({
  prompt_tokens: input = 0,
  completion_tokens: output = 0,
  prompt_tokens_details: of,
  completion_tokens_details: answer,
}: ChatUsage): Json {
  const { cached_tokens: read = 0, cache_write_tokens: written = 0 } = of ?? {};
  return {
    input_tokens: Math.max(0, input - read - written),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: output,
    output_tokens_details: { thinking_tokens: answer?.reasoning_tokens ?? 0 },
    cache_creation: null,
    inference_geo: null,
    server_tool_use: null,
    service_tier: null,
  };
}
