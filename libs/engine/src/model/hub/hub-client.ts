import { createHash, type Hash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { HubFileMissingError, HubUnavailableError } from './hub.errors.js';
import { type HubResponse, requestFile } from './hub-response.js';
import { PartialFile } from './partial-file.js';

export interface HubClientOptions {
  /** Default https://huggingface.co. */
  readonly baseUrl?: string;
  /** Bearer token for models that are not public. */
  readonly token?: string | null;
  /** Largest file that is taken. Default 32 GiB. */
  readonly maxFileBytes?: number;
  /** How long the hub may be silent before an answer begins. Default 30 s. */
  readonly answerTimeoutMs?: number;
  /** Called for each chunk that arrives. */
  readonly onProgress?: (progress: DownloadProgress) => void;
}

/** Progress of the download of a file. */
export interface DownloadProgress {
  readonly file: string;
  /** Those of earlier downloads included. */
  readonly bytes: number;
  /** Null: not announced. */
  readonly total: number | null;
}

interface Saving {
  readonly answer: HubResponse;
  readonly file: string;
  /** Receives the body. */
  readonly handle: FileHandle;
  /** Of what is before it. */
  readonly hash: Hash;
}

const RANGE_NOT_SATISFIABLE = 416;
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
   * that is there already is kept. What has come of a file with an announced SHA-256 is kept, too, when the rest fails:
   * the next download goes on from there.
   *
   * @param signal ends the download, with its own reason as the error
   * @throws HubFileMissingError the hub has no such model or file, or hides it
   * @throws HubUnavailableError the hub cannot be reached, fails, or sends something else than it announced
   */
  async download(id: string, file: string, path: string, signal?: AbortSignal): Promise<void> {
    if (await exists(path)) return;
    const left = await PartialFile.takeOver(path);
    try {
      const answer = await this.requestRest(id, file, left, signal);
      await mkdir(dirname(path), { recursive: true });
      const isRest = left !== null && isRestOf(left, answer);
      if (!isRest) await left?.remove();
      if (answer.sha256 === null) await this.saveWhole(answer, file, path, signal);
      else await this.savePart(answer, file, path, isRest ? left : PartialFile.fresh(path, answer.sha256), signal);
    } finally {
      left?.leave();
    }
  }

  /** Of the file, what is not there yet; all of it where that cannot be had. */
  private async requestRest(
    id: string,
    file: string,
    left: PartialFile | null,
    signal?: AbortSignal,
  ): Promise<HubResponse> {
    if (left === null) return this.request(id, file, 0, signal);
    try {
      const answer = await this.request(id, file, left.bytes, signal);
      if (answer.first === 0 || isRestOf(left, answer)) return answer;
      await answer.response.body?.cancel();
    } catch (error) {
      if (!(error instanceof HubUnavailableError && error.status === RANGE_NOT_SATISFIABLE)) throw error;
    }
    return this.request(id, file, 0, signal);
  }

  private async request(id: string, file: string, from: number, signal?: AbortSignal): Promise<HubResponse> {
    // Silence is limited up to the headers; the body of a large file may take hours.
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), this.options.answerTimeoutMs ?? 30_000);
    const either = AbortSignal.any([silence.signal, ...(signal ? [signal] : [])]);
    try {
      const url = `${this.baseUrl}/${id}/resolve/main/${file}`;
      const answer = await requestFile(url, { token: this.options.token ?? null, from, signal: either });
      const { status, ok, body } = answer.response;
      if (ok && body) return answer;
      await body?.cancel();
      if ([401, 403, 404].includes(status)) throw new HubFileMissingError(id, file, status);
      throw new HubUnavailableError(this.baseUrl, `it answered ${file} with ${status}`, { status });
    } catch (error) {
      throw this.explain(error, signal);
    } finally {
      clearTimeout(timer);
    }
  }

  private async saveWhole(answer: HubResponse, file: string, path: string, signal?: AbortSignal): Promise<void> {
    const temporary = join(dirname(path), `.${randomUUID()}.part`);
    try {
      const handle = await open(temporary, 'wx');
      await this.save({ answer, file, handle, hash: createHash('sha256') }, signal);
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  private async savePart(
    answer: HubResponse,
    file: string,
    path: string,
    part: PartialFile,
    signal?: AbortSignal,
  ): Promise<void> {
    try {
      await this.save({ answer, file, ...(await part.open()) }, signal);
      await part.finish(path);
    } catch (error) {
      // A retry would meet the same difference from the announcement.
      if (error instanceof HubUnavailableError && error.isWrong) await part.remove();
      throw error;
    } finally {
      part.leave();
    }
  }

  private async save({ answer, file, handle, hash }: Saving, signal?: AbortSignal): Promise<void> {
    let bytes = answer.first;
    try {
      if ((answer.bytes ?? 0) > this.maxFileBytes) throw this.tooLarge(file);
      for await (const chunk of answer.response.body as unknown as AsyncIterable<Uint8Array>) {
        bytes += chunk.byteLength;
        if (bytes > this.maxFileBytes) throw this.tooLarge(file);
        hash.update(chunk);
        await handle.writeFile(chunk);
        this.options.onProgress?.({ file, bytes, total: answer.bytes });
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
      const reason = `${file} has ${bytes} bytes, announced were ${answer.bytes}`;
      throw new HubUnavailableError(this.baseUrl, reason, { isWrong: bytes > answer.bytes });
    }
    if (answer.sha256 !== null && sha256 !== answer.sha256) {
      const reason = `${file} is not what was announced: its SHA-256 differs`;
      throw new HubUnavailableError(this.baseUrl, reason, { isWrong: true });
    }
  }

  private tooLarge(file: string): HubUnavailableError {
    const reason = `${file} is larger than the ${this.maxFileBytes} bytes allowed`;
    return new HubUnavailableError(this.baseUrl, reason, { isWrong: true });
  }

  private explain(error: unknown, signal?: AbortSignal): unknown {
    if (signal?.aborted) return signal.reason;
    if (error instanceof HubUnavailableError || error instanceof HubFileMissingError) return error;
    if ((error as NodeJS.ErrnoException).syscall === 'write') return error;
    return new HubUnavailableError(this.baseUrl, 'it cannot be reached', { cause: error });
  }
}

const isRestOf = (left: PartialFile, { sha256, first }: HubResponse): boolean =>
  sha256 === left.sha256 && first === left.bytes;

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
