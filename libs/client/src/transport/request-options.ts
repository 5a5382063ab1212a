/** What a raw upload may be: sent as it is, in the order of its bytes. */
export type RawBody = Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | string | ReadableStream<Uint8Array>;

/** Settings of one request. */
export interface RequestOptions {
  /** Ends the request; a stream that is being read ends with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Headers beside the client's own, for example `Hone-Project`. A header of the same name replaces the client's. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Most milliseconds until the whole answer, or the head of a stream. Default: that of the client. */
  readonly timeoutMs?: number;
  /** Most repetitions of a request that may be repeated. Default: that of the client. */
  readonly maxRetries?: number;
  /**
   * Key under which the server does the work once, 1 to 255 visible ASCII characters. Default: the client makes one
   * for each request that takes one, and keeps it over its retries.
   */
  readonly idempotencyKey?: string;
  /**
   * Reads an answer of JSON in place of the client, for example in a worker because it is large. The method returns what
   * it returns, whose type is then the caller's to name. An answer that is an error is never handed to it.
   */
  readonly read?: (response: Response) => Promise<unknown>;
}

/** Settings of a client. */
export interface HoneOptions {
  /** Address of Hone, for example `https://hone.example.com`; in a browser may be '' for the page's own. */
  readonly baseUrl: string;
  /** `hone-…`. Absent: requests carry no key, for example because a browser's session has a cookie. */
  readonly apiKey?: string;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Most milliseconds until a whole answer, or the head of a stream. Default: 600,000. */
  readonly timeoutMs?: number;
  /** Most repetitions of a request that may be repeated. Default: 2. */
  readonly maxRetries?: number;
  /**
   * `exact`: numbers that a double does not print back as they were written (`1.0`, 20 digits) are read as
   * `JsonNumber`s, which are written back unchanged. Default: `fast`, all numbers are doubles.
   */
  readonly json?: 'fast' | 'exact';
  /** Sends the requests. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}
