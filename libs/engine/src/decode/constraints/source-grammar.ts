import { ConstraintInvalidError } from './constraint.errors.js';
import { type ConstraintSource, type JsonStyle } from './constraint.js';
import type { CharacterSet } from './grammar/character-set.js';
import { EMPTY, literal, oneOf, Rules } from './grammar/ebnf.js';
import { JsonValues } from './grammar/json-values.js';
import { asText, wholeMatch } from './regex/regex-grammar.js';
import { SchemaGrammar } from './schema/schema-grammar.js';

const INDENTATION = '"" | " " | "\\n" [ \\t]{0,24}';
const JSON_BLANKS = new Set([0x09, 0x0a, 0x0d, 0x20]);

/**
 * The grammar, in xgrammar's EBNF, of exactly the texts that satisfy a constraint.
 *
 * xgrammar's own translation of JSON Schema (0.1.27) is not used, not even for keywords that it knows. It accepts values
 * beyond the limits of numbers, raw control characters where a pattern or a length is given, members of an
 * `additionalProperties` schema under a declared name, and objects without a required member that is not declared. It
 * anchors every pattern, and names with quotes and pointers with `~1` abort its WebAssembly module.
 *
 * @param maxStates of its patterns together, with their repetitions unrolled
 * @param counted how many characters are counted one by one, see `repeated`
 * @throws ConstraintUnsupportedError
 * @throws ConstraintInvalidError
 * @throws ConstraintTooLargeError
 */
export function toGrammar(source: ConstraintSource, maxStates?: number, counted?: number): string {
  const rules = new Rules(maxStates, counted);
  switch (source.kind) {
    case 'regex':
      return rules.toString(wholeMatch(source.pattern, asText, rules));
    case 'choice':
      if (source.options.length === 0) throw new ConstraintInvalidError('', 'A choice needs at least one option.');
      return rules.toString(oneOf(source.options.map(literal)));
    case 'json_object':
      return rules.toString(new JsonValues(rules, blankRule(rules, source)).object);
    case 'json_schema': {
      const values = new JsonValues(rules, blankRule(rules, source));
      return rules.toString(new SchemaGrammar(source.schema, values, source.onlyDeclared).translate());
    }
  }
}

function blankRule(rules: Rules, { whitespace }: JsonStyle): string {
  if (whitespace === 'none') return EMPTY;
  if (whitespace === 'any') return rules.add('blank', INDENTATION);
  return rules.add('blank', wholeMatch(whitespace.pattern, onlyBlanks, rules));
}

/** A pattern for blanks that matched anything else would break the JSON. */
function onlyBlanks(set: CharacterSet): string[] {
  if (set.hasAllOthers || set.others.size > 0 || [...set.ascii].some((code) => !JSON_BLANKS.has(code))) {
    throw new ConstraintInvalidError('', 'The whitespace pattern matches characters that are no blanks of JSON.');
  }
  return asText(set);
}
