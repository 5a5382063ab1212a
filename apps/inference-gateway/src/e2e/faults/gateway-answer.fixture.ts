interface Frame {
  model?: string;
  id?: string;
  choices?: { delta?: { content?: string }; message?: { content?: string }; finish_reason: string | null }[];
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
  error?: { message: string; type: string; code: string };
}

/** What came back over the connection for one chat request. */
export class GatewayAnswer {
  constructor(
    readonly status: number,
    readonly headers: Headers,
    /** The body as it came. */
    readonly body: string,
  ) {}

  get isStream(): boolean {
    return this.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  }

  /** A stream's frames without `[DONE]` and comments; otherwise the body. */
  get frames(): Frame[] {
    if (!this.isStream) return [JSON.parse(this.body) as Frame];
    return this.body
      .split('\n\n')
      .filter((frame) => frame.startsWith('data: {'))
      .map((frame) => JSON.parse(frame.slice('data: '.length)) as Frame);
  }

  get text(): string {
    return this.choices.map(({ delta, message }) => delta?.content ?? message?.content ?? '').join('');
  }

  get finishReasons(): string[] {
    return this.choices.flatMap(({ finish_reason: reason }) => (reason === null ? [] : [reason]));
  }

  /** How often a stream says that it is done. */
  get dones(): number {
    return this.body.split('\n\n').filter((frame) => frame === 'data: [DONE]').length;
  }

  /** `error.code` of the body, or of the last frame; null: there is none. */
  get errorCode(): string | null {
    return this.frames.at(-1)?.error?.code ?? null;
  }

  /** The answer claims to be whole: its last byte has been seen, and it ends as a success does. */
  get isWhole(): boolean {
    if (this.status !== 200) return false;
    return this.isStream ? this.body.endsWith('data: [DONE]\n\n') : this.errorCode === null;
  }

  private get choices() {
    return this.frames.flatMap(({ choices = [] }) => choices);
  }
}
