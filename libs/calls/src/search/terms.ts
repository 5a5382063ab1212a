import { type Word, wordsOf } from './words.js';

/** Stands between two strings, and before what is not part of any sequence; no term has this number. */
export const GAP = 0;

/**
 * A term as the 32-bit number that the index holds in its place: FNV-1a over its UTF-16 units, then the last step of
 * MurmurHash3, for FNV alone spreads short texts poorly. Sources: RFC 9923; SMHasher, `fmix32`.
 */
export function numberOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) | 0 || 1;
}

/** Among the terms of every call of a project, so that others' calls are passed over. No word begins with a colon. */
export const projectTerm = (projectRowId: string): number => numberOf(`:${projectRowId}`);

/** The single characters of scripts without spaces, which no pair stands for. A word has no dot. */
const singleTerm = (cluster: string): number => numberOf(`.${cluster}`);

/** Terms of a run of a text in their order: the word itself, or each pair of neighbours and the last character. */
export function termsOf({ text, clusters }: Word): number[] {
  if (clusters === null) return [numberOf(text)];
  return clusters.map((cluster, at) => numberOf(cluster + (clusters[at + 1] ?? '')));
}

/** What a text is found by. */
export interface Terms {
  /** In their order, with gaps between strings. */
  readonly sequence: number[];
  /** Of single characters. */
  readonly singles: ReadonlySet<number>;
}

export function termsIn(texts: Iterable<string>): Terms {
  const sequence: number[] = [];
  const singles = new Set<number>();
  for (const text of texts) {
    for (const word of wordsOf(text)) {
      for (const term of termsOf(word)) sequence.push(term);
      for (const cluster of word.clusters ?? []) singles.add(singleTerm(cluster));
    }
    if (sequence.length > 0 && sequence.at(-1) !== GAP) sequence.push(GAP);
  }
  return { sequence, singles };
}

/** Words that must follow each other. */
export interface Phrase {
  /** All of them must be there. */
  readonly terms: readonly number[];
  /** Those that must follow each other; fewer than two: none. */
  readonly sequence: readonly number[];
}

/** What a call must have to be found by words that stand together. */
export function toPhrase(words: readonly Word[]): Phrase {
  const terms = new Set<number>();
  const sequence: number[] = [];
  for (const [at, word] of words.entries()) {
    const isLast = at === words.length - 1;
    const own = termsOf(word);
    // The text may go on behind the last character, which then stands in a pair.
    if (isLast && word.clusters) own.pop();
    for (const term of own) terms.add(term);
    sequence.push(...own);
    for (const cluster of word.clusters?.length === 1 ? word.clusters : []) terms.add(singleTerm(cluster));
  }
  return { terms: [...terms], sequence };
}
