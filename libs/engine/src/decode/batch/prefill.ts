import { rankOf, reported, topTokens } from '../sampling/log-probabilities.js';
import type { PromptTokenReport } from './generation-event.js';
import type { GenerationJob } from './generation-job.js';

/** Size of the predictions of one chunk, in floats, when all of them are requested: 64 MiB. */
const MAX_PREDICTED_FLOATS = 2 ** 24;

/** Chunked prefill: computes the KV cache of one job's prompt, chunk by chunk. */
export class Prefill {
  private readonly reports: (PromptTokenReport | null)[] = [null];
  private isStarted = false;

  constructor(readonly job: GenerationJob) {}

  /**
   * Computes the next chunk of the prompt. After the last chunk the job has its predictions and has emitted the
   * prompt event.
   *
   * @param maxTokens how many at most
   * @returns how many tokens were computed
   */
  async run(maxTokens: number): Promise<number> {
    const { job } = this;
    const { promptIds, promptLogProbabilities: top } = job.request;
    const { base, runner } = job.model;
    if (!this.isStarted) this.start();
    const from = job.readTokens;
    const limit = top === null ? maxTokens : Math.ceil(MAX_PREDICTED_FLOATS / base.config.vocabSize);
    const ids = promptIds.slice(from, from + Math.min(maxTokens, limit));
    const wanted = top === null ? [ids.length - 1] : ids.map((_, index) => index);
    const read = await runner.readPrompt(job.pieces, ids, wanted);
    job.pieces.push(read.keyValues);
    if (top !== null) this.reportTokens(read.logProbabilities, from, ids.length, top);
    if (from + ids.length === promptIds.length) {
      const last = wanted.length - 1;
      this.finish(read.logProbabilities, last, read.logPartition[last] as number);
    }
    return ids.length;
  }

  private start(): void {
    const { job } = this;
    this.isStarted = true;
    // The prefix cache holds no probabilities: a request for them computes the whole prompt.
    if (job.request.promptLogProbabilities !== null) return;
    job.pieces = job.model.base.prefixCache.find(job.prefixScope, job.request.promptIds);
    job.cachedTokens = job.readTokens;
  }

  private finish(logProbabilities: Float32Array, row: number, logPartition: number): void {
    const { job } = this;
    const { promptIds, promptLogProbabilities } = job.request;
    const { vocabSize } = job.model.base.config;
    job.model.base.prefixCache.store(job.prefixScope, promptIds, job.pieces);
    job.predictions = {
      logProbabilities: logProbabilities.slice(row * vocabSize, (row + 1) * vocabSize),
      logPartition,
    };
    const reports = promptLogProbabilities === null ? null : this.reports;
    const { cachedTokens } = job;
    job.emit([{ kind: 'prompt', promptTokens: promptIds.length, cachedTokens, logProbabilities: reports }]);
  }

  /** Row n of the predictions is about token `from + n + 1`. */
  private reportTokens(logProbabilities: Float32Array, from: number, count: number, top: number): void {
    const { promptIds } = this.job.request;
    const { vocabSize } = this.job.model.base.config;
    for (let row = 0; row < count; row += 1) {
      const id = promptIds[from + row + 1];
      if (id === undefined) return;
      const own = logProbabilities.subarray(row * vocabSize, (row + 1) * vocabSize);
      const logProbability = reported(own, id);
      this.reports.push({ id, logProbability, rank: rankOf(own, id), top: topTokens(own, top) });
    }
  }
}
