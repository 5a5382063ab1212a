/** An event of a streamed message. */
export interface MessageEvent {
  readonly type: string;
  readonly index?: number;
  readonly content_block?: { readonly type: string };
  readonly delta?: { readonly type?: string };
  readonly [member: string]: unknown;
}

/** The events of a body, each of which is named by its type. */
export function eventsOf(body: string): MessageEvent[] {
  return body
    .split('\n\n')
    .filter((frame) => frame !== '')
    .map((frame) => {
      const [, name, data] = /^event: (\w+)\ndata: ([^\n]*)$/.exec(frame) ?? [];
      const event = JSON.parse(data ?? 'null') as MessageEvent | null;
      if (event === null || event.type !== name) throw new Error(`This is no event: ${frame}`);
      return event;
    });
}

/** Deltas that a block takes. */
const DELTAS: Readonly<Record<string, readonly string[]>> = {
  text: ['text_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  tool_use: ['input_json_delta'],
};

/**
 * What is wrong with the events of a whole message, by
 * https://platform.claude.com/docs/en/build-with-claude/streaming; null: nothing.
 */
export function grammarErrorOf(events: readonly MessageEvent[]): string | null {
  let state: 'before' | 'between' | 'in block' | 'ended' | 'stopped' = 'before';
  let blocks = 0;
  let kind = '';
  for (const [at, { type, index, content_block: block, delta }] of events.entries()) {
    const wrong = `Event ${at} (${type}) is wrong ${state}.`;
    if (type === 'message_start' && state === 'before') state = 'between';
    else if (type === 'content_block_start' && state === 'between' && index === blocks) {
      state = 'in block';
      kind = block?.type ?? '';
    } else if (type === 'content_block_delta' && state === 'in block' && index === blocks) {
      if (!DELTAS[kind]?.includes(delta?.type ?? '')) return wrong;
    } else if (type === 'content_block_stop' && state === 'in block' && index === blocks) {
      state = 'between';
      blocks++;
    } else if (type === 'message_delta' && state === 'between') state = 'ended';
    else if (type === 'message_stop' && state === 'ended') state = 'stopped';
    else return wrong;
  }
  return state === 'stopped' ? null : `The events end ${state}.`;
}
