import { HoneClient, type Method } from '../api/hone-client.js';

const LONGEST_LINE = 160;

/** Narrates a series of requests: each is shown as its line, with what matters of its body and of the answer. */
export class Narrator {
  constructor(
    readonly client: HoneClient,
    private readonly show: (text: string) => void,
  ) {}

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
   * @param pick what is shown of the answer
   * @returns the whole answer
   */
  async request<T>(why: string, method: Method, path: string, body: unknown, pick: (answer: T) => unknown): Promise<T> {
    this.show(`\n${why}`);
    this.show(`  ${method} ${path}${body === undefined ? '' : ` ${shorten(body)}`}`);
    const answer = await this.client.send<T>(method, path, body);
    this.show(`  -> ${shorten(pick(answer))}`);
    return answer;
  }
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
}
