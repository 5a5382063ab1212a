import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { register } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPOSITORY = join(import.meta.dirname, '../../../..');
/** Compiled sources and their maps. */
export const CACHE = join(REPOSITORY, 'node_modules/.cache/test-sources');

let isRegistered = false;

/** From here on this process can import TypeScript, and resolves `@hone/*` to the sources of the libraries. */
export function registerSources() {
  if (isRegistered) return;
  isRegistered = true;
  register('./source-hooks.mjs', import.meta.url);
}

/** @returns path of the source map of a source, as it was last compiled */
export const mapFileOf = (path) => join(CACHE, `${createHash('sha1').update(path).digest('hex')}.map`);

/**
 * @param source path or `file:` URL, as a stack trace names it
 * @returns path of its source map; undefined: this process compiled no such source
 */
export function sourceMapOf(source) {
  if (!source.endsWith('.ts')) return undefined;
  const file = mapFileOf(source.startsWith('file:') ? fileURLToPath(source) : source);
  return existsSync(file) ? file : undefined;
}
