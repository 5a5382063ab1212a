import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

import { UrlForbiddenError as ForbiddenError, UrlGuard } from '@hone/platform/url-guard';
import { type Dispatcher, request } from 'undici';

import { type DownloadConfig, HOSTS_VARIABLE } from '../config/trainer.config.js';
import {
  DataEncodingError,
  DataError,
  DataTooLargeError,
  UrlForbiddenError,
  UrlRefusedError,
  UrlUnavailableError,
} from './data.errors.js';
import { byteLimit, decodersOf, unpackFile } from './unpack.js';

const MAX_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];
/** Statuses of servers that are overloaded or restarting: a retry may succeed. */
const BUSY = [408, 425, 429];
const CONNECT_TIMEOUT_MS = 10_000;

/** Fetches training data from other, untrusted servers. */
export class Downloader {
  constructor(
    private readonly config: DownloadConfig,
    private readonly guard = new UrlGuard(config, HOSTS_VARIABLE),
  ) {}

  /**
   * Downloads an address into a new file, and decompresses gzip, whether it is the content coding or the file itself.
   *
   * @throws UrlForbiddenError, UrlRefusedError, UrlUnavailableError, DataTooLargeError, DataEncodingError
   * @throws the reason of `signal`
   */
  async download(address: string, path: string, signal: AbortSignal): Promise<void> {
    const timeout = AbortSignal.timeout(this.config.timeoutMs);
    const either = AbortSignal.any([signal, timeout]);
    try {
      await this.follow(toUrl(address), path, either, 0);
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted) throw new UrlUnavailableError(`it took more than ${this.config.timeoutMs / 1000} s`);
      throw asDataError(error);
    }
  }

  private async follow(url: URL, path: string, signal: AbortSignal, redirects: number): Promise<void> {
    const agent = this.guard.agentFor(url, CONNECT_TIMEOUT_MS);
    try {
      const answer = await request(url, { dispatcher: agent, signal, headers: { 'accept-encoding': 'gzip' } });
      const { location } = answer.headers;
      if (!REDIRECTS.includes(answer.statusCode) || typeof location !== 'string') {
        return await this.save(answer, path, signal);
      }
      if (redirects === MAX_REDIRECTS) throw new UrlForbiddenError(`more than ${MAX_REDIRECTS} redirects`);
      await this.follow(toUrl(location, url), path, signal, redirects + 1);
    } finally {
      await agent.destroy();
    }
  }

  private async save(answer: Dispatcher.ResponseData, path: string, signal: AbortSignal): Promise<void> {
    const { statusCode, headers, body } = answer;
    if (statusCode >= 500 || BUSY.includes(statusCode)) throw new UrlUnavailableError(`it answers ${statusCode}`);
    if (statusCode !== 200) throw new UrlRefusedError(statusCode);
    const { maxBytes } = this.config;
    if (Number(headers['content-length'] ?? 0) > maxBytes) throw new DataTooLargeError(`more than ${maxBytes} bytes`);
    const decoders = decodersOf(headers['content-encoding']);
    // The limit applies before and after decompression.
    const streams = decoders.flatMap((decoder) => [decoder, byteLimit(maxBytes)]);
    await pipeline([body, byteLimit(maxBytes), ...streams, createWriteStream(path)], { signal });
    await unpackFile(path, maxBytes, signal);
  }
}

function toUrl(address: string, base?: URL): URL {
  try {
    return new URL(address, base);
  } catch (error) {
    throw new UrlForbiddenError('it is not an address', { cause: error });
  }
}

/** A refusal inside the lookup comes back as the connection's error. File system errors stay what they are. */
function asDataError(error: unknown): unknown {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof DataError) return at;
    if (at instanceof ForbiddenError) return new UrlForbiddenError(at.message, { cause: at });
  }
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code?.startsWith('Z_') || code?.startsWith('ERR__'))
    return new DataEncodingError('it is damaged', { cause: error });
  if (syscall === 'write' && code !== 'EPIPE') return error;
  return new UrlUnavailableError(code ?? 'the connection broke', { cause: error });
}
