import { readFile, stat } from 'node:fs/promises';

import { isJsonObject } from '@hone/json';

import { BaseModelDamagedError, BaseModelUnsupportedError } from './model.errors.js';

/** Reads a model's JSON file that must be there and hold an object. @throws BaseModelDamagedError */
export async function readJsonFields(path: string): Promise<JsonFields> {
  const fields = await findJsonFields(path);
  if (!fields) throw new BaseModelDamagedError(path, 'the file is missing');
  return fields;
}

/** Reads a JSON file likewise; null: there is no such file. */
export async function findJsonFields(path: string): Promise<JsonFields | null> {
  const text = await findText(path);
  if (text === null) return null;
  const value = parseJson(path, text);
  if (!isJsonObject(value)) throw new BaseModelDamagedError(path, 'expected a JSON object');
  if (isDeep(value)) throw new BaseModelDamagedError(path, `it is nested more than ${MAX_DEPTH} deep`);
  return new JsonFields(path, value);
}

/** The tokenizers of the largest vocabularies take 35 MB, everything else less than one. */
const MAX_FILE_BYTES = 128 * 2 ** 20;
/** Files of models have up to 8 levels. Their readers, and libraries below them, are recursive. */
const MAX_DEPTH = 64;

/**
 * A file's text, or null when there is no such file.
 *
 * @throws BaseModelDamagedError it is larger than any such file, or no file: nothing of it is read
 */
export async function findText(path: string): Promise<string | null> {
  try {
    // Checked before the file is opened: opening a pipe would wait for ever.
    const status = await stat(path);
    if (!status.isFile()) throw new BaseModelDamagedError(path, 'it is no file');
    if (status.size > MAX_FILE_BYTES) {
      throw new BaseModelDamagedError(path, `it has ${status.size} bytes, expected at most ${MAX_FILE_BYTES}`);
    }
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BaseModelDamagedError(path, 'it is not valid JSON', { cause: error });
  }
}

/** Iterative, as a recursive check could itself exhaust the stack. */
function isDeep(value: object): boolean {
  let level: object[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    const next: object[] = [];
    for (const each of level) {
      // No copy of the pairs of tokenizers, of which there are hundreds of thousands.
      const items: readonly unknown[] = Array.isArray(each) ? each : Object.values(each);
      for (const item of items) if (typeof item === 'object' && item !== null) next.push(item);
    }
    level = next;
  }
  return false;
}

/**
 * Fields of a JSON object that others wrote, read with their type. `null` counts as absent, as it does in
 * transformers' configurations. Every refusal names the file and the field.
 */
export class JsonFields {
  constructor(
    readonly file: string,
    readonly values: Readonly<Record<string, unknown>>,
  ) {}

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  get(name: string): unknown {
    return (Object.hasOwn(this.values, name) ? this.values[name] : null) ?? null;
  }

  /** A whole number >= 1. */
  size(name: string, fallback?: number): number {
    return this.read(
      name,
      'a whole number >= 1',
      fallback,
      (value) => Number.isSafeInteger(value) && Number(value) > 0,
    );
  }

  /** A whole number >= 0. */
  count(name: string, fallback?: number): number {
    return this.read(
      name,
      'a whole number >= 0',
      fallback,
      (value) => Number.isSafeInteger(value) && Number(value) >= 0,
    );
  }

  /** A finite number > 0. */
  positive(name: string, fallback?: number): number {
    return this.read(name, 'a number > 0', fallback, (value) => Number.isFinite(value) && Number(value) > 0);
  }

  flag(name: string, fallback: boolean): boolean {
    return this.read(name, 'true or false', fallback, (value) => typeof value === 'boolean');
  }

  text(name: string, fallback?: string): string {
    return this.read(name, 'a string', fallback, (value) => typeof value === 'string');
  }

  /** An object inside this one, or null. */
  object(name: string): JsonFields | null {
    const value = this.get(name);
    if (value === null) return null;
    if (isJsonObject(value)) return new JsonFields(this.file, value);
    throw new BaseModelDamagedError(this.file, `${name} is ${shownValue(value)}, expected an object`);
  }

  /** @throws BaseModelUnsupportedError `name` holds something else than `value`; absent is fine */
  expect(name: string, value: unknown): void {
    const found = this.get(name);
    if (found !== null && found !== value) {
      const wanted = `only ${JSON.stringify(value)} is supported`;
      throw new BaseModelUnsupportedError(this.file, `${name} is ${shownValue(found)}, ${wanted}`);
    }
  }

  private read<T>(name: string, wanted: string, fallback: T | undefined, fits: (value: unknown) => boolean): T {
    const value = this.get(name) ?? fallback;
    if (value === undefined) throw new BaseModelDamagedError(this.file, `${name} is missing, expected ${wanted}`);
    if (fits(value)) return value as T;
    throw new BaseModelDamagedError(this.file, `${name} is ${shownValue(value)}, expected ${wanted}`);
  }
}

/** A value of a file, for a message: as JSON, and not longer than a sentence. */
export const shownValue = (value: unknown, maxCharacters = 200): string =>
  shortened(JSON.stringify(value), maxCharacters);

export const shortened = (text: string, maxCharacters: number): string =>
  text.length > maxCharacters ? `${text.slice(0, maxCharacters).toWellFormed()}…` : text;
