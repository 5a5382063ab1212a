import type { LlamaConfig } from '../../model/config/llama-config.js';
import { type KeyValues, sliceKeyValues } from './key-values.js';

/** Tokens of one block. Small enough that short prompts with a common prefix share blocks. */
const BLOCK_TOKENS = 16;

interface Block extends KeyValues {
  /** Never used twice, so that a block's key names its whole prefix. */
  readonly id: number;
}

/**
 * Prefix cache: KV blocks of 16 tokens of recent prompts. The key of a block is its parent block and its own token
 * ids, so only an equal prefix matches. The least recently used blocks are evicted first.
 *
 * It holds prompts only: what the step graph computed for generated tokens differs from the prompt graph in the
 * last bits, and a cache must not change what a seed gives.
 */
export class PrefixCache {
  private readonly blocks = new Map<string, Block>();
  private nextId = 1;

  /** @param maxTokens tokens kept; 0: nothing is */
  constructor(
    private readonly config: LlamaConfig,
    private readonly maxTokens: number,
  ) {}

  /**
   * The longest cached prefix of `ids` in whole blocks. The last token is never part of it: its probabilities are
   * needed, and the cache does not hold them.
   *
   * @param scope what else must be equal: the weights and the caller's cache salt
   */
  find(scope: string, ids: readonly number[]): KeyValues[] {
    const found: [string, Block][] = [];
    for (const [key, start] of this.keys(scope, ids, (block) => found[block]?.[1].id)) {
      const block = start + BLOCK_TOKENS < ids.length ? this.blocks.get(key) : undefined;
      if (block === undefined) break;
      found.push([key, block]);
    }
    // Later blocks need the earlier ones: the first block becomes the most recently used.
    for (const [key, block] of found.toReversed()) this.touch(key, block);
    return found.map(([, block]) => block);
  }

  /** Keeps the whole blocks of a prompt whose keys and values are `pieces`, one after the other. */
  store(scope: string, ids: readonly number[], pieces: readonly KeyValues[]): void {
    if (this.maxTokens < BLOCK_TOKENS) return;
    const path: Block[] = [];
    for (const [key, start] of this.keys(scope, ids, (block) => path[block]?.id)) {
      const block = this.blocks.get(key) ?? { id: this.nextId++, ...this.cut(pieces, start) };
      path.push(block);
      this.touch(key, block);
    }
    while (this.blocks.size * BLOCK_TOKENS > this.maxTokens) {
      const [oldest] = this.blocks.keys();
      this.blocks.delete(oldest as string);
    }
  }

  private *keys(scope: string, ids: readonly number[], idOf: (block: number) => number | undefined) {
    for (let start = 0; start + BLOCK_TOKENS <= ids.length; start += BLOCK_TOKENS) {
      const parent = start === 0 ? scope : idOf(start / BLOCK_TOKENS - 1);
      yield [`${parent}/${ids.slice(start, start + BLOCK_TOKENS).join()}`, start] as const;
    }
  }

  private touch(key: string, block: Block): void {
    this.blocks.delete(key);
    this.blocks.set(key, block);
  }

  /** One block out of pieces of any lengths. */
  private cut(pieces: readonly KeyValues[], start: number): KeyValues {
    const { headDim } = this.config;
    const planes = this.config.numLayers * 2 * this.config.numKvHeads;
    const data = new Float32Array(planes * BLOCK_TOKENS * headDim);
    let first = 0;
    for (const piece of pieces) {
      const from = Math.max(start, first);
      const tokens = Math.min(start + BLOCK_TOKENS, first + piece.tokens) - from;
      if (tokens > 0) {
        const part = sliceKeyValues(this.config, piece, from - first, tokens);
        for (let plane = 0; plane < planes; plane += 1) {
          const slice = part.data.subarray(plane * tokens * headDim, (plane + 1) * tokens * headDim);
          data.set(slice, (plane * BLOCK_TOKENS + from - start) * headDim);
        }
      }
      first += piece.tokens;
    }
    return { tokens: BLOCK_TOKENS, data };
  }
}
