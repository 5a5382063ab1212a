import { ConstraintTooLargeError } from '../constraint.errors.js';

const MAX_DEPTH = 100;
const TOKENS = /\\[upP]\{[^}]{0,64}\}|\\.|\{\d+(?:,\d*)?\}|[()[\]{}]/gsu;

/**
 * Rewrites what other dialects allow and flag u does not: identity escapes of any punctuation (`\-`, `\"`), and
 * brackets and braces that stand for themselves.
 *
 * @throws ConstraintTooLargeError the groups are nested too deeply for a recursive parser
 */
export function toUnicodeMode(pattern: string): string {
  let isInClass = false;
  let depth = 0;
  return pattern.replace(TOKENS, (token) => {
    if (token.startsWith('\\')) return /^\\[a-zA-Z0-9]/.test(token) ? token : escaped(token.slice(1));
    if (isInClass) {
      isInClass = token !== ']';
      return token;
    }
    if (token === '[') isInClass = true;
    else if (token === ']' || token === '{' || token === '}') return escaped(token);
    else if (token === '(' && ++depth > MAX_DEPTH) {
      throw new ConstraintTooLargeError('The pattern is nested too deeply.');
    } else if (token === ')') depth -= 1;
    return token;
  });
}

const escaped = (character: string) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`;
