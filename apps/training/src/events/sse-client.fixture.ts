import { get, type IncomingMessage } from 'node:http';

/** One frame of a `text/event-stream`; what a frame lacks is absent. */
export interface Frame {
  id?: string;
  event?: string;
  data?: string;
  retry?: string;
  comment?: string;
}

/** Follows a stream over a connection of its own, and keeps all its frames. */
export class SseClient {
  readonly frames: Frame[] = [];
  /** Resolves when the server has ended the stream, or the client has left. */
  readonly ended: Promise<void>;

  private constructor(readonly response: IncomingMessage) {
    this.ended = this.read();
  }

  static async open(url: string, key: string, headers: Record<string, string> = {}): Promise<SseClient> {
    const all = { authorization: `Bearer ${key}`, accept: 'text/event-stream', ...headers };
    return new Promise((resolve, reject) => {
      get(url, { headers: all, agent: false }, (response) => resolve(new SseClient(response))).once('error', reject);
    });
  }

  get status(): number | undefined {
    return this.response.statusCode;
  }

  /** Frames with an id. */
  get events(): Frame[] {
    return this.frames.filter(({ id }) => id !== undefined);
  }

  get statuses(): { status: string }[] {
    return this.frames.filter(({ event }) => event === 'status').map(({ data }) => JSON.parse(data as string));
  }

  leave(): void {
    this.response.destroy();
  }

  private async read(): Promise<void> {
    let text = '';
    this.response.setEncoding('utf8');
    try {
      for await (const chunk of this.response) {
        const frames = (text + chunk).split('\n\n');
        text = frames.pop() as string;
        for (const frame of frames) this.frames.push(toFrame(frame));
      }
    } catch (error) {
      if (!this.response.destroyed) throw error;
    }
  }
}

function toFrame(text: string): Frame {
  const frame: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const [, name, value] = /^([a-z]*): ?(.*)$/.exec(line) ?? ['', 'unreadable', line];
    frame[name === '' ? 'comment' : name] = value as string;
  }
  return frame;
}
