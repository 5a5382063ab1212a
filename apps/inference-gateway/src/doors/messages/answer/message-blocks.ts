import { isJsonObject } from '@hone/json';

import { textOf } from '../../../wire/sse/text-frame.js';
import { toCallId } from '../../translation/call-id.js';
import type { ChatToolCall } from '../../translation/chat-json.js';

type Json = Record<string, unknown>;
/** Writes an event. @param data its members beside the type */
export type Emit = (type: string, data: Json) => void;
export type TextKind = 'text' | 'thinking';
const TEXT_DELTA_START = 'event: content_block_delta\ndata: {"type":"content_block_delta","index":';

/** A block of a message while it grows: one at a time. */
export interface OpenBlock {
  /** What it is, for deltas that belong to it: the kind of its text, or the index of the call. */
  readonly key: TextKind | number;
  /** Whether it can be followed by another: a call whose input goes on cannot. */
  readonly isWhole: boolean;
  /** Ends it. @returns the block as it is */
  close(): Json;
}

/** Text or reasoning. Reasoning is not signed here; clients ask for the member. */
export class TextBlock implements OpenBlock {
  readonly isWhole = true;
  private text = '';

  constructor(
    readonly key: TextKind,
    private readonly index: number,
    private readonly emit: Emit,
  ) {
    emit('content_block_start', { index, content_block: this.block });
  }

  add(text: string): void {
    this.text += text;
    this.emit('content_block_delta', { index: this.index, delta: { type: `${this.key}_delta`, [this.key]: text } });
  }

  /**
   * What {@link add} would emit for more text, written around its JSON: nearly every event is one.
   *
   * @param json of the text, without quotes
   * @returns null: the block is another's
   */
  textEvent(json: string): string | null {
    if (this.key !== 'text') return null;
    this.text += textOf(json);
    return `${TEXT_DELTA_START}${this.index},"delta":{"type":"text_delta","text":"${json}"}}\n\n`;
  }

  close(): Json {
    const { index } = this;
    if (this.key === 'thinking') {
      this.emit('content_block_delta', { index, delta: { type: 'signature_delta', signature: '' } });
    }
    this.emit('content_block_stop', { index });
    return this.block;
  }

  private get block(): Json {
    const { key, text } = this;
    return key === 'text' ? { type: key, text, citations: [] } : { type: key, thinking: text, signature: '' };
  }
}

/** A call of a tool. */
export class ToolBlock implements OpenBlock {
  private readonly head: Json;
  private json = '';

  constructor(
    readonly key: number,
    private readonly index: number,
    call: ChatToolCall,
    fallbackId: string,
    private readonly emit: Emit,
  ) {
    this.head = {
      type: 'tool_use',
      id: toCallId(call, fallbackId),
      name: call.function?.name ?? '',
      caller: { type: 'direct' },
    };
    emit('content_block_start', { index, content_block: { ...this.head, input: {} } });
  }

  get isWhole(): boolean {
    return isJsonObject(parsed(this.json));
  }

  add(json: string): void {
    if (json === '') return;
    this.json += json;
    this.emit('content_block_delta', { index: this.index, delta: { type: 'input_json_delta', partial_json: json } });
  }

  close(): Json {
    this.emit('content_block_stop', { index: this.index });
    return { ...this.head, input: this.input };
  }

  /** A call that was cut off, or that the model wrote wrongly, still shows what it says. */
  private get input(): unknown {
    if (this.json.trim() === '') return {};
    return parsed(this.json) ?? { unparsed: this.json };
  }
}

/** Undefined: it is no JSON. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
