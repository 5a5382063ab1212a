import { ConstraintInvalidError } from '../constraint.errors.js';
import { characterSet, type CharacterSet, complement, toExpression, without } from '../grammar/character-set.js';
import { literal, oneOf, repeat, type Rules, sequence } from '../grammar/ebnf.js';

import { parseRegex } from './parse-regex.js';
import type { AnchoredNode, RegexNode } from './regex-node.js';

/** How one character of a set is written; null when there is none. */
type WriteSet = (set: CharacterSet) => string | null;

/** Characters as they are: for an answer that is the text itself. */
export const asText: WriteSet = toExpression;

/** Characters as they stand within a JSON string. */
export const asJsonString: WriteSet = (set) => {
  const mustEscape = (code: number) => code < 0x20 || code === 0x22 || code === 0x5c;
  const plain = toExpression(without(set, mustEscape));
  const escaped = [...set.ascii].filter(mustEscape).map((code) => {
    return literal(JSON.stringify(String.fromCharCode(code)).slice(1, -1));
  });
  const parts = plain === null ? escaped : [plain, ...escaped];
  return parts.length === 0 ? null : oneOf(parts);
};

/** A text of which the whole matches. @throws ConstraintTooLargeError */
export function wholeMatch(pattern: string, write: WriteSet, rules: Rules, pointer = ''): string {
  return oneOf(parseSized(pattern, rules, pointer).map(({ node }) => toGrammar(node, write, pointer)));
}

/** A text of which some part matches, as JSON Schema's `pattern` asks for. @throws ConstraintTooLargeError */
export function partMatch(pattern: string, write: WriteSet, rules: Rules, pointer: string): string {
  const anything = repeat(write(complement(characterSet([]))) as string, 0, null);
  const option = ({ node, startsAtStart, endsAtEnd }: AnchoredNode) => {
    const own = toGrammar(node, write, pointer);
    return sequence(...(startsAtStart ? [] : [anything]), own, ...(endsAtEnd ? [] : [anything]));
  };
  return oneOf(parseSized(pattern, rules, pointer).map(option));
}

function parseSized(pattern: string, rules: Rules, pointer: string): AnchoredNode[] {
  const options = parseRegex(pattern, pointer);
  rules.addStates(options.reduce((sum, { node }) => sum + countStates(node), 0));
  return options;
}

/** Number of automaton states of a pattern with its repetitions unrolled. */
function countStates(node: RegexNode): number {
  switch (node.kind) {
    case 'set':
      return 1;
    case 'sequence':
      return node.parts.reduce((sum, part) => sum + countStates(part), 0);
    case 'either':
      return node.options.reduce((sum, option) => sum + countStates(option), 0);
    case 'repeat':
      return countStates(node.part) * Math.max(1, node.min, node.max ?? 0);
  }
}

function toGrammar(node: RegexNode, write: WriteSet, pointer: string): string {
  switch (node.kind) {
    case 'set': {
      const written = write(node.set);
      if (written === null) throw new ConstraintInvalidError(pointer, 'The pattern has an empty character class.');
      return written;
    }
    case 'sequence':
      return sequence(...node.parts.map((part) => toGrammar(part, write, pointer)));
    case 'either':
      return oneOf(node.options.map((option) => toGrammar(option, write, pointer)));
    case 'repeat':
      return repeat(toGrammar(node.part, write, pointer), node.min, node.max);
  }
}
