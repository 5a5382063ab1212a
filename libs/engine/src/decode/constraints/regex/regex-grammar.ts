import { ConstraintInvalidError } from '../constraint.errors.js';
import { type CharacterSet, characterSet, complement, toOptions, without } from '../grammar/character-set.js';
import { literal, oneOf, type Rules, sequence } from '../grammar/ebnf.js';
import { repeated } from '../grammar/repetition.js';
import { parseRegex } from './parse-regex.js';
import type { AnchoredNode, RegexNode } from './regex-node.js';

/** Expressions for one character of a set, any of which may match; none when it is empty. */
type WriteSet = (set: CharacterSet) => string[];

/** Writes characters as they are: the answer is the text itself. */
export const asText: WriteSet = toOptions;

/** Writes characters as they are escaped in a JSON string. */
export const asJsonString: WriteSet = (set) => {
  const mustEscape = (code: number) => code < 0x20 || code === 0x22 || code === 0x5c;
  const escaped = [...set.ascii].filter(mustEscape).map((code) => {
    return literal(JSON.stringify(String.fromCharCode(code)).slice(1, -1));
  });
  return [...toOptions(without(set, mustEscape)), ...escaped];
};

/** A text of which the whole matches. @throws ConstraintTooLargeError */
export function wholeMatch(pattern: string, write: WriteSet, rules: Rules, pointer = ''): string {
  return oneOf(parseSized(pattern, rules, pointer).map(({ node }) => toGrammar(node, { write, rules, pointer })));
}

/** A text of which some part matches, as JSON Schema's `pattern` asks for. @throws ConstraintTooLargeError */
export function partMatch(pattern: string, write: WriteSet, rules: Rules, pointer: string): string {
  const anything = repeated(rules, write(complement(characterSet([]))), 0, null);
  const option = ({ node, startsAtStart, endsAtEnd }: AnchoredNode) => {
    const own = toGrammar(node, { write, rules, pointer });
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

interface Writing {
  readonly write: WriteSet;
  readonly rules: Rules;
  readonly pointer: string;
}

function toGrammar(node: RegexNode, writing: Writing): string {
  switch (node.kind) {
    case 'set':
    case 'either':
      return oneOf(optionsOf(node, writing));
    case 'sequence':
      return sequence(...node.parts.map((part) => toGrammar(part, writing)));
    case 'repeat':
      return repeated(writing.rules, optionsOf(node.part, writing), node.min, node.max);
  }
}

/** Expressions any of which may match; at least one. */
function optionsOf(node: RegexNode, writing: Writing): string[] {
  if (node.kind === 'either') return node.options.flatMap((option) => optionsOf(option, writing));
  if (node.kind !== 'set') return [toGrammar(node, writing)];
  const written = writing.write(node.set);
  if (written.length === 0)
    throw new ConstraintInvalidError(writing.pointer, 'The pattern has an empty character class.');
  return written;
}
