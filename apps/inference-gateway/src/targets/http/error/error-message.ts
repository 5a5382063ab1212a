import { isJsonObject } from '@hone/json';

/** Message of an error that an upstream reports: an object with a message, or the message itself. */
export function errorMessage(error: unknown): string {
  if (typeof error === 'string') return error;
  if (isJsonObject(error) && typeof error.message === 'string') return error.message;
  return 'The upstream reported an error.';
}
