import type { GgufFile, MetadataValue } from '../../gguf-reader/index.js';
import { BaseModelDamagedError } from '../../model/config/model.errors.js';

/** Metadata of a GGUF file, read with their type. Every refusal names the file and the key. */
export class GgufFields {
  constructor(readonly file: GgufFile) {}

  get path(): string {
    return this.file.path;
  }

  has(key: string): boolean {
    return this.file.metadata.has(key);
  }

  /** A number; null: the key is absent. A list with the same number for each layer counts as that number. */
  number(key: string): number | null {
    const value = this.file.metadata.get(key);
    if (value === undefined || typeof value === 'number') return value ?? null;
    const first = isList(value) ? value[0] : undefined;
    if (typeof first === 'number' && (value as number[]).every((each) => each === first)) return first;
    throw this.wrong(key, 'a number, the same for all layers');
  }

  requiredNumber(key: string): number {
    const value = this.number(key);
    if (value === null) throw new BaseModelDamagedError(this.path, `${key} is missing`);
    return value;
  }

  text(key: string): string | null {
    const value = this.file.metadata.get(key) ?? null;
    if (value === null || typeof value === 'string') return value;
    throw this.wrong(key, 'a text');
  }

  flag(key: string): boolean | null {
    const value = this.file.metadata.get(key) ?? null;
    if (value === null || typeof value === 'boolean') return value;
    throw this.wrong(key, 'true or false');
  }

  texts(key: string): readonly string[] {
    const value = this.file.metadata.get(key);
    if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
    throw this.wrong(key, 'a list of texts');
  }

  /** A list of `length` numbers; null: the key is absent. */
  numbers(key: string, length: number): ArrayLike<number> | null {
    const value = this.file.metadata.get(key) ?? null;
    if (value === null) return null;
    if (isList(value) && value.length === length && typeof value[0] === 'number') return value as ArrayLike<number>;
    throw this.wrong(key, `${length} numbers`);
  }

  private wrong(key: string, expected: string): BaseModelDamagedError {
    return new BaseModelDamagedError(this.path, `${key}: expected ${expected}`);
  }
}

function isList(value: MetadataValue): value is Exclude<MetadataValue, string | number | bigint | boolean> {
  return typeof value === 'object';
}
