import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { register } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = join(import.meta.dirname, '../../../..');
/** Compiled sources and their maps. */
export const CACHE = join(REPOSITORY, 'node_modules/.cache/test-sources');

let isRegistered = false;

/** From here on this process imports TypeScript, and the libraries by their sources. */
export function registerSources() {
  if (isRegistered) return;
  isRegistered = true;
  register('./source-hooks.mjs', import.meta.url);
}

/** @returns where the map of a source is kept, beside what it was compiled to last */
export const mapFileOf = (path) => join(CACHE, `${createHash('sha1').update(path).digest('hex')}.map`);

/**
 * @param source path or address, as a stack has it
 * @returns the file of its map; absent: it was not compiled
 */
export function sourceMapOf(source) {
  if (!source.endsWith('.ts')) return undefined;
  const file = mapFileOf(source.startsWith('file:') ? fileURLToPath(source) : source);
  return existsSync(file) ? file : undefined;
}
