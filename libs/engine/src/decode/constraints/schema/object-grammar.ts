import { characterSet, complement } from '../grammar/character-set.js';
import { EMPTY, literal, oneOf, sequence } from '../grammar/ebnf.js';
import { type JsonValues, QUOTE } from '../grammar/json-values.js';
import { asText } from '../regex/regex-grammar.js';

/** A member of an object whose name is known. */
interface DeclaredMember {
  readonly name: string;
  readonly value: string;
  readonly isRequired: boolean;
}

/**
 * Objects with declared members, in the order of their declaration, and then others.
 *
 * @param additional what values of other members are; null: there are none
 */
export function objectGrammar(
  values: JsonValues,
  members: readonly DeclaredMember[],
  additional: string | null,
): string {
  const { rules } = values;
  const written = members.map(({ name, value }) => sequence(literal(JSON.stringify(name)), values.colon, value));
  const other = additional && sequence(otherName(values, members), values.colon, additional);
  // Built backwards: `following` is what may come after the members so far.
  let following = other === null ? EMPTY : rules.add('members', `(${values.comma} ${other})*`);
  let beginning: string | null = other === null ? null : sequence(other, following);
  let canBeEmpty = true;
  for (let index = members.length - 1; index >= 0; index -= 1) {
    const { isRequired } = members[index] as DeclaredMember;
    const first = sequence(written[index] as string, following);
    beginning = rules.add('members', isRequired || beginning === null ? first : oneOf([first, beginning]));
    const next = sequence(values.comma, written[index] as string, following);
    following = rules.add('members', isRequired ? next : oneOf([next, following]));
    canBeEmpty &&= !isRequired;
  }
  const options = canBeEmpty ? [values.braced('{', EMPTY, '}')] : [];
  if (beginning !== null) options.push(values.braced('{', beginning, '}'));
  return oneOf(options);
}

/** A quoted name that differs from all declared ones. It has no escapes, as a name can be escaped in many ways. */
function otherName(values: JsonValues, members: readonly DeclaredMember[]): string {
  const { rules } = values;
  const unsafe = [...Array.from({ length: 0x20 }, (_, code) => code), 0x22, 0x5c];
  const anything = rules.define('name_end', () => `[^\\u0022\\u005C\\u0000-\\u001F]* ${QUOTE}`);
  const after = (prefix: string): string => {
    const beginning = members.filter(({ name }) => name.startsWith(prefix)).map(({ name }) => name);
    if (beginning.length === 0) return anything;
    const nexts = new Set(
      beginning
        .filter((name) => name !== prefix)
        .map((name) => String.fromCodePoint(name.codePointAt(prefix.length) as number)),
    );
    const codes = [...nexts].map((next) => next.codePointAt(0) as number);
    const rest = asText(complement(characterSet([...unsafe, ...codes])));
    const options = rest.length === 0 ? [] : [sequence(oneOf(rest), anything)];
    for (const next of nexts) {
      if (!unsafe.includes(next.codePointAt(0) as number)) options.push(sequence(literal(next), after(prefix + next)));
    }
    if (!beginning.includes(prefix)) options.push(QUOTE);
    return rules.add('name', oneOf(options));
  };
  return sequence(QUOTE, after(''));
}
