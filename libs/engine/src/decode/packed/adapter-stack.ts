import { Tensor } from 'onnxruntime-node';

import type { LlamaConfig } from '../../model/config/llama-config.js';
import { freeMemory } from '../../runtime/free-memory.js';
import { type Feeds, joinFeeds } from '../../runtime/join-feeds.js';
import { type ProjectionName, projectionPath, PROJECTIONS } from '../../train/trained-parameters.js';
import { type ProductName, PRODUCTS } from '../graph/decoder-tensors.js';
import { type AdapterPlace, adapterPlaces, RANKED, RANKS, selectOf } from './adapter-places.js';
import { moveToOwnMemory, type PackedAdapter } from './packed-adapter.js';

/** Growth factor of buffers. Pages of a large buffer that were never written take no memory. */
const GROWTH = 1.5;

/** One matrix of one adapter, and where it starts in an input of the graph. */
interface Matrix {
  readonly matrices: Map<string, Float32Array>;
  readonly path: string;
  readonly start: number;
}

/** Where the adapters that change a projection stand below each other. */
interface Slots {
  readonly firstRanks: ReadonlyMap<PackedAdapter, number>;
  readonly ranks: number;
}

/** Settings of a stack. */
export interface AdapterStackOptions {
  /** For how many uses an unused adapter stays in the stack; 1: only while it is used. */
  readonly keptUses: number;
  /** The stack holds the adapters' only copy, to save memory. At most one stack of an adapter may do so. */
  readonly takesOver: boolean;
}

/**
 * The adapters of a step below each other, as the packed graph takes them. They lie in buffers that stay: new ones for
 * every change of the adapters would be several times their size in memory until the garbage is collected.
 */
export class AdapterStack {
  private readonly places: readonly AdapterPlace[];
  private readonly buffers = new Map<string, Float32Array>();
  /** An input while it is laid out, where adapters may lie in the very buffer that it will be written to. */
  private draft = new Float32Array(0);
  /** Memory of adapters or inputs before they were laid out anew, kept for reuse. */
  private readonly left = new Set<ArrayBufferLike>();
  private held: ReadonlySet<PackedAdapter> = new Set();
  private slots: ReadonlyMap<ProjectionName, Slots>;
  private feeds: Feeds;
  /** The last use of each adapter. */
  private readonly lastUses = new Map<PackedAdapter, number>();
  private uses = 0;

  /** Begins without adapters: only the base model is used. */
  constructor(
    config: LlamaConfig,
    private readonly options: AdapterStackOptions,
  ) {
    this.places = adapterPlaces(config);
    this.slots = slotsOf([]);
    this.feeds = this.layOut();
  }

  /**
   * Inputs of the graph for tokens with these adapters, valid until the next use.
   *
   * @param adapterOf per token; null: the base model
   */
  use(adapterOf: readonly (PackedAdapter | null)[]): Feeds {
    this.uses += 1;
    for (const adapter of adapterOf) if (adapter !== null) this.lastUses.set(adapter, this.uses);
    for (const [adapter, last] of this.lastUses)
      if (last <= this.uses - this.options.keptUses) this.lastUses.delete(adapter);
    if (!this.holds(this.lastUses)) this.hold(new Set(this.lastUses.keys()));
    const selects = Object.entries(PRODUCTS).map(([name, projections]) => [
      selectOf(name as ProductName),
      this.select(projections, adapterOf),
    ]);
    return joinFeeds(this.feeds, Object.fromEntries(selects) as Feeds);
  }

  private holds(adapters: ReadonlyMap<PackedAdapter, unknown>): boolean {
    return adapters.size === this.held.size && [...adapters.keys()].every((adapter) => this.held.has(adapter));
  }

  private hold(adapters: ReadonlySet<PackedAdapter>): void {
    // Their places will be written over.
    if (this.options.takesOver) {
      for (const adapter of this.held) if (!adapters.has(adapter)) moveToOwnMemory(adapter);
    }
    this.held = adapters;
    this.slots = slotsOf([...adapters]);
    this.feeds = this.layOut();
    for (const { buffer } of this.buffers.values()) this.left.delete(buffer);
    freeMemory(this.left);
    this.left.clear();
  }

  private select(projections: readonly ProjectionName[], adapterOf: readonly (PackedAdapter | null)[]): Tensor {
    const width = this.ranksOf(projections);
    const data = new Float32Array(adapterOf.length * width);
    let start = 0;
    for (const projection of projections) {
      const { firstRanks, ranks } = this.slotsOf(projection);
      for (const [token, adapter] of adapterOf.entries()) {
        const first = adapter === null ? undefined : firstRanks.get(adapter);
        if (adapter === null || first === undefined) continue;
        const from = token * width + start + first;
        data.fill(adapter.scale, from, from + adapter.rank);
      }
      start += ranks;
    }
    return new Tensor('float32', data, [adapterOf.length, width]);
  }

  private layOut(): Feeds {
    const ranks = BigInt64Array.from(RANKED, (projections) => BigInt(this.ranksOf(projections)));
    const feeds: Record<string, Tensor> = { [RANKS]: new Tensor('int64', ranks, [ranks.length]) };
    for (const place of this.places) feeds[place.input] = this.lay(place);
    return feeds;
  }

  /** Writes an input of the graph of the matrices that it consists of. */
  private lay({ input, width, pieces }: AdapterPlace): Tensor {
    const matrices: Matrix[] = [];
    let rows = 0;
    for (const { layer, factor, projections } of pieces) {
      for (const projection of projections) {
        const { firstRanks, ranks } = this.slotsOf(projection);
        const path = projectionPath(layer, projection);
        for (const [adapter, first] of firstRanks)
          matrices.push({ matrices: adapter[factor], path, start: (rows + first) * width });
        rows += ranks;
      }
    }
    const laid = this.buffer(input, rows * width);
    const written = this.options.takesOver ? this.draftOf(laid.length) : laid;
    for (const { matrices: from, path, start } of matrices) written.set(from.get(path) as Float32Array, start);
    if (this.options.takesOver) {
      laid.set(written);
      for (const matrix of matrices) this.left.add(moveTo(laid, matrix));
    }
    return new Tensor('float32', laid, [rows, width]);
  }

  private draftOf(length: number): Float32Array {
    if (this.draft.length < length) this.draft = new Float32Array(GROWTH * length);
    return this.draft.subarray(0, length);
  }

  private slotsOf(projection: ProjectionName): Slots {
    return this.slots.get(projection) as Slots;
  }

  private ranksOf(projections: readonly ProjectionName[]): number {
    return projections.reduce((sum, projection) => sum + this.slotsOf(projection).ranks, 0);
  }

  /** Buffers grow by more than is needed, and shrink when most of them would be empty. */
  private buffer(input: string, length: number): Float32Array {
    const held = this.buffers.get(input);
    if (held !== undefined && length <= held.length && 4 * length >= held.length) return held.subarray(0, length);
    const grows = held !== undefined && held.length > 0 && length > held.length;
    const buffer = new Float32Array(Math.ceil(grows ? GROWTH * length : length));
    if (held !== undefined) this.left.add(held.buffer);
    this.buffers.set(input, buffer);
    return buffer.subarray(0, length);
  }
}

/** Makes the adapter use the copy of its matrix in the stack. @returns the memory that it used before */
function moveTo(laid: Float32Array, { matrices, path, start }: Matrix): ArrayBufferLike {
  const { length, buffer } = matrices.get(path) as Float32Array;
  matrices.set(path, laid.subarray(start, start + length));
  return buffer;
}

function slotsOf(adapters: readonly PackedAdapter[]): ReadonlyMap<ProjectionName, Slots> {
  return new Map(
    PROJECTIONS.map((projection) => {
      const firstRanks = new Map<PackedAdapter, number>();
      let ranks = 0;
      for (const adapter of adapters) {
        if (!adapter.targets.includes(projection)) continue;
        firstRanks.set(adapter, ranks);
        ranks += adapter.rank;
      }
      return [projection, { firstRanks, ranks }];
    }),
  );
}
