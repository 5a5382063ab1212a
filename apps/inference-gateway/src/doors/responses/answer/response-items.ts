import { textOf } from '../../../wire/sse/text-frame.js';
import { toCallId } from '../../translation/call-id.js';
import type { ChatToolCall } from '../../translation/chat-json.js';
import type { CalledTool } from '../request/namespaces.js';

type Json = Record<string, unknown>;
/** Writes an event. @param data its members; `sequence_number` is added */
export type Emit = (type: string, data: Json) => void;

/** An item of a response's output while it grows. */
export interface OpenItem {
  /** The item as it is now, for `output`. */
  readonly item: Json;
  /** Ends it. @param status `completed`, or `incomplete` where the answer was cut off */
  close(status: string): void;
}

/** Names an item in each of its events. */
interface Position {
  readonly item_id: string;
  readonly output_index: number;
}

const EVENTS = {
  output_text: { delta: 'response.output_text.delta', done: 'response.output_text.done', member: 'text' },
  refusal: { delta: 'response.refusal.delta', done: 'response.refusal.done', member: 'refusal' },
  reasoning_text: { delta: 'response.reasoning_text.delta', done: 'response.reasoning_text.done', member: 'text' },
} as const;
type PartType = keyof typeof EVENTS;
const TEXT_DELTA = EVENTS.output_text.delta;
const TEXT_DELTA_START = `event: ${TEXT_DELTA}\ndata: {"type":"${TEXT_DELTA}","sequence_number":`;

/** A message or reasoning: an item with one part of text at a time. */
export class TextItem implements OpenItem {
  readonly item: Json;
  private readonly parts: Json[] = [];
  private readonly logprobs: object[] = [];
  private type: PartType | null = null;
  private text = '';
  /** What stands between number and text in the events of this part. */
  private head: string | null = null;

  constructor(
    private readonly position: Position,
    item: Json,
    private readonly emit: Emit,
  ) {
    this.item = { id: position.item_id, ...item, content: this.parts };
    emit('response.output_item.added', { output_index: position.output_index, item: { ...this.item, content: [] } });
  }

  add(type: PartType, delta: string, logprobs: readonly object[] = []): void {
    if (type !== this.type) this.openPart(type);
    this.text += delta;
    this.logprobs.push(...logprobs);
    this.emit(EVENTS[type].delta, { ...this.partPosition, delta, ...(type === 'output_text' && { logprobs }) });
  }

  /**
   * What {@link add} would emit for more of the text, written around its JSON: nearly every event is one.
   *
   * @param json of the text, without quotes
   * @returns null: the part that is open has no text of this kind
   */
  textEvent(json: string, nextNumber: () => number): string | null {
    if (this.type !== 'output_text') return null;
    this.text += textOf(json);
    this.head ??= `,${JSON.stringify(this.partPosition).slice(1, -1)},"delta":"`;
    return `${TEXT_DELTA_START}${nextNumber()}${this.head}${json}","logprobs":[]}\n\n`;
  }

  close(status: string): void {
    this.closePart();
    this.item['status'] = status;
    this.emit('response.output_item.done', { output_index: this.position.output_index, item: this.item });
  }

  private openPart(type: PartType): void {
    this.closePart();
    this.type = type;
    this.text = '';
    this.head = null;
    this.logprobs.length = 0;
    this.emit('response.content_part.added', { ...this.partPosition, part: toPart(type, '', []) });
  }

  private closePart(): void {
    const { type, text } = this;
    if (type === null) return;
    const { done, member } = EVENTS[type];
    const logprobs = [...this.logprobs];
    this.emit(done, { ...this.partPosition, [member]: text, ...(type === 'output_text' && { logprobs }) });
    const part = toPart(type, text, logprobs);
    this.emit('response.content_part.done', { ...this.partPosition, part });
    this.parts.push(part);
    this.type = null;
  }

  private get partPosition(): Json {
    return { ...this.position, content_index: this.parts.length };
  }
}

/** Reasoning as its summary, for whoever asked for one: what the model shows is all there is. */
export class SummaryItem implements OpenItem {
  readonly item: Json;
  private text: string | null = null;

  constructor(
    private readonly position: Position,
    private readonly emit: Emit,
  ) {
    this.item = { id: position.item_id, type: 'reasoning', status: 'in_progress', summary: [] };
    emit('response.output_item.added', { output_index: position.output_index, item: { ...this.item } });
  }

  add(delta: string): void {
    if (this.text === null) {
      this.text = '';
      this.emit('response.reasoning_summary_part.added', { ...this.partPosition, part: toSummary('') });
    }
    this.text += delta;
    this.emit('response.reasoning_summary_text.delta', { ...this.partPosition, delta });
  }

  close(status: string): void {
    const { text, partPosition } = this;
    if (text !== null) {
      this.emit('response.reasoning_summary_text.done', { ...partPosition, text });
      this.emit('response.reasoning_summary_part.done', { ...partPosition, part: toSummary(text) });
      this.item['summary'] = [toSummary(text)];
    }
    this.item['status'] = status;
    this.emit('response.output_item.done', { output_index: this.position.output_index, item: this.item });
  }

  private get partPosition(): Json {
    return { ...this.position, summary_index: 0 };
  }
}

const toSummary = (text: string): Json => ({ type: 'summary_text', text });

function toPart(type: PartType, text: string, logprobs: readonly object[]): Json {
  if (type === 'output_text') return { type, text, annotations: [], logprobs };
  return { type, [EVENTS[type].member]: text };
}

/** A call of a function or of a custom tool; one in a namespace is called as the request has it. */
export class CallItem implements OpenItem {
  readonly item: Json;
  private readonly kind: (typeof CALLS)[keyof typeof CALLS];

  constructor(
    private readonly position: Position,
    call: ChatToolCall,
    namespaced: ReadonlyMap<string, CalledTool>,
    private readonly emit: Emit,
  ) {
    this.kind = CALLS[call.type === 'custom' || call.custom ? 'custom' : 'function'];
    const { type, member } = this.kind;
    const name = call.function?.name ?? call.custom?.name ?? '';
    const id = position.item_id;
    const called = namespaced.get(name) ?? { name };
    this.item = { id, type, status: 'in_progress', call_id: toCallId(call, id), ...called, [member]: '' };
    emit('response.output_item.added', { output_index: position.output_index, item: { ...this.item } });
    this.add(call);
  }

  add(call: ChatToolCall): void {
    const delta = call.function?.arguments ?? call.custom?.input ?? '';
    if (delta === '') return;
    const { member, deltaEvent } = this.kind;
    this.item[member] += delta;
    this.emit(deltaEvent, { ...this.position, delta });
  }

  close(status: string): void {
    const { member, doneEvent } = this.kind;
    this.item['status'] = status;
    this.emit(doneEvent, { ...this.position, name: this.item['name'], [member]: this.item[member] });
    this.emit('response.output_item.done', { output_index: this.position.output_index, item: this.item });
  }
}

const CALLS = {
  function: {
    type: 'function_call',
    member: 'arguments',
    deltaEvent: 'response.function_call_arguments.delta',
    doneEvent: 'response.function_call_arguments.done',
  },
  custom: {
    type: 'custom_tool_call',
    member: 'input',
    deltaEvent: 'response.custom_tool_call_input.delta',
    doneEvent: 'response.custom_tool_call_input.done',
  },
} as const;
