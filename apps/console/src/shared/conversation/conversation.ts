import { isJsonObject, parseJson, stringifyJson } from '@hone/client';

import type { Loose } from '../chat/blocks.js';
import { type ChatTurn, toTurn } from '../chat/chat.js';
import type { Exchange } from '../chat/exchange.js';

/** One message of a trace, or a call that added none. */
export interface Item {
  /** The call that was sent the message first, or answered it. */
  readonly callId: string;
  /** Whether it is the first of its call. */
  readonly isFirst: boolean;
  /** Messages that the call repeats of those before it. */
  readonly repeated: number;
  /** null: the call said nothing new. */
  readonly turn: ChatTurn | null;
  /** Tools that the message calls. */
  readonly toolCalls: readonly ToolCall[];
}

export interface ToolCall {
  /** By which its result is found; other than ids of clients unique in the trace. */
  readonly number: number;
  readonly name: string;
  readonly args: string;
}

/** What a tool gave back. */
export interface ToolResult {
  readonly turn: ChatTurn;
  /** The call that was sent it first. */
  readonly callId: string;
}

/** Longer keys are replaced by their hashes: a trace may repeat megabytes. */
const MOST_KEY_CHARACTERS = 200;

/**
 * The messages of all model calls of a trace, each once. A call repeats what was said before it, in full or cut, and with
 * another system prompt: a message is new if the call has it more often than any call before.
 */
export class Conversation {
  readonly items: Item[] = [];
  /** By the numbers of the calls of tools. */
  readonly results = new Map<number, ToolResult>();
  /** Calls whose messages are among the items. */
  readonly callIds = new Set<string>();
  /** Message -> most times that one call had it. */
  private readonly known = new Map<string, number>();
  /** Client's id of a tool call -> those without a result. */
  private readonly open = new Map<string, number[]>();
  private toolCalls = 0;

  /** @param exchange null: the call is no exchange with a model, and adds nothing */
  add(callId: string, exchange: Exchange | null): void {
    this.callIds.add(callId);
    if (exchange === null) return;
    const counts = new Map<string, number>();
    const count = (message: Loose): boolean => {
      const key = keyOf(message);
      const times = (counts.get(key) ?? 0) + 1;
      counts.set(key, times);
      return times > (this.known.get(key) ?? 0);
    };
    const news = exchange.sent.filter(count);
    exchange.answers.forEach(count);
    for (const [key, times] of counts) this.known.set(key, Math.max(times, this.known.get(key) ?? 0));
    const repeated = exchange.sent.length - news.length;
    const shown = [...news, ...exchange.answers].filter((message) => !this.joins(callId, message));
    const said = shown.map((message) => ({
      turn: { ...toTurn(message), tools: [] },
      toolCalls: this.openCalls(message),
    }));
    const first = { callId, isFirst: true, repeated };
    if (said.length === 0) this.items.push({ ...first, turn: null, toolCalls: [] });
    said.forEach((one, at) => this.items.push({ ...first, ...one, isFirst: at === 0 }));
  }

  /** Whether a message is the result of a tool that was called before, beside whose call it is then shown. */
  private joins(callId: string, message: Loose): boolean {
    const { role, tool_call_id: id } = message;
    if ((role !== 'tool' && role !== 'function') || typeof id !== 'string') return false;
    const number = this.open.get(id)?.shift();
    if (number === undefined) return false;
    this.results.set(number, { callId, turn: toTurn(message) });
    return true;
  }

  private openCalls({ tool_calls: calls }: Loose): ToolCall[] {
    return (Array.isArray(calls) ? calls : []).filter(isJsonObject).map((call) => {
      const called = isJsonObject(call['function']) ? call['function'] : {};
      const number = ++this.toolCalls;
      if (typeof call['id'] === 'string') this.open.set(call['id'], [...(this.open.get(call['id']) ?? []), number]);
      return { number, name: String(called['name']), args: String(called['arguments'] ?? '') };
    });
  }
}

/** Equal for a message as a model answered it, and as it is sent again: clients leave out what was thought. */
function keyOf(message: Loose): string {
  const { role, text, media = [] } = toTurn(message);
  const calls = (Array.isArray(message['tool_calls']) ? message['tool_calls'] : []).filter(isJsonObject).map((call) => {
    const called = isJsonObject(call['function']) ? call['function'] : {};
    return [called['name'], sameJson(String(called['arguments']))];
  });
  const id = role === 'tool' ? message['tool_call_id'] : null;
  const key = JSON.stringify([role, text, calls, id, media.map(({ address }) => address)]);
  return key.length <= MOST_KEY_CHARACTERS ? key : `${key.length} ${hashOf(key)}`;
}

/** Clients write arguments with or without blanks. */
function sameJson(text: string): string {
  try {
    return stringifyJson(parseJson(text));
  } catch {
    return text;
  }
}

/** 64 bits, as two rounds of FNV-1a with different beginnings. Source: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashOf(text: string): string {
  let [a, b] = [0x811c9dc5, 0x1b873593];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x01000193) ^ (b >>> 15);
  }
  return `${a >>> 0} ${b >>> 0}`;
}
