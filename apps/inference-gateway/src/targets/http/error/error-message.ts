import { isObject } from '../../../wire/json/parse-json.js';

/** Message of an error that an upstream reports: an object with a message, or the message itself. */
export function errorMessage(error: unknown): string {
  if (typeof error === 'string') return error;
  if (isObject(error) && typeof error.message === 'string') return error.message;
  return 'The upstream reported an error.';
}
