import { type AST, RegExpParser, RegExpSyntaxError } from '@eslint-community/regexpp';

import { ConstraintInvalidError, ConstraintTooLargeError, ConstraintUnsupportedError } from '../constraint.errors.js';
import { type CharacterSet, characterSet, complement, range, union } from '../grammar/character-set.js';
import type { AnchoredNode, RegexNode } from './regex-node.js';
import { toUnicodeMode } from './unicode-mode.js';

const MAX_PATTERN_CHARACTERS = 8_192;
/** A range beyond ASCII is written out character by character. */
const MAX_RANGE = 1_024;
/** Most characters beyond ASCII in all ranges of a pattern together. */
const MAX_RANGE_TOTAL = 16 * MAX_RANGE;

const DIGIT = characterSet(range(0x30, 0x39));
const WORD = characterSet([...range(0x30, 0x39), ...range(0x41, 0x5a), 0x5f, ...range(0x61, 0x7a)]);
const SPACE = characterSet([...range(0x09, 0x0d), 0x20]);
/** Some spaces lie beyond ASCII: a set that excludes spaces leaves out everything there, so that no match is wrong. */
const asciiOnly = ({ ascii }: CharacterSet) => characterSet(ascii);
const CLASSES = { digit: DIGIT, word: WORD, space: SPACE };
const NEGATED_CLASSES = { digit: complement(DIGIT), word: complement(WORD), space: asciiOnly(complement(SPACE)) };
const ANY_BUT_LINE_ENDS = complement(characterSet([0x0a, 0x0d]));

/**
 * Parses an ECMAScript regular expression (flag u), as JSON Schema and vLLM's `regex` use them: everything that
 * describes a regular language. Assertions, back-references and Unicode properties are refused by name.
 *
 * @returns the alternatives at the top level
 * @throws ConstraintUnsupportedError
 * @throws ConstraintInvalidError
 * @throws ConstraintTooLargeError
 */
export function parseRegex(pattern: string, pointer = ''): AnchoredNode[] {
  if (pattern.length > MAX_PATTERN_CHARACTERS) {
    throw new ConstraintTooLargeError(`The pattern is longer than ${MAX_PATTERN_CHARACTERS} characters.`);
  }
  const converter = new RegexConverter(pointer);
  return parse(toUnicodeMode(pattern), pointer).alternatives.map((option) => converter.anchored(option));
}

function parse(source: string, pointer: string): AST.Pattern {
  try {
    return new RegExpParser().parsePattern(source, 0, source.length, { unicode: true });
  } catch (error) {
    if (!(error instanceof RegExpSyntaxError)) throw error;
    // The parser's message begins with the whole pattern.
    const reason = error.message.slice(error.message.lastIndexOf('/u: ') + '/u: '.length);
    throw new ConstraintInvalidError(pointer, `The pattern is not valid: ${reason}.`);
  }
}

/** Turns the parser's syntax tree into the nodes of a regular language. */
class RegexConverter {
  private rangeTotal = 0;

  constructor(private readonly pointer: string) {}

  anchored({ elements }: AST.Alternative): AnchoredNode {
    const startsAtStart = isAnchor(elements[0], 'start');
    const endsAtEnd = isAnchor(elements.at(-1), 'end');
    const inner = elements.slice(startsAtStart ? 1 : 0, endsAtEnd ? -1 : undefined);
    return { node: this.sequence(inner), startsAtStart, endsAtEnd };
  }

  private sequence(elements: readonly AST.Element[]): RegexNode {
    const parts = elements.map((element) => this.element(element));
    return parts.length === 1 ? (parts[0] as RegexNode) : { kind: 'sequence', parts };
  }

  private element(node: AST.Element): RegexNode {
    switch (node.type) {
      case 'Group':
      case 'CapturingGroup':
        if ('modifiers' in node && node.modifiers !== null) return this.refuse('a group with modifiers');
        return { kind: 'either', options: node.alternatives.map(({ elements }) => this.sequence(elements)) };
      case 'Quantifier': {
        // Greedy and lazy quantifiers match the same texts.
        const { element, min, max } = node;
        return { kind: 'repeat', part: this.element(element), min, max: max === Infinity ? null : max };
      }
      case 'Character':
        return { kind: 'set', set: characterSet([this.codeOf(node)]) };
      case 'CharacterSet':
        return { kind: 'set', set: this.characterSet(node) };
      case 'CharacterClass':
        return { kind: 'set', set: this.characterClass(node) };
      case 'Assertion':
        return this.refuse(ASSERTIONS[node.kind]);
      case 'Backreference':
        return this.refuse('a reference to a group');
      case 'ExpressionCharacterClass':
        return this.refuse('a character class with set operations');
    }
  }

  private characterClass({ elements, negate }: AST.CharacterClass): CharacterSet {
    const set = union([...new Set(elements.map((element) => this.classElement(element)))]);
    if (!negate) return set;
    const hasSpaces = elements.some((element) => element.type === 'CharacterSet' && element.kind === 'space');
    return hasSpaces ? asciiOnly(complement(set)) : complement(set);
  }

  private classElement(node: AST.CharacterClassElement): CharacterSet {
    switch (node.type) {
      case 'Character':
        return characterSet([this.codeOf(node)]);
      case 'CharacterClassRange':
        return this.range(this.codeOf(node.min), this.codeOf(node.max));
      case 'CharacterSet':
        return this.characterSet(node);
      default:
        return this.refuse('a character class with set operations');
    }
  }

  private range(from: number, to: number): CharacterSet {
    const beyondAscii = Math.max(0, to - Math.max(from, 128) + 1);
    if (beyondAscii > MAX_RANGE) this.refuse('a character range that large beyond ASCII');
    this.rangeTotal += beyondAscii;
    if (this.rangeTotal > MAX_RANGE_TOTAL) {
      throw new ConstraintTooLargeError(`The ranges of the pattern hold more than ${MAX_RANGE_TOTAL} characters.`);
    }
    return characterSet(range(from, to));
  }

  private characterSet(node: AST.CharacterSet): CharacterSet {
    if (node.kind === 'any') return ANY_BUT_LINE_ENDS;
    if (node.kind === 'property') return this.refuse(node.raw);
    return (node.negate ? NEGATED_CLASSES : CLASSES)[node.kind];
  }

  private codeOf({ value }: AST.Character): number {
    return value >= 0xd800 && value <= 0xdfff ? this.refuse('half of a surrogate pair') : value;
  }

  private refuse(what: string): never {
    throw new ConstraintUnsupportedError(this.pointer, `The pattern has ${what}, which is not supported.`);
  }
}

const ASSERTIONS: Record<AST.Assertion['kind'], string> = {
  start: 'an anchor that is not at the beginning',
  end: 'an anchor that is not at the end',
  word: 'a word boundary',
  lookahead: 'a look-ahead',
  lookbehind: 'a look-behind',
};

function isAnchor(element: AST.Element | undefined, kind: 'start' | 'end'): boolean {
  return element?.type === 'Assertion' && element.kind === kind;
}
