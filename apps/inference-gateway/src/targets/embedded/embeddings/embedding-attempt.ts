import type { AnswerReader, RunningAttempt, TokenUsage } from '../../target.js';
import { toTargetFailure } from '../engine-failure.js';
import type { EmbeddedEmbedder } from './embedded-embedder.js';
import type { PreparedEmbeddings } from './embedding-request.js';

/** A request for embeddings that runs on the embedded engine. */
export class EmbeddingAttempt implements RunningAttempt {
  private readonly abortion = new AbortController();
  private promptTokens = 0;

  constructor(
    private readonly embedder: EmbeddedEmbedder,
    private readonly prepared: Promise<PreparedEmbeddings>,
    private readonly reader: AnswerReader,
  ) {
    // The reader gets no call before `dispatch` has returned.
    queueMicrotask(() => void this.run());
  }

  /** Nothing is sent before the whole answer is there. */
  pause(): void {}

  resume(): void {}

  /** The batch under way is computed to its end, the rest is not. */
  abort(): void {
    this.abortion.abort(new Error('The attempt was aborted.'));
  }

  produced(): TokenUsage {
    const { promptTokens } = this;
    return { promptTokens, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0, source: 'engine' };
  }

  private async run(): Promise<void> {
    const { signal } = this.abortion;
    try {
      const { rows, format, dimensions } = await this.prepared;
      signal.throwIfAborted();
      this.promptTokens = rows.reduce((sum, { length }) => sum + length, 0);
      const { engine, model } = this.embedder;
      const embeddings = await engine.embed(model, rows, { format, dimensions, signal });
      if (signal.aborted) return;
      this.reader.onComplete({ bytes: this.body(embeddings), usage: this.produced(), oddities: [] });
    } catch (error) {
      if (!signal.aborted) this.reader.onFailure(toTargetFailure(error));
    }
  }

  /** @param embeddings the JSON of each */
  private body(embeddings: readonly string[]): Buffer {
    const items = embeddings.map(
      (embedding, index) => `{"object":"embedding","index":${index},"embedding":${embedding}}`,
    );
    const usage = { prompt_tokens: this.promptTokens, total_tokens: this.promptTokens };
    const tail = `"model":${JSON.stringify(this.embedder.id)},"usage":${JSON.stringify(usage)}}`;
    return Buffer.from(`{"object":"list","data":[${items.join()}],${tail}`);
  }
}
