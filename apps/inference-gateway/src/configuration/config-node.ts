import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';

import { ConfigurationError } from './configuration.errors.js';

/** A file that is being read: what its nodes need to say where they stand. */
interface Source {
  readonly file: string;
  readonly lines: LineCounter;
  readonly resolve: (node: Node) => Node | undefined;
}

/** A value of the file. Every reading of it that fails tells file, line, and what was expected. */
export class ConfigNode {
  private constructor(
    private readonly node: Node | null,
    private readonly source: Source,
    /** Where it stands in words, for example `upstreams[1].base_url`. */
    readonly path: string,
  ) {}

  /**
   * The top of a file: YAML, or JSON, which is YAML too.
   *
   * @throws ConfigurationError it is neither
   */
  static parse(file: string, text: string): ConfigNode {
    const lines = new LineCounter();
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
    const [error] = document.errors;
    if (error) throw new ConfigurationError(file, lines.linePos(error.pos[0]).line, firstLine(error.message));
    const resolve = (node: Node) => (isAlias(node) ? node.resolve(document) : node);
    return new ConfigNode(document.contents, { file, lines, resolve }, '');
  }

  get line(): number | null {
    const start = this.node?.range?.[0];
    return start === undefined ? null : this.source.lines.linePos(start).line;
  }

  fail(reason: string): never {
    const where = this.path === '' ? '' : `${this.path} `;
    throw new ConfigurationError(this.source.file, this.line, `${where}${reason}`);
  }

  /** @param keys all that may stand in the object */
  object(keys: readonly string[]): ConfigObject {
    const members = new Map<string, ConfigNode>();
    if (!isMap(this.node)) return this.fail('must be an object.');
    for (const { key, value } of this.node.items) {
      const name = String(isScalar(key) ? key.value : key);
      const keyNode = new ConfigNode(key as Node, this.source, this.pathOf(name));
      if (!keys.includes(name)) keyNode.fail(`is unknown; known here: ${keys.join(', ')}.`);
      const resolved = value === null ? null : (this.source.resolve(value as Node) ?? null);
      // What is null is absent, and has no place of its own.
      if (resolved === null || (isScalar(resolved) && resolved.value === null)) continue;
      members.set(name, new ConfigNode(resolved, this.source, this.pathOf(name)));
    }
    return new ConfigObject(this, members);
  }

  list(): ConfigNode[] {
    if (!isSeq(this.node)) return this.fail('must be a list.');
    return this.node.items.map((item, index) => {
      const resolved = this.source.resolve(item as Node) ?? null;
      return new ConfigNode(resolved, this.source, `${this.path}[${index}]`);
    });
  }

  /** Key -> value of an object whose keys are free. */
  entries(): [string, ConfigNode][] {
    if (!isMap(this.node)) return this.fail('must be an object.');
    return this.node.items.map(({ key, value }) => {
      const name = String(isScalar(key) ? key.value : key);
      return [name, new ConfigNode(value as Node | null, this.source, this.pathOf(name))];
    });
  }

  get isText(): boolean {
    return isScalar(this.node) && typeof this.node.value === 'string';
  }

  text(): string {
    const value = this.scalar();
    return typeof value === 'string' && value !== '' ? value : this.fail('must be a text that is not empty.');
  }

  boolean(): boolean {
    const value = this.scalar();
    return typeof value === 'boolean' ? value : this.fail('must be true or false.');
  }

  number(min: number, max: number): number {
    const value = this.scalar();
    const isRight = typeof value === 'number' && value >= min && value <= max;
    return isRight ? value : this.fail(`must be a number from ${min} to ${max}.`);
  }

  integer(min: number, max = Number.MAX_SAFE_INTEGER): number {
    const value = this.scalar();
    const isRight = Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
    const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    return isRight ? (value as number) : this.fail(`must be an integer ${range}.`);
  }

  oneOf<T extends string>(values: readonly T[]): T {
    const value = this.scalar();
    return values.includes(value as T) ? (value as T) : this.fail(`must be one of ${values.join(', ')}.`);
  }

  private scalar(): unknown {
    return isScalar(this.node) ? this.node.value : undefined;
  }

  private pathOf(key: string): string {
    return this.path === '' ? key : `${this.path}.${key}`;
  }
}

/** An object of the file. Null members are absent. */
export class ConfigObject {
  constructor(
    readonly node: ConfigNode,
    private readonly members: ReadonlyMap<string, ConfigNode>,
  ) {}

  get(key: string): ConfigNode | null {
    return this.members.get(key) ?? null;
  }

  require(key: string): ConfigNode {
    return this.members.get(key) ?? this.node.fail(`needs ${key}.`);
  }

  /** Reads a member, or takes `fallback` when it is absent. */
  read<T>(key: string, fallback: T, read: (node: ConfigNode) => T): T {
    const node = this.members.get(key);
    return node === undefined ? fallback : read(node);
  }
}

const firstLine = (text: string): string => text.split('\n', 1)[0] as string;
