import { createRequire } from 'node:module';

import type { Loc } from '@hone/contracts';
import type * as Yaml from 'yaml';

import { ConfigurationError } from './configuration.errors.js';

/** Loaded with the first file: most processes have none. */
const yaml = (): typeof Yaml => createRequire(import.meta.url)('yaml') as typeof Yaml;

/** A YAML file (or JSON, which is YAML too) whose values know their lines. */
export class SourceFile {
  private readonly lines = new (yaml().LineCounter)();
  private readonly document: Yaml.Document;
  /** The plain value. */
  readonly value: unknown;

  /** @throws ConfigurationError the text is not YAML */
  constructor(
    private readonly name: string,
    text: string,
  ) {
    this.document = yaml().parseDocument(text, { lineCounter: this.lines, prettyErrors: false });
    const [error] = this.document.errors;
    if (error) this.failAt(this.lines.linePos(error.pos[0]).line, error.message.split('\n', 1)[0] as string);
    this.value = this.document.toJS();
  }

  /** @param loc keys and indexes; that of something missing has the line of what it is missing from */
  fail(loc: Loc, reason: string): never {
    return this.failAt(this.line(loc), `${pathOf(loc)}${reason}`);
  }

  /** 1 is the first line; null: the file is empty. */
  line(loc: Loc): number | null {
    for (let depth = loc.length; depth >= 0; depth--) {
      const node = depth === 0 ? this.document.contents : this.document.getIn(loc.slice(0, depth), true);
      if (yaml().isNode(node) && node.range) return this.lines.linePos(node.range[0]).line;
    }
    return null;
  }

  private failAt(line: number | null, reason: string): never {
    throw new ConfigurationError(this.name, line, reason);
  }
}

/** For example `upstreams[1].base_url: `. */
function pathOf(loc: Loc): string {
  const path = loc.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  return path === '' ? '' : `${path.replace(/^\./, '')}: `;
}
