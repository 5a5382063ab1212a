import { setTimeout as sleep } from 'node:timers/promises';

import { aRequest, freshPrompts } from './serving.mjs';

const PROMPT_TOKENS = 64;
const ANSWER_TOKENS = 900;
/** Aborted answers end within one token; until then the engine is busy. */
const END_MS = 100;

/**
 * Endless streams: each ends at its length and starts anew with another prompt. Every token shows at once, because
 * only printable ones may come.
 */
export class Streams {
  /** Since the last {@link takeGaps}: per stream the times between its tokens, in milliseconds. */
  #gaps = [];
  #tokens = 0;
  #isStopped = false;
  #running;

  constructor(serving, count) {
    const next = () => freshPrompts(1, PROMPT_TOKENS, serving.vocabSize)[0];
    this.#running = Array.from({ length: count }, () => this.#stream(serving, next));
  }

  /** Times between tokens of each stream since the last call, all streams together. */
  takeGaps() {
    const gaps = this.#gaps;
    this.#gaps = [];
    return gaps;
  }

  get tokens() {
    return this.#tokens;
  }

  async stop() {
    this.#isStopped = true;
    await Promise.all(this.#running);
    await sleep(END_MS);
  }

  async #stream({ engine, base, printable }, nextPrompt) {
    while (!this.#isStopped) {
      const request = aRequest(nextPrompt(), ANSWER_TOKENS, { temperature: 1, allowedTokenIds: printable });
      await this.#read(engine.generate({ base, checkpoint: null }, request));
    }
  }

  async #read(events) {
    let before;
    for await (const { kind } of events) {
      if (this.#isStopped) return;
      if (kind !== 'text') continue;
      const now = performance.now();
      if (before !== undefined) this.#gaps.push(now - before);
      before = now;
      this.#tokens += 1;
    }
  }
}
