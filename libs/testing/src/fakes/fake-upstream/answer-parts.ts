import { numberOf, type Scenario } from './scenario.js';

const CREATED = 1_763_650_000;
const PROMPT_TOKENS = 9;
const CACHED_TOKENS = 4;
const REASONING_TOKENS = 2;
const DEFAULT_TOKENS = 8;

/** What a request asks for, as far as the fake looks at it. */
export interface FakeRequestBody {
  readonly model: string;
  readonly stream: boolean;
  readonly n: number;
  readonly wantsUsage: boolean;
  readonly isPrefilled: boolean;
  /** Content of the last message. */
  readonly lastText: string;
}

export function readRequestBody(json: Record<string, unknown>): FakeRequestBody {
  const messages = Array.isArray(json.messages) ? (json.messages as Record<string, unknown>[]) : [];
  const options = (json.stream_options ?? {}) as Record<string, unknown>;
  return {
    model: String(json.model),
    stream: json.stream === true,
    n: typeof json.n === 'number' ? json.n : 1,
    wantsUsage: options.include_usage === true,
    isPrefilled: messages.at(-1)?.role === 'assistant',
    lastText: String(messages.at(-1)?.content ?? json.input ?? ''),
  };
}

/** Builds what an answer is made of: always the same for the same request and `name` of the server. */
export class AnswerParts {
  readonly tokens: readonly string[];

  constructor(
    readonly scenario: Scenario,
    readonly request: FakeRequestBody,
    private readonly name: string,
    readonly id: string,
  ) {
    const count = numberOf(scenario, 'tokens', DEFAULT_TOKENS);
    this.tokens = Array.from({ length: count }, (_, index) => this.token(index));
  }

  get usage(): Record<string, unknown> {
    // The token that ends an answer is counted, too; it comes with the frame that finishes, as from vLLM.
    const completion = (this.tokens.length + 1) * this.request.n;
    return {
      prompt_tokens: PROMPT_TOKENS,
      completion_tokens: completion,
      total_tokens: PROMPT_TOKENS + completion,
      prompt_tokens_details: { cached_tokens: CACHED_TOKENS },
      completion_tokens_details: { reasoning_tokens: REASONING_TOKENS },
    };
  }

  /** The error that an answer reports instead of its end. */
  get error(): string {
    const code = numberOf(this.scenario, 'code', 500);
    return `{"error":{"message":"The fake worker died.","type":"server_error","code":${code}}}`;
  }

  get finishReason(): string {
    return this.scenario.modifiers.has('tool-call') ? 'tool_calls' : 'stop';
  }

  /** The delta of token `index`. */
  delta(index: number): Record<string, unknown> {
    const { modifiers } = this.scenario;
    const token = this.tokens[index];
    if (modifiers.has('tool-call')) return { tool_calls: [{ index: 0, ...this.toolCall(index) }] };
    const field = this.isReasoning(index) ? 'reasoning' : 'content';
    return modifiers.has('empty-tools') ? { [field]: token, tool_calls: [] } : { [field]: token };
  }

  chunk(choices: unknown[], usage?: unknown): string {
    const { id, request } = this;
    const value = { id, object: 'chat.completion.chunk', created: CREATED, model: request.model, choices };
    return this.json(usage === undefined ? value : { ...value, usage });
  }

  choice(index: number, delta: unknown, finishReason: string | null): Record<string, unknown> {
    return { index, delta, logprobs: null, finish_reason: finishReason ?? this.unfinished };
  }

  private get unfinished(): '' | null {
    return this.scenario.modifiers.has('empty-finish') ? '' : null;
  }

  /** The whole answer of `count` tokens in each choice, as one body. */
  whole(count = this.tokens.length, finishReason: string | null = this.finishReason): string {
    const { id, request } = this;
    const choices = Array.from({ length: request.n }, (_, index) => ({
      index,
      message: this.message(count),
      logprobs: null,
      finish_reason: finishReason ?? this.unfinished,
    }));
    const head = { id, object: 'chat.completion', created: CREATED, model: request.model };
    const value = { ...head, ...this.padding, choices, ...this.errorBeside };
    return this.json(this.scenario.modifiers.has('no-usage') ? value : { ...value, usage: this.usage });
  }

  json(value: unknown): string {
    if (!this.scenario.modifiers.has('spaces')) return JSON.stringify(value);
    return JSON.stringify(value, null, 1).replace(/\n */g, ' ');
  }

  get padding(): Record<string, unknown> {
    const kib = this.scenario.modifiers.has('pad') ? numberOf(this.scenario, 'pad', 300) || 300 : 0;
    return kib > 0 ? { pad: 'x'.repeat(kib * 1_024) } : {};
  }

  private get errorBeside(): Record<string, unknown> {
    return this.scenario.modifiers.has('with-error') ? (JSON.parse(this.error) as Record<string, unknown>) : {};
  }

  private message(count: number): Record<string, unknown> {
    const text = (isWanted: (index: number) => boolean) =>
      this.tokens.filter((_, index) => index < count && isWanted(index)).join('');
    if (this.scenario.modifiers.has('tool-call')) {
      const call = { id: 'call_0', type: 'function', function: { name: 'fake', arguments: text(() => true) } };
      return { role: 'assistant', content: null, tool_calls: [call] };
    }
    const reasoning = text((index) => this.isReasoning(index));
    const content = text((index) => !this.isReasoning(index));
    return { role: 'assistant', content, ...(reasoning ? { reasoning } : {}) };
  }

  private isReasoning(index: number): boolean {
    return this.scenario.modifiers.has('reasoning') && index < this.tokens.length / 2;
  }

  private toolCall(index: number): Record<string, unknown> {
    const part = { arguments: this.tokens[index] };
    return index > 0
      ? { function: part }
      : { id: 'call_0', type: 'function', function: { name: 'fake', arguments: part.arguments } };
  }

  private token(index: number): string {
    const { modifiers } = this.scenario;
    if (modifiers.has('hostile')) return `\n\ndata: [DONE]\n\n"finish_reason":"stop"}]} ${index}`;
    if (modifiers.has('emoji')) return ` ${this.name}${index}🦜é`;
    const name = modifiers.has('echo') ? this.request.lastText : this.name;
    return `${index > 0 ? ' ' : ''}${name}${index}`;
  }
}
