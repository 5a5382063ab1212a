import { ConstraintInvalidError, ConstraintUnsupportedError } from '../constraint.errors.js';

/** Annotations: keywords that do not constrain values. */
const ANNOTATIONS = new Set([
  '$schema',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

/** One schema object with its JSON pointer: reads its keywords. */
export class SchemaNode {
  constructor(
    readonly values: Readonly<Record<string, unknown>>,
    /** JSON pointer from the root. */
    readonly pointer: string,
  ) {}

  static of(schema: unknown, pointer: string): SchemaNode {
    if (schema === true) return new SchemaNode({}, pointer);
    if (schema === false) throw new ConstraintInvalidError(pointer, 'The schema false allows no value.');
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
      throw new ConstraintInvalidError(pointer, 'A schema is an object or a boolean.');
    }
    return new SchemaNode(schema as Record<string, unknown>, pointer);
  }

  has(keyword: string): boolean {
    return Object.hasOwn(this.values, keyword) && this.values[keyword] !== undefined;
  }

  /** Keywords that constrain values. `$id` counts where it would change the base of references. */
  get assertions(): string[] {
    return Object.keys(this.values).filter(
      (key) =>
        this.has(key) && !ANNOTATIONS.has(key) && !key.startsWith('x-') && !(key === '$id' && this.pointer === ''),
    );
  }

  child(keyword: string, ...path: (string | number)[]): SchemaNode {
    let value: unknown = this.values[keyword];
    for (const step of path) value = (value as Record<string | number, unknown>)[step];
    return SchemaNode.of(value, this.at(keyword, ...path));
  }

  at(...path: (string | number)[]): string {
    return [this.pointer, ...path.map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');
  }

  /**
   * @param lesser the keyword that a schema means less than by the others, unless that is the type alone; default: the
   *   stranger
   * @throws ConstraintUnsupportedError for the first keyword that is not among these
   */
  allowOnly(keywords: readonly string[], beside = '', lesser: string | null = null): void {
    const strangers = this.assertions.filter((key) => !keywords.includes(key));
    const [stranger] = strangers;
    if (stranger === undefined) return;
    const isTypeAlone = strangers.length === 1 && stranger === 'type';
    throw new ConstraintUnsupportedError(
      this.pointer,
      `The keyword ${JSON.stringify(stranger)} is not supported${beside}.`,
    ).at(this.at(lesser === null || isTypeAlone ? stranger : lesser));
  }

  count(keyword: string): number | null {
    const value = this.values[keyword];
    if (value === undefined) return null;
    if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
    return this.invalid(keyword, 'is an integer, 0 or more');
  }

  number(keyword: string): number | null {
    const value = this.values[keyword];
    if (value === undefined) return null;
    return typeof value === 'number' && Number.isFinite(value) ? value : this.invalid(keyword, 'is a number');
  }

  list(keyword: string): readonly unknown[] {
    const value = this.values[keyword];
    return Array.isArray(value) && value.length > 0 ? value : this.invalid(keyword, 'is a list with at least one item');
  }

  record(keyword: string): Readonly<Record<string, unknown>> {
    const value = this.values[keyword] ?? {};
    if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
    return this.invalid(keyword, 'is an object');
  }

  strings(keyword: string): readonly string[] {
    const value = this.values[keyword] ?? [];
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    return this.invalid(keyword, 'is a list of strings');
  }

  invalid(keyword: string, rule: string): never {
    throw new ConstraintInvalidError(this.pointer, `${JSON.stringify(keyword)} ${rule}.`);
  }
}
