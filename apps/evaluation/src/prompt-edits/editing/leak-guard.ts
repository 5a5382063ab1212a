import { setImmediate } from 'node:timers/promises';

import type { JsonValue } from '@hone/contracts';

import { textsOf, wordsOf } from './words.js';

/** So many words in a row are copied, and not said by chance. */
const GRAM = 8;
/** Words after which others get their turn. */
const TURN = 2_000;

/**
 * Finds what an edit of a prompt has copied: eight words in a row that the original does not have. It takes time in proportion to what
 * is read, and holds up nobody.
 */
export class LeakGuard {
  private readonly ids = new Map<string, number>();
  /** Runs of words that the edit has and the original has not. */
  private readonly grams: ReadonlySet<string>;

  /** @param original its texts. @param edit its texts */
  constructor(original: readonly string[], edit: readonly string[]) {
    const grams = this.gramsOf(edit, (word) => this.idOf(word));
    for (const gram of this.gramsOf(original, (word) => this.ids.get(word))) grams.delete(gram);
    this.grams = grams;
  }

  /** Whether a row, or an answer, has one of these runs, within a text or over several that follow each other. */
  async isLeakOf(value: JsonValue): Promise<boolean> {
    if (this.grams.size === 0) return false;
    const last = new LastWords();
    let words = 0;
    for (const text of textsOf(value))
      for (const word of wordsOf(text)) {
        if (++words % TURN === 0) await setImmediate();
        const gram = word === null ? null : last.add(this.ids.get(word));
        if (gram !== null && this.grams.has(gram)) return true;
      }
    return false;
  }

  private gramsOf(texts: readonly string[], idOf: (word: string) => number | undefined): Set<string> {
    const grams = new Set<string>();
    const last = new LastWords();
    for (const text of texts)
      for (const word of wordsOf(text)) {
        const gram = word === null ? null : last.add(idOf(word));
        if (gram !== null) grams.add(gram);
      }
    return grams;
  }

  private idOf(word: string): number {
    const id = this.ids.get(word) ?? this.ids.size;
    this.ids.set(word, id);
    return id;
  }
}

/** The last words that were read. */
class LastWords {
  private ids: number[] = [];

  /** @param id undefined: a word that is of no interest. @returns the run that ends here; null: there is none */
  add(id: number | undefined): string | null {
    if (id === undefined) {
      this.ids = [];
      return null;
    }
    this.ids.push(id);
    if (this.ids.length > GRAM) this.ids.shift();
    return this.ids.length === GRAM ? this.ids.join(' ') : null;
  }
}
