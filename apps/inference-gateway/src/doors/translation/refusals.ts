import { InvalidRequestError } from '../../shared/errors/gateway-error.js';

type Loc = readonly (string | number)[];

/** A 422 for what cannot be carried. @param loc path of the field in the body */
export const unsupported = (loc: Loc, msg: string): InvalidRequestError =>
  new InvalidRequestError([{ loc: ['body', ...loc], msg, type: 'unsupported_parameter' }]);

/** A 422 for a value that is wrong. @param loc path of the field in the body */
export const invalid = (loc: Loc, msg: string): InvalidRequestError =>
  new InvalidRequestError([{ loc: ['body', ...loc], msg, type: 'value_error' }]);

/** @throws InvalidRequestError the field is no text */
export function textAt(value: unknown, loc: Loc): string {
  if (typeof value !== 'string') throw invalid(loc, 'Input should be a valid string');
  return value;
}
