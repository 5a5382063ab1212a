interface Frame {
  model?: string;
  id?: string;
  choices?: { delta?: { content?: string }; message?: { content?: string }; finish_reason: string | null }[];
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
  error?: { message: string; type: string; code: string };
}

/** Response of one chat request, as bytes of the connection. */
export class GatewayAnswer {
  constructor(
    readonly status: number,
    readonly headers: Headers,
    /** The body, unchanged. */
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
    return this.choices.flatMap(({ finish_reason: reason }) => (reason ? [reason] : []));
  }

  /** Number of `[DONE]` lines of a stream. */
  get dones(): number {
    return this.body.split('\n\n').filter((frame) => frame === 'data: [DONE]').length;
  }

  /** `error.code` of the body, or of the last frame; null: no error. */
  get errorCode(): string | null {
    return this.frames.at(-1)?.error?.code ?? null;
  }

  /** The answer looks complete: its last byte has arrived, and it ends as a success does. */
  get isWhole(): boolean {
    if (this.status !== 200) return false;
    return this.isStream ? this.body.endsWith('data: [DONE]\n\n') : this.errorCode === null;
  }

  private get choices() {
    return this.frames.flatMap(({ choices = [] }) => choices);
  }
}
