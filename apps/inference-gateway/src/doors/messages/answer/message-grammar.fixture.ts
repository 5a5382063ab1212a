/** An event of a streamed message. */
interface MessageEvent {
  readonly type: string;
  readonly index?: number;
  readonly content_block?: Block;
  readonly delta?: { readonly type?: string; readonly text?: string };
  readonly error?: { readonly details?: { readonly error_code?: string } };
}

interface Block {
  readonly type: string;
  text?: string;
}

/** Deltas that a block takes. */
const DELTAS: Readonly<Record<string, readonly string[]>> = {
  text: ['text_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  tool_use: ['input_json_delta'],
};

/**
 * Checks a stream of events against the grammar of Anthropic's Messages, see
 * https://platform.claude.com/docs/en/build-with-claude/streaming; throws at the first event that breaks it.
 */
export class MessageGrammar {
  readonly events: MessageEvent[] = [];
  /** Blocks so far, of which texts have their text. */
  readonly message: Block[] = [];
  errorCode: string | null = null;
  private state: 'before' | 'between' | 'in block' | 'ended' | 'stopped' | 'failed' = 'before';

  static of(stream: string): MessageGrammar {
    const grammar = new MessageGrammar();
    for (const frame of stream.split('\n\n')) {
      if (frame === '' || frame.startsWith(':')) continue;
      const [, name, data] = /^event: (\w+)\ndata: ([^\n]*)$/.exec(frame) ?? [];
      const event = JSON.parse(data ?? 'null') as MessageEvent | null;
      if (event === null || event.type !== name) throw new Error(`This is no event: ${frame}`);
      grammar.read(event);
    }
    return grammar;
  }

  /** Type of the last event. */
  get end(): string | undefined {
    return this.events.at(-1)?.type;
  }

  private read(event: MessageEvent): void {
    if (!this.takes(event)) throw new Error(`${event.type} comes as event ${this.events.length}, ${this.state}.`);
    this.events.push(event);
  }

  /** @returns false: the event may not come now */
  private takes({ type, index, content_block: block, delta, error }: MessageEvent): boolean {
    switch (type) {
      case 'message_start':
        return this.go('before', 'between');
      case 'content_block_start':
        if (index !== this.message.length || block === undefined) return false;
        this.message.push({ ...block });
        return this.go('between', 'in block');
      case 'content_block_delta':
        return this.isOpen(index) && this.add(delta ?? {});
      case 'content_block_stop':
        return this.isOpen(index) && this.go('in block', 'between');
      case 'message_delta':
        return this.go('between', 'ended');
      case 'message_stop':
        return this.go('ended', 'stopped');
      case 'error':
        this.errorCode = error?.details?.error_code ?? null;
        return this.state !== 'stopped' && this.go(this.state, 'failed');
      default:
        return false;
    }
  }

  private go(from: typeof this.state, to: typeof this.state): boolean {
    if (this.state !== from || from === 'failed') return false;
    this.state = to;
    return true;
  }

  private isOpen(index: number | undefined): boolean {
    return this.state === 'in block' && index === this.message.length - 1;
  }

  private add({ type = '', text }: { type?: string; text?: string }): boolean {
    const block = this.message.at(-1);
    if (block === undefined || !DELTAS[block.type]?.includes(type)) return false;
    if (text !== undefined) block.text += text;
    return true;
  }
}
