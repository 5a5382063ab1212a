import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { transform, version } from '@swc/core';

import { CACHE, mapFileOf } from './sources.mjs';

const REPOSITORY = join(import.meta.dirname, '../../../..');
const LIBRARIES = join(REPOSITORY, 'libs');
const { exclude, $schema, ...SETTINGS } = JSON.parse(readFileSync(join(REPOSITORY, '.swcrc'), 'utf8'));
/** Everything that the compiled text depends on beside the source. */
const COMPILER = JSON.stringify([version, SETTINGS]);
const JEST_GLOBALS = new URL('globals.mjs', import.meta.url).href;

/** Of each library, the `exports` of its package.json. */
const exportsOf = new Map();

mkdirSync(CACHE, { recursive: true });

/** Sources import each other by the names of their compiled files (`./x.js`), and the libraries by package name. */
export function resolve(specifier, context, next) {
  const url =
    specifier === '@jest/globals' ? JEST_GLOBALS : (libraryOf(specifier) ?? sourceOf(specifier, context.parentURL));
  return url ? { url, format: 'module', shortCircuit: true } : next(specifier, context);
}

/** `@hone/<name>[/<part>]` is what that library's package.json exports under the name, as source instead of build. */
function libraryOf(specifier) {
  const [, name, part = ''] = /^@hone\/([^/]+)(\/.+)?$/.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  if (!exportsOf.has(name)) {
    exportsOf.set(name, JSON.parse(readFileSync(join(LIBRARIES, name, 'package.json'), 'utf8')).exports);
  }
  const built = exportsOf.get(name)[`.${part}`]?.default;
  if (built === undefined) throw new Error(`${specifier}: libs/${name}/package.json exports no '.${part}'.`);
  return pathToFileURL(join(LIBRARIES, name, built.replace('/dist/', '/src/').replace(/\.js$/, '.ts'))).href;
}

function sourceOf(specifier, parent) {
  if (!/^\.{1,2}\//.test(specifier) || !parent?.endsWith('.ts')) return undefined;
  const path = join(dirname(fileURLToPath(parent)), specifier.replace(/\.js$/, ''));
  const found = [`${path}.ts`, join(path, 'index.ts')].find((candidate) => existsSync(candidate));
  return found && pathToFileURL(found).href;
}

/** Compiles TypeScript as the build does, once for all workers and runs. */
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const path = fileURLToPath(url);
  const text = readFileSync(path, 'utf8');
  const hash = createHash('sha1').update(COMPILER).update(path).update(text).digest('hex');
  const compiled = join(CACHE, `${hash}.js`);
  if (!existsSync(compiled)) {
    const { code, map } = await transform(text, { ...SETTINGS, filename: path, configFile: false, swcrc: false });
    write(mapFileOf(path), map);
    write(compiled, code);
  }
  return { format: 'module', source: readFileSync(compiled, 'utf8'), shortCircuit: true };
}

/** Replaces the file in one step, because several workers write and read it at once. */
function write(file, text) {
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, file);
}
