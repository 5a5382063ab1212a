import { isJsonObject, type JsonValue } from '@hone/contracts';

/** Longer words are taken apart, so that none takes long to compare. */
const MAX_WORD = 64;
/** What becomes longer by so much in that form of Unicode is one word, so that no text makes far more work than its length says. */
const MAX_GROWTH = 4;
/** Writing that has no spaces between words: each character counts as one. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
/** A run of letters, digits and marks; characters that nobody sees do not end one. */
const PIECE = new RegExp(String.raw`[${UNSPACED}]|(?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}\p{Cf}]){1,${MAX_WORD}}`, 'gu');
const UNSEEN = /\p{Cf}/gu;
const ASCII = /^[\x20-\x7f]*$/;

/**
 * The words of a text, as they are compared: in one form of Unicode and in lower case, without what nobody sees. Null: a piece that has
 * no word, so that who reads many of them can let others have their turn.
 */
export function* wordsOf(text: string): Generator<string | null> {
  for (const [piece] of text.matchAll(PIECE)) {
    if (ASCII.test(piece)) yield piece.toLowerCase();
    else {
      yield null;
      // One character may stand for several words.
      const seen = piece.normalize('NFKC').replace(UNSEEN, '').toLowerCase();
      if (seen.length > MAX_GROWTH * MAX_WORD) yield seen;
      else for (const [word] of seen.matchAll(PIECE)) yield word;
    }
  }
}

/** The texts of a value, names of members included, in their order. */
export function* textsOf(value: JsonValue): Generator<string> {
  const open: JsonValue[] = [value];
  while (open.length > 0) {
    const next = open.pop() as JsonValue;
    if (typeof next === 'string') yield next;
    else if (Array.isArray(next)) for (let at = next.length - 1; at >= 0; at--) open.push(next[at] as JsonValue);
    else if (isJsonObject(next)) for (const [name, member] of Object.entries(next).reverse()) open.push(member, name);
    else if (next !== null) yield String(next);
  }
}
