import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { requestFile, type HubResponse } from './hub-response.js';
import { HubFileMissingError, HubUnavailableError } from './hub.errors.js';

export interface HubClientOptions {
  /** Default https://huggingface.co. */
  readonly baseUrl?: string;
  /** Bearer token for models that are not public. */
  readonly token?: string | null;
  /** Largest file that is taken. Default 32 GiB. */
  readonly maxFileBytes?: number;
  /** How long the hub may be silent before an answer begins. Default 30 s. */
  readonly answerTimeoutMs?: number;
}

export const DEFAULT_HUB_URL = 'https://huggingface.co';

/** Takes single files of models from a hub with Hugging Face's paths. */
export class HubClient {
  private readonly baseUrl: string;
  private readonly maxFileBytes: number;

  constructor(private readonly options: HubClientOptions = {}) {
    this.baseUrl = (options.baseUrl ?? DEFAULT_HUB_URL).replace(/\/+$/, '');
    this.maxFileBytes = options.maxFileBytes ?? 32 * 1024 ** 3;
  }

  /**
   * Downloads `file` of the model's main revision to `path`, which exists afterwards as a whole or not at all. A file
   * that is there already is kept.
   *
   * @param signal ends the download, with its own reason as the error
   * @throws HubFileMissingError the hub has no such model or file, or hides it
   * @throws HubUnavailableError the hub cannot be reached, fails, or sends something else than it announced
   */
  async download(id: string, file: string, path: string, signal?: AbortSignal): Promise<void> {
    if (await exists(path)) return;
    const answer = await this.request(id, file, signal);
    await mkdir(dirname(path), { recursive: true });
    const temporary = join(dirname(path), `.${randomUUID()}.part`);
    try {
      await this.save(answer, file, temporary, signal);
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  private async request(id: string, file: string, signal?: AbortSignal): Promise<HubResponse> {
    // Silence is limited up to the headers; the body of a large file may take hours.
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), this.options.answerTimeoutMs ?? 30_000);
    const either = AbortSignal.any([silence.signal, ...(signal ? [signal] : [])]);
    try {
      const url = `${this.baseUrl}/${id}/resolve/main/${file}`;
      const answer = await requestFile(url, this.options.token ?? null, either);
      const { status, ok, body } = answer.response;
      if (ok && body) return answer;
      await body?.cancel();
      if ([401, 403, 404].includes(status)) throw new HubFileMissingError(id, file, status);
      throw new HubUnavailableError(this.baseUrl, `it answered ${file} with ${status}`);
    } catch (error) {
      throw this.explain(error, signal);
    } finally {
      clearTimeout(timer);
    }
  }

  private async save(answer: HubResponse, file: string, path: string, signal?: AbortSignal): Promise<void> {
    if ((answer.bytes ?? 0) > this.maxFileBytes) throw this.tooLarge(file);
    const hash = createHash('sha256');
    const handle = await open(path, 'wx');
    let bytes = 0;
    try {
      for await (const chunk of answer.response.body as unknown as AsyncIterable<Uint8Array>) {
        bytes += chunk.byteLength;
        if (bytes > this.maxFileBytes) throw this.tooLarge(file);
        hash.update(chunk);
        await handle.writeFile(chunk);
      }
      await handle.sync();
    } catch (error) {
      throw this.explain(error, signal);
    } finally {
      await handle.close();
    }
    this.assertAsAnnounced(answer, file, bytes, hash.digest('hex'));
  }

  private assertAsAnnounced(answer: HubResponse, file: string, bytes: number, sha256: string): void {
    if (answer.bytes !== null && bytes !== answer.bytes) {
      throw new HubUnavailableError(this.baseUrl, `${file} has ${bytes} bytes, announced were ${answer.bytes}`);
    }
    if (answer.sha256 !== null && sha256 !== answer.sha256) {
      throw new HubUnavailableError(this.baseUrl, `${file} is not what was announced: its SHA-256 differs`);
    }
  }

  private tooLarge(file: string): HubUnavailableError {
    return new HubUnavailableError(this.baseUrl, `${file} is larger than the ${this.maxFileBytes} bytes allowed`);
  }

  private explain(error: unknown, signal?: AbortSignal): unknown {
    if (signal?.aborted) return signal.reason;
    if (error instanceof HubUnavailableError || error instanceof HubFileMissingError) return error;
    if ((error as NodeJS.ErrnoException).syscall === 'write') return error;
    return new HubUnavailableError(this.baseUrl, 'it cannot be reached', { cause: error });
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
