import type { CompiledGrammar, GrammarCompiler, GrammarMatcher } from '@mlc-ai/web-xgrammar';

import { BYTE_CHARACTERS } from '../../model/tokenizer/byte-characters.js';
import type { TokenMask } from '../sampling/token-mask.js';
import { ConstraintInvalidError } from './constraint.errors.js';
import type { ConstraintSource } from './constraint.js';
import type { ConstraintThreadData } from './constraint-messages.js';
import { DEFAULT_COUNTED } from './grammar/ebnf.js';
import { toGrammar } from './source-grammar.js';
import { Utf8Guard } from './utf8-guard.js';
import { loadXgrammar } from './xgrammar.js';

const MAX_COMPILED = 64;
/**
 * Characters counted one by one in a grammar, times the tokens of the vocabulary: compiling tries each token for each of
 * them. So many take about 1.5 s.
 */
const MAX_COUNTED_TOKENS = 1_500_000;
/** Lower bound: with shorter runs, the rules between the runs would cost more than they save. */
const MIN_COUNTED = 8;

interface OpenMatcher {
  readonly matcher: GrammarMatcher;
  utf8: number;
  accepted: number;
}

/** The open constraints of the constraint thread, each with its xgrammar matcher. */
export class MatcherPool {
  private readonly matchers = new Map<number, OpenMatcher>();
  /** The least recently used first. */
  private readonly compiled = new Map<string, CompiledGrammar>();
  private readonly utf8: Utf8Guard;

  private constructor(
    private readonly xgrammar: Awaited<ReturnType<typeof loadXgrammar>>,
    private readonly compiler: GrammarCompiler,
    private readonly data: ConstraintThreadData,
    private readonly tokens: readonly Uint8Array[],
  ) {
    this.utf8 = new Utf8Guard(tokens);
  }

  static async create(data: ConstraintThreadData): Promise<MatcherPool> {
    const xgrammar = await loadXgrammar();
    // xgrammar gets the bytes of any tokenizer's tokens in the alphabet of byte-level ones.
    const tokens = Array.from(data.ends, (end, id) => data.bytes.subarray(id === 0 ? 0 : data.ends[id - 1], end));
    const entries = tokens.map((bytes) => Array.from(bytes, (byte) => BYTE_CHARACTERS[byte]).join(''));
    const info = await xgrammar.TokenizerInfo.createTokenizerInfo(entries, 'byte_level', false, entries.length, [
      ...data.endIds,
    ]);
    const compiler = await xgrammar.GrammarCompiler.createGrammarCompiler(info, false);
    return new MatcherPool(xgrammar, compiler, data, tokens);
  }

  /** Compiles a constraint and replays tokens. @throws the errors of {@link toGrammar} */
  async open(id: number, source: ConstraintSource, accepted: readonly number[]): Promise<void> {
    const affordable = Math.floor(MAX_COUNTED_TOKENS / this.tokens.length);
    const counted = Math.max(MIN_COUNTED, Math.min(DEFAULT_COUNTED, affordable));
    const grammar = await this.compile(toGrammar(source, this.data.maxStates, counted));
    const matcher = await this.xgrammar.GrammarMatcher.createGrammarMatcher(grammar, [...this.data.endIds]);
    this.matchers.set(id, { matcher, utf8: this.utf8.start, accepted: 0 });
    for (const token of accepted) this.accept(id, token);
  }

  accept(id: number, token: number): void {
    const open = this.matchers.get(id);
    if (open === undefined) return;
    open.matcher.acceptToken(token);
    open.utf8 = this.utf8.after(open.utf8, token);
    open.accepted += 1;
  }

  /** Accepts a token if it is allowed. @returns how many are accepted with it; null: it is not allowed */
  propose(id: number, token: number): number | null {
    const open = this.matchers.get(id);
    if (open === undefined || !this.utf8.allows(open.utf8, token) || open.matcher.isTerminated()) return null;
    if (!open.matcher.acceptToken(token)) return null;
    open.utf8 = this.utf8.after(open.utf8, token);
    return (open.accepted += 1);
  }

  /** The allowed tokens, and after how many accepted ones. Null for a constraint that is closed. */
  async mask(id: number): Promise<{ mask: TokenMask; accepted: number } | null> {
    const open = this.matchers.get(id);
    if (open === undefined) return null;
    const { accepted } = open;
    if (open.matcher.isTerminated()) return { mask: new Uint32Array(Math.ceil(this.tokens.length / 32)), accepted };
    const bits = await open.matcher.getNextTokenBitmask();
    const mask = Uint32Array.from(bits, (word) => word >>> 0);
    this.utf8.restrict(mask, open.utf8);
    return { mask, accepted };
  }

  close(id: number): void {
    this.matchers.get(id)?.matcher.dispose();
    this.matchers.delete(id);
  }

  private async compile(grammar: string): Promise<CompiledGrammar> {
    const known = this.compiled.get(grammar) ?? (await this.compileNew(grammar));
    this.compiled.delete(grammar);
    this.compiled.set(grammar, known);
    if (this.compiled.size > MAX_COMPILED) {
      const [[oldest, unused]] = this.compiled as unknown as [[string, CompiledGrammar]];
      this.compiled.delete(oldest);
      unused.dispose();
    }
    return known;
  }

  private async compileNew(grammar: string): Promise<CompiledGrammar> {
    try {
      return await this.compiler.compileGrammar(grammar);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ConstraintInvalidError('', `The constraint does not compile: ${reason}`);
    }
  }
}
