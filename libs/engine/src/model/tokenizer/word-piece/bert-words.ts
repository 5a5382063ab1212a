/** What a `BertNormalizer` of a `tokenizer.json` does to a text before it is cut into words. */
export interface BertRules {
  /** Drops control characters and turns white space into blanks. */
  readonly cleansText: boolean;
  /** Makes each Chinese character a word. */
  readonly separatesChinese: boolean;
  readonly stripsAccents: boolean;
  readonly lowercases: boolean;
}

/** White space that is no control character: the others are dropped first, but for tab, line feed and carriage return. */
const CLEAN_RUN = /[^\t\n\r\p{Z}]+/gu;
/** Without cleaning, control characters that are white space separate words. */
const RAW_RUN = /[^\s\u{85}]+/gu;
/** Format characters, private ones and unpaired surrogates count as control characters; unassigned ones do not. */
const CONTROL = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u{fffd}]/gu;
/** The blocks that BERT's own tokenizer takes for Chinese. */
const CHINESE =
  /[\u{4e00}-\u{9fff}\u{3400}-\u{4dbf}\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{f900}-\u{faff}\u{2f800}-\u{2fa1f}]/gu;
const ACCENTS = /\p{Mn}/gu;
/** Of ASCII all that is neither letter, digit nor blank. */
const PUNCTUATION = '\\p{P}$+<=>^`|~';
const WORDS = new RegExp(`[^\\s\\u{85}${PUNCTUATION}]+|[${PUNCTUATION}]`, 'gu');

/**
 * Cuts a text into words as `BertNormalizer` and `BertPreTokenizer` of Hugging Face's tokenizers do. Words come as they
 * are read, so that a reader that has enough spares the rest of the text.
 */
export function* bertWords(text: string, rules: BertRules): Generator<string, void, undefined> {
  for (const [run] of text.matchAll(rules.cleansText ? CLEAN_RUN : RAW_RUN)) {
    for (const [word] of normalized(run, rules).matchAll(WORDS)) yield word;
  }
}

/** @param run characters without white space, so that no rule sees across its ends */
function normalized(run: string, rules: BertRules): string {
  let text = run;
  if (rules.cleansText) text = text.replace(CONTROL, '');
  if (rules.separatesChinese) text = text.replace(CHINESE, ' $& ');
  if (rules.stripsAccents) text = text.normalize('NFD').replace(ACCENTS, '');
  return rules.lowercases ? lowercased(text) : text;
}

/** Character by character: of a whole text, the last sigma of a word would get another form. */
const lowercased = (text: string): string =>
  text.includes('Σ') ? Array.from(text, (character) => character.toLowerCase()).join('') : text.toLowerCase();
