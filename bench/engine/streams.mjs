import { setTimeout as sleep } from 'node:timers/promises';

import { aRequest, freshPrompts } from './serving.mjs';

const PROMPT_TOKENS = 64;
const ANSWER_TOKENS = 900;
/** Aborted answers end within one token; until then the engine is busy. */
const END_MS = 100;

/**
 * Endless streams: each ends at its length and starts anew with another prompt, at a time of its own: prompts that all
 * come together would look like a pause of whatever is measured then. Every token shows at once, because only printable
 * ones may come.
 */
export class Streams {
  /** Since the last {@link takeGaps}: per stream the times between its tokens, in milliseconds. */
  #gaps = [];
  #tokens = 0;
  #isStopped = false;
  #running;

  constructor(serving, count) {
    const next = () => freshPrompts(1, PROMPT_TOKENS, serving.vocabSize)[0];
    const lengthOf = (index) => Math.ceil((ANSWER_TOKENS * (index + 1)) / count);
    this.#running = Array.from({ length: count }, (_, index) => this.#stream(serving, next, lengthOf(index)));
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

  async #stream({ engine, base, printable }, nextPrompt, firstTokens) {
    for (let tokens = firstTokens; !this.#isStopped; tokens = ANSWER_TOKENS) {
      const request = aRequest(nextPrompt(), tokens, { temperature: 1, allowedTokenIds: printable });
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
