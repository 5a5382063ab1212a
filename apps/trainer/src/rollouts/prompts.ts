import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

import { type PromptLine, readPromptLine, readPromptLines } from '@hone/engine';

import { readLines } from '../data/read-lines.js';
import type { InputFile } from '../data/training-data.js';

const MAX_LINES = 1_000_000;

/** The prompts of a job, in the order in which rounds take them. */
export class Prompts {
  private order: { readonly pass: number; readonly lines: readonly number[] } | null = null;

  constructor(
    private readonly lines: readonly string[],
    private readonly seed: number,
  ) {}

  /** @throws PlanError, DataTooLargeError */
  static async read({ path }: InputFile, seed: number): Promise<Prompts> {
    return new Prompts(await readPromptLines(readLines(createReadStream(path), MAX_LINES)), seed);
  }

  get length(): number {
    return this.lines.length;
  }

  /** @param index 0, 1, 2, …, through one pass after the other */
  at(index: number): PromptLine {
    const line = this.orderOf(Math.floor(index / this.length))[index % this.length] as number;
    return readPromptLine(this.lines[line] as string) as PromptLine;
  }

  /** The lines in the order of a hash, another one for each pass. */
  private orderOf(pass: number): readonly number[] {
    if (this.order?.pass === pass) return this.order.lines;
    const hashOf = (line: number) => createHash('sha256').update(`${this.seed}.${pass}.${line}`).digest('hex');
    const lines = this.lines
      .map((_, line) => ({ line, hash: hashOf(line) }))
      .sort((a, b) => (a.hash < b.hash ? -1 : 1))
      .map(({ line }) => line);
    this.order = { pass, lines };
    return lines;
  }
}
