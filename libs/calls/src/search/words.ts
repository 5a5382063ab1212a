/** Longer words are told apart by this many UTF-16 units of their beginning. */
const MAX_WORD_LENGTH = 64;
const MAX_CLUSTER_LENGTH = 16;

/**
 * Scripts that are written without spaces between words, and Hangul, whose words carry endings: each pair of neighbours
 * is a term.
 */
const UNSPACED =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Bopomofo}\\p{scx=Yi}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}\\p{scx=Tibetan}';
const WORD = new RegExp(
  `(?<unspaced>(?:(?=[\\p{L}\\p{N}])[${UNSPACED}]\\p{M}*)+)|(?:(?![${UNSPACED}])[\\p{L}\\p{N}]\\p{M}*)+|\\p{RI}{2}|\\p{Extended_Pictographic}`,
  'gu',
);
/** What the marks, spaces and punctuation of ASCII part. Most are words of ASCII, which need no further look. */
const PIECE = /[A-Za-z0-9\x80-\uffff]+/g;
const ASCII_WORD = /^[A-Za-z0-9]+$/;
/** A character with the marks that stand on it. */
const CLUSTER = /\P{M}\p{M}*/gu;
/** Joiners, soft hyphens, marks of direction: they are not seen, and do not part words. */
const INVISIBLE = /\p{Cf}/gu;
/** Bytes as text, base64 for example: nobody looks for words in them. */
const ENCODED = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{200,}={0,2}/g;

/** A run of a text: a word, a flag or pictograph, or neighbouring characters of a script without spaces. */
export interface Word {
  readonly text: string;
  /** The characters, each with its marks, of a run in a script without spaces; null: one term. */
  readonly clusters: readonly string[] | null;
}

/** The words of a text, without case, in their order. Compatible forms of a character (full width, ligatures) are one. */
export function* wordsOf(text: string): Generator<Word> {
  for (const [piece] of text.replace(ENCODED, ' ').matchAll(PIECE)) {
    if (ASCII_WORD.test(piece)) yield { text: cut(piece.toLowerCase()), clusters: null };
    else yield* wordsIn(folded(piece));
  }
}

function* wordsIn(piece: string): Generator<Word> {
  for (const { 0: word, groups } of piece.matchAll(WORD)) {
    const clusters = groups?.['unspaced'] === undefined ? null : word.match(CLUSTER);
    yield { text: cut(word), clusters: clusters && clusters.map((cluster) => cut(cluster, MAX_CLUSTER_LENGTH)) };
  }
}

/** The small final sigma is a sigma, the sharp s two. */
const folded = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(INVISIBLE, '').replaceAll('ς', 'σ').replaceAll('ß', 'ss');

function cut(word: string, length = MAX_WORD_LENGTH): string {
  if (word.length <= length) return word;
  const begin = word.slice(0, length);
  return begin.isWellFormed() ? begin : begin.slice(0, -1);
}
