import { isJsonObject } from '@hone/client';

import { type Loose, toArguments, toContent } from './blocks.js';

/** An answer while its items are gathered: a response has what was thought, said and called as items of their own. */
interface Gathered extends Record<string, unknown> {
  readonly role: 'assistant';
  content: unknown;
  reasoning?: string;
  tool_calls?: Loose[];
}

/** The messages of chat completions that the items of a response, or of its input, are. */
export function fromItems(items: readonly Loose[]): Loose[] {
  const gatherer = new Gatherer();
  items.forEach((item) => gatherer.take(item));
  return gatherer.messages;
}

class Gatherer {
  readonly messages: Loose[] = [];
  /** null: the next item of an answer begins one. */
  private open: Gathered | null = null;

  take(item: Loose): void {
    const type = typeof item['type'] === 'string' ? item['type'] : '';
    if (type === 'reasoning') {
      // A new thought begins a new answer.
      const answer = this.answer((open) => open.content === null && !open.tool_calls);
      answer.reasoning = [answer.reasoning, thoughtOf(item)].filter(Boolean).join('\n');
    } else if (type.endsWith('_call')) {
      const answer = this.answer(() => true);
      answer.tool_calls = [...(answer.tool_calls ?? []), toCall(item, type)];
    } else if (item['role'] === 'assistant') {
      this.answer((open) => open.content === null).content = item['content'];
    } else {
      this.open = null;
      this.messages.push(
        type.endsWith('_call_output')
          ? { role: 'tool', tool_call_id: item['call_id'], content: toContent(item['output']) }
          : item,
      );
    }
  }

  /** The open answer, or a new one where it has no room. */
  private answer(hasRoom: (open: Gathered) => boolean): Gathered {
    if (this.open !== null && hasRoom(this.open)) return this.open;
    this.open = { role: 'assistant', content: null };
    this.messages.push(this.open);
    return this.open;
  }
}

/** Calls of functions and custom tools, and those of tools that the server runs itself. */
const toCall = ({ call_id, id, name, arguments: args, input, action }: Loose, type: string): Loose => ({
  ...{ id: call_id ?? id, type: 'function' },
  function: { name: name ?? type.replace(/_call$/, ''), arguments: toArguments(args ?? input ?? action) },
});

const thoughtOf = ({ summary, content }: Loose): string =>
  [summary, content]
    .flatMap((parts) => (Array.isArray(parts) ? parts.filter(isJsonObject) : []))
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .filter(Boolean)
    .join('\n');
