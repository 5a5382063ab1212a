import type { Dialect } from './dialect.js';

/** Name and value of the header that has the key; null: none is sent. */
export function keyHeader(dialect: Dialect, key: string | null): readonly [string, string] | null {
  if (key === null) return null;
  switch (dialect) {
    case 'anthropic':
      return ['x-api-key', key];
    case 'azure':
      return ['api-key', key];
    default:
      return ['authorization', `Bearer ${key}`];
  }
}
