import { readFile } from 'node:fs/promises';

import { BaseModelDamagedError, BaseModelUnsupportedError } from './model.errors.js';

/** Reads a model's JSON file that must be there and hold an object. @throws BaseModelDamagedError */
export async function readJsonFields(path: string): Promise<JsonFields> {
  const fields = await findJsonFields(path);
  if (!fields) throw new BaseModelDamagedError(path, 'the file is missing');
  return fields;
}

/** The same, or null when there is no such file. */
export async function findJsonFields(path: string): Promise<JsonFields | null> {
  const text = await findText(path);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return new JsonFields(path, value);
  } catch (error) {
    throw new BaseModelDamagedError(path, 'it is not valid JSON', { cause: error });
  }
  throw new BaseModelDamagedError(path, 'expected a JSON object');
}

/** A file's text, or null when there is no such file. */
export async function findText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
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
    throw new BaseModelDamagedError(this.file, `${name} is ${JSON.stringify(value)}, expected an object`);
  }

  /** @throws BaseModelUnsupportedError `name` holds something else than `value`; absent is fine */
  expect(name: string, value: unknown): void {
    const found = this.get(name);
    if (found !== null && found !== value) {
      const wanted = `only ${JSON.stringify(value)} is supported`;
      throw new BaseModelUnsupportedError(this.file, `${name} is ${JSON.stringify(found)}, ${wanted}`);
    }
  }

  private read<T>(name: string, wanted: string, fallback: T | undefined, fits: (value: unknown) => boolean): T {
    const value = this.get(name) ?? fallback;
    if (value === undefined) throw new BaseModelDamagedError(this.file, `${name} is missing, expected ${wanted}`);
    if (fits(value)) return value as T;
    throw new BaseModelDamagedError(this.file, `${name} is ${JSON.stringify(value)}, expected ${wanted}`);
  }
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
