import type { TourConfig } from '../config/tour.config.js';

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

export type Method = 'GET' | 'POST' | 'DELETE' | 'PUT';

/** Plain HTTP with a key: what a user's own script would do. Trace endpoints take Basic, the others Bearer. */
export class HoneClient {
  constructor(private readonly config: TourConfig) {}

  get<T>(path: string): Promise<T> {
    return this.send('GET', path);
  }

  post<T>(path: string, body: unknown): Promise<T> {
    return this.send('POST', path, body);
  }

  /** A file as it is. */
  upload<T>(path: string, text: string, type: string): Promise<T> {
    return this.exchange('POST', path, text, type);
  }

  /** @throws HoneError any answer but 200 */
  send<T>(method: Method, path: string, body?: unknown): Promise<T> {
    return this.exchange(method, path, body === undefined ? undefined : JSON.stringify(body), 'application/json');
  }

  private async exchange<T>(method: Method, path: string, body: string | undefined, type: string): Promise<T> {
    const headers = {
      authorization: this.authorizationFor(path),
      ...(body === undefined ? {} : { 'content-type': type }),
    };
    const response = await fetch(this.config.url + path, { method, headers, body });
    const text = await response.text();
    if (response.status !== 200) throw new HoneError(response.status, `${method} ${path}`, text);
    return JSON.parse(text) as T;
  }

  private authorizationFor(path: string): string {
    const { apiKey } = this.config;
    return path.startsWith('/v1/') ? `Bearer ${apiKey}` : `Basic ${Buffer.from(`api:${apiKey}`).toString('base64')}`;
  }
}
