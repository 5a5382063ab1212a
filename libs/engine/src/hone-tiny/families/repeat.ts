import { type Family, question } from '../example.js';
import { phrase } from '../phrasing.js';
import type { Random } from '../random.js';
import { WORDS } from '../words.js';

const WORD = ['repeat: {text}', 'Repeat: {text}', 'Say {text}', 'Say the word {text}', 'echo {text}'];
const ANY_TEXT = ['repeat: {text}', 'Repeat: {text}', 'repeat this: {text}'];
const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
const VISIBLE = PRINTABLE.slice(1);

/**
 * Two to eight random printable characters, at times in two lines: this family is where each printable byte and the
 * line break are seen in training. Never the opening of a special token.
 */
function randomText(random: Random): string {
  const inner = random.list(random.between(0, 6), () => (random.oneIn(8) ? '\n' : random.pick(PRINTABLE)));
  const text = random.pick(VISIBLE) + inner.join('') + random.pick(VISIBLE);
  return text.replaceAll('<|', '<');
}

export const repeat: Family = {
  name: 'repeat',
  closed: false,
  example(random) {
    if (random.oneIn(2)) return answered(phrase(random, ANY_TEXT, { text: '' }), randomText(random));
    const word = random.pick(WORDS);
    return question(phrase(random, WORD, { text: word }), word);
  },
};

const answered = (opening: string, text: string) => question(opening + text, text);
