import { Hone, type HoneOptions } from '@hone/client';

const LONGEST_LINE = 160;

/** Narrates a series of requests: each is shown as its line, with what matters of its body and of the answer. */
export class Narrator {
  /** For requests that are not narrated. */
  readonly hone: Hone;
  private readonly narrated: Hone;

  constructor(
    options: HoneOptions,
    private readonly show: (text: string) => void,
  ) {
    this.hone = new Hone(options);
    this.narrated = new Hone({ ...options, fetch: (input, init) => this.showAndFetch(String(input), init) });
  }

  chapter(title: string): void {
    this.show(`\n== ${title}`);
  }

  say(text: string): void {
    this.show(text);
  }

  /**
   * Sends a request.
   *
   * @param why one sentence in front of it
   * @param send sends it with the client given
   * @param pick what is shown of the answer; default: all
   * @returns the whole answer
   */
  async request<T>(
    why: string,
    send: (hone: Hone) => Promise<T>,
    pick: (answer: T) => unknown = (answer) => answer,
  ): Promise<T> {
    this.show(`\n${why}`);
    const answer = await send(this.narrated);
    this.show(`  -> ${shorten(JSON.stringify(pick(answer)))}`);
    return answer;
  }

  private showAndFetch(url: string, init: RequestInit = {}): Promise<Response> {
    const { pathname, search } = new URL(url);
    const body = typeof init.body === 'string' ? ` ${shorten(init.body)}` : '';
    this.show(`  ${init.method} ${pathname}${search}${body}`);
    return fetch(url, init);
  }
}

/** On one line. */
function shorten(text: string): string {
  const line = text.replaceAll('\n', ' ');
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}
