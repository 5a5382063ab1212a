import type { TourConfig } from '../tour.config.js';

/** Hone answered with another status than 200. */
export class HoneError extends Error {
  constructor(
    readonly status: number,
    request: string,
    body: string,
  ) {
    super(`${request} answered ${status}: ${body.slice(0, 500)}`);
  }
}

type Method = 'GET' | 'POST' | 'DELETE' | 'PUT';

/** Plain HTTP with a key: what a user's own script would do. */
export class HoneClient {
  constructor(private readonly config: TourConfig) {}

  get<T>(path: string): Promise<T> {
    return this.send('GET', path);
  }

  post<T>(path: string, body: unknown): Promise<T> {
    return this.send('POST', path, JSON.stringify(body));
  }

  /** A file as it is. */
  upload<T>(path: string, text: string, type: string): Promise<T> {
    return this.send('POST', path, text, type);
  }

  delete<T>(path: string, body?: unknown): Promise<T> {
    return this.send('DELETE', path, body === undefined ? undefined : JSON.stringify(body));
  }

  /** @throws HoneError any answer but 200 */
  private async send<T>(method: Method, path: string, body?: string, type = 'application/json'): Promise<T> {
    const { url, apiKey } = this.config;
    const headers = { authorization: `Bearer ${apiKey}`, ...(body === undefined ? {} : { 'content-type': type }) };
    const response = await fetch(url + path, { method, headers, body });
    const text = await response.text();
    if (response.status !== 200) throw new HoneError(response.status, `${method} ${path}`, text);
    return JSON.parse(text) as T;
  }
}
