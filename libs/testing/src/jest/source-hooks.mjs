import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { transform, version } from '@swc/core';

import { CACHE, mapFileOf } from './sources.mjs';

const REPOSITORY = join(import.meta.dirname, '../../../..');
const { exclude, $schema, ...SETTINGS } = JSON.parse(readFileSync(join(REPOSITORY, '.swcrc'), 'utf8'));
/** What compiled sources depend on beside their text. */
const COMPILER = JSON.stringify([version, SETTINGS]);

const lib = (path) => pathToFileURL(join(REPOSITORY, 'libs', path)).href;
/** Imports that are not the source of a library's index. */
const PARTS = {
  '@jest/globals': lib('testing/src/jest/globals.mjs'),
  '@hone/testing/fake-upstream': lib('testing/src/fake-upstream/index.ts'),
  '@hone/testing/until': lib('testing/src/until.ts'),
  '@hone/platform/process-start': lib('platform/src/process/process-start.ts'),
  '@hone/platform/config': lib('platform/src/config/index.ts'),
  '@hone/platform/configuration-file': lib('platform/src/configuration-file/index.ts'),
  '@hone/platform/docs-page': lib('platform/src/openapi/docs-page.ts'),
  '@hone/calls/redaction': lib('calls/src/redaction/redaction.ts'),
  '@hone/contracts/json': lib('contracts/src/json/index.ts'),
};

mkdirSync(CACHE, { recursive: true });

/** Sources import each other as what they are compiled to (`./x.js`), and the libraries by name. */
export function resolve(specifier, context, next) {
  const url = PARTS[specifier] ?? libraryOf(specifier) ?? sourceOf(specifier, context.parentURL);
  return url ? { url, format: 'module', shortCircuit: true } : next(specifier, context);
}

function libraryOf(specifier) {
  const [, name] = /^@hone\/([^/]+)$/.exec(specifier) ?? [];
  return name && lib(`${name}/src/index.ts`);
}

function sourceOf(specifier, parent) {
  if (!/^\.{1,2}\//.test(specifier) || !parent?.endsWith('.ts')) return undefined;
  const path = join(dirname(fileURLToPath(parent)), specifier.replace(/\.js$/, ''));
  const found = [`${path}.ts`, join(path, 'index.ts')].find((candidate) => existsSync(candidate));
  return found && pathToFileURL(found).href;
}

/** Compiles TypeScript as the build does, once for all workers. */
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

/** In one step, as workers write and read at once. */
function write(file, text) {
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, file);
}
