import { ConstraintInvalidError, ConstraintTooLargeError, ConstraintUnsupportedError } from '../constraint.errors.js';
import { characterSet, type CharacterSet, complement, range, union } from '../grammar/character-set.js';

import type { AnchoredNode, RegexNode } from './regex-node.js';

const MAX_PATTERN_CHARACTERS = 8_192;
const MAX_DEPTH = 100;
/** A range beyond ASCII is written out character by character. */
const MAX_RANGE = 1_024;

const DIGITS = characterSet(range(0x30, 0x39));
const WORD = characterSet([...range(0x30, 0x39), ...range(0x41, 0x5a), 0x5f, ...range(0x61, 0x7a)]);
const BLANKS = characterSet([...range(0x09, 0x0d), 0x20]);
const CLASSES: Record<string, CharacterSet> = {
  d: DIGITS,
  D: complement(DIGITS),
  w: WORD,
  W: complement(WORD),
  s: BLANKS,
  // Some blanks lie beyond ASCII: leaving all of that out keeps every answer within the pattern.
  S: characterSet(complement(BLANKS).ascii),
};
const ANY_BUT_LINE_ENDS = complement(characterSet([0x0a, 0x0d]));
const CONTROL_ESCAPES: Record<string, number> = { n: 0x0a, r: 0x0d, t: 0x09, f: 0x0c, v: 0x0b, '0': 0x00 };

/**
 * Parses a regular expression of ECMAScript (flag u), as JSON Schema and vLLM's `regex` use them: everything that
 * describes a regular language. What looks around, looks back or depends on Unicode tables is refused by name.
 *
 * @returns the alternatives at the top
 * @throws ConstraintUnsupportedError
 * @throws ConstraintInvalidError
 * @throws ConstraintTooLargeError
 */
export function parseRegex(pattern: string, pointer = ''): AnchoredNode[] {
  if (pattern.length > MAX_PATTERN_CHARACTERS) {
    throw new ConstraintTooLargeError(`The pattern is longer than ${MAX_PATTERN_CHARACTERS} characters.`);
  }
  return new RegexParser(pattern, pointer).parse();
}

class RegexParser {
  private readonly characters: readonly string[];
  private at = 0;
  private depth = 0;

  constructor(
    pattern: string,
    private readonly pointer: string,
  ) {
    this.characters = Array.from(pattern);
  }

  parse(): AnchoredNode[] {
    const options = [this.anchored()];
    while (this.take('|')) options.push(this.anchored());
    if (this.peek() !== undefined) this.fail(`unmatched ")"`);
    return options;
  }

  private anchored(): AnchoredNode {
    const startsAtStart = this.take('^');
    const node = this.sequence();
    const endsAtEnd = this.take('$');
    return { node, startsAtStart, endsAtEnd };
  }

  private sequence(): RegexNode {
    const parts: RegexNode[] = [];
    for (let next = this.peek(); next !== undefined && !'|)$'.includes(next); next = this.peek()) {
      parts.push(this.quantified(this.atom()));
    }
    return parts.length === 1 ? (parts[0] as RegexNode) : { kind: 'sequence', parts };
  }

  private atom(): RegexNode {
    const next = this.next();
    switch (next) {
      case '(':
        return this.group();
      case '[':
        return { kind: 'set', set: this.bracketed() };
      case '.':
        return { kind: 'set', set: ANY_BUT_LINE_ENDS };
      case '\\':
        return { kind: 'set', set: this.escape(false) };
      case '^':
        return this.refuse('an anchor that is not at the beginning');
      case '*':
      case '+':
      case '?':
        return this.fail(`nothing before "${next}"`);
      default:
        return { kind: 'set', set: characterSet([codeOf(next)]) };
    }
  }

  private group(): RegexNode {
    if (this.take('?')) {
      if (this.take('<')) {
        if (this.peek() === '=' || this.peek() === '!') this.refuse('looking back');
        while (this.next() !== '>');
      } else if (!this.take(':')) this.refuse('a group that begins with "(?" and is neither "(?:" nor "(?<name>"');
    }
    if (++this.depth > MAX_DEPTH) throw new ConstraintTooLargeError('The pattern is nested too deeply.');
    const options = [this.sequence()];
    while (this.take('|')) options.push(this.sequence());
    if (this.peek() === '$') this.refuse('an anchor that is not at the end');
    if (!this.take(')')) this.fail('a group is not closed');
    this.depth -= 1;
    return { kind: 'either', options };
  }

  private quantified(part: RegexNode): RegexNode {
    const bounds = this.quantifier();
    if (bounds === null) return part;
    // Greedy or not: the same texts match.
    this.take('?');
    if (this.quantifier() !== null) this.fail('two quantifiers in a row');
    const [min, max] = bounds;
    if (max !== null && max < min) this.fail('the numbers of a quantifier are out of order');
    return { kind: 'repeat', part, min, max };
  }

  private quantifier(): [min: number, max: number | null] | null {
    if (this.take('*')) return [0, null];
    if (this.take('+')) return [1, null];
    if (this.take('?')) return [0, 1];
    const found = /^\{(\d+)(,(\d*))?\}/.exec(this.characters.slice(this.at, this.at + 24).join(''));
    if (found === null) return null;
    this.at += found[0].length;
    const min = Number(found[1]);
    if (found[2] === undefined) return [min, min];
    return [min, found[3] === '' ? null : Number(found[3])];
  }

  private bracketed(): CharacterSet {
    const isNegated = this.take('^');
    const sets: CharacterSet[] = [];
    while (!this.take(']')) sets.push(this.classItem());
    return isNegated ? complement(union(sets)) : union(sets);
  }

  private classItem(): CharacterSet {
    const first = this.classCharacter();
    if (this.peek() !== '-' || this.characters[this.at + 1] === ']') return first;
    this.next();
    const last = this.classCharacter();
    const [from, to] = [onlyCode(first), onlyCode(last)];
    if (from === null || to === null || to < from) return this.fail('a range of a character class is out of order');
    if (to >= 128 && to - Math.max(from, 128) >= MAX_RANGE) this.refuse('a character range that large beyond ASCII');
    return characterSet(range(from, to));
  }

  private classCharacter(): CharacterSet {
    const next = this.next();
    return next === '\\' ? this.escape(true) : characterSet([codeOf(next)]);
  }

  private escape(inClass: boolean): CharacterSet {
    const letter = this.next();
    const named = CLASSES[letter];
    if (named !== undefined) return named;
    const control = CONTROL_ESCAPES[letter];
    if (control !== undefined) return characterSet([control]);
    if (inClass && letter === 'b') return characterSet([0x08]);
    if (letter === 'x') return characterSet([this.hex(2)]);
    if (letter === 'u') return characterSet([this.unicode()]);
    if (letter === 'c') return characterSet([codeOf(this.next()) % 32]);
    if (/[1-9k]/.test(letter)) return this.refuse('a reference to a group');
    if (/[a-zA-Z]/.test(letter)) return this.refuse(`\\${letter}`);
    return characterSet([codeOf(letter)]);
  }

  private unicode(): number {
    if (!this.take('{')) {
      const high = this.hex(4);
      if (high < 0xd800 || high > 0xdfff) return high;
      if (high > 0xdbff || !this.take('\\') || !this.take('u')) return this.refuse('half of a surrogate pair');
      return 0x10000 + ((high - 0xd800) << 10) + (this.hex(4) - 0xdc00);
    }
    let digits = '';
    while (!this.take('}')) digits += this.next();
    return this.parseHex(digits);
  }

  private hex(length: number): number {
    return this.parseHex(Array.from({ length }, () => this.next()).join(''));
  }

  private parseHex(digits: string): number {
    const code = /^[0-9a-fA-F]{1,6}$/.test(digits) ? Number.parseInt(digits, 16) : Infinity;
    return code <= 0x10ffff ? code : this.fail(`"${digits}" is no character code`);
  }

  private peek(): string | undefined {
    return this.characters[this.at];
  }

  private next(): string {
    return this.characters[this.at++] ?? this.fail('it ends too early');
  }

  private take(character: string): boolean {
    if (this.peek() !== character) return false;
    this.at += 1;
    return true;
  }

  private fail(what: string): never {
    throw new ConstraintInvalidError(this.pointer, `The pattern is not valid at character ${this.at}: ${what}.`);
  }

  private refuse(what: string): never {
    throw new ConstraintUnsupportedError(this.pointer, `The pattern has ${what}, which is not supported.`);
  }
}

const codeOf = (character: string) => character.codePointAt(0) as number;

function onlyCode({ ascii, others, hasAllOthers }: CharacterSet): number | null {
  const codes = [...ascii, ...others];
  return !hasAllOthers && codes.length === 1 ? (codes[0] as number) : null;
}
