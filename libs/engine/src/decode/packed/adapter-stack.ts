import { Tensor } from 'onnxruntime-node';

import type { LlamaConfig } from '../../model/llama-config.js';
import { tensorShapes } from '../../model/tensor-shapes.js';
import { projectionPath } from '../../train/trained-parameters.js';

import { adapterPlaces } from './adapter-places.js';
import type { PackedAdapter } from './packed-adapter.js';

/** By how much buffers grow: adapters come one by one. */
const GROWTH = 1.25;

/**
 * The adapters of a step below each other, as the packed graph takes them. They lie in buffers that stay: new ones for
 * every change of the adapters would be several times their size in memory until the garbage is collected.
 */
export class AdapterStack {
  private feeds: Readonly<Record<string, Tensor>>;
  private readonly buffers = new Map<string, Float32Array>();
  private capacity = 0;
  private ranks = 0;
  /** First rank of each adapter. */
  private readonly firstRanks = new Map<PackedAdapter, number>();
  /** At which use each adapter was asked for. */
  private readonly lastUses = new Map<PackedAdapter, number>();
  private uses = 0;

  /**
   * Holds none: the base model alone.
   *
   * @param keptUses how many uses long an adapter stays without being asked for, 1: only while it is
   */
  constructor(
    private readonly config: LlamaConfig,
    private readonly keptUses: number,
  ) {
    this.feeds = this.layOut([]);
  }

  /**
   * Inputs of the graph for tokens with these adapters, valid until the next use.
   *
   * @param adapterOf per token; null: the base model
   */
  use(adapterOf: readonly (PackedAdapter | null)[]): Readonly<Record<string, Tensor>> {
    this.uses += 1;
    for (const adapter of adapterOf) if (adapter !== null) this.lastUses.set(adapter, this.uses);
    for (const [adapter, last] of this.lastUses) if (last <= this.uses - this.keptUses) this.lastUses.delete(adapter);
    if (!this.holds(this.lastUses)) this.feeds = this.layOut([...this.lastUses.keys()]);
    return { ...this.feeds, select: this.select(adapterOf) };
  }

  private holds(adapters: ReadonlyMap<PackedAdapter, unknown>): boolean {
    if (adapters.size !== this.firstRanks.size) return false;
    return [...adapters.keys()].every((adapter) => this.firstRanks.has(adapter));
  }

  private select(adapterOf: readonly (PackedAdapter | null)[]): Tensor {
    const data = new Float32Array(adapterOf.length * this.ranks);
    adapterOf.forEach((adapter, token) => {
      if (adapter === null) return;
      const start = token * this.ranks + (this.firstRanks.get(adapter) as number);
      data.fill(adapter.scale, start, start + adapter.rank);
    });
    return new Tensor('float32', data, [adapterOf.length, this.ranks]);
  }

  private layOut(adapters: readonly PackedAdapter[]): Readonly<Record<string, Tensor>> {
    this.firstRanks.clear();
    this.ranks = 0;
    for (const adapter of adapters) {
      this.firstRanks.set(adapter, this.ranks);
      this.ranks += adapter.rank;
    }
    this.makeRoom();
    const { ranks } = this;
    const shapes = tensorShapes(this.config);
    const feeds: Record<string, Tensor> = {};
    for (const { layer, projections, a, b } of adapterPlaces(this.config)) {
      const paths = projections.map((name) => projectionPath(layer, name));
      const [, width = 0] = shapes.get(`${paths[0]}.weight`) ?? [];
      const data = this.buffer(a, paths.length * width);
      for (const [index, path] of paths.entries()) {
        const [rows = 0] = shapes.get(`${path}.weight`) ?? [];
        this.fill(data.subarray(index * ranks * width), width, ({ a: matrices }) => matrices.get(path));
        const wide = this.buffer(b[index] as string, rows);
        this.fill(wide, rows, ({ b: matrices }) => matrices.get(path));
        feeds[b[index] as string] = new Tensor('float32', wide, [ranks, rows]);
      }
      feeds[a] = new Tensor('float32', data, [paths.length * ranks, width]);
    }
    return feeds;
  }

  /** Buffers grow all at once, and are given back when most of them would be empty. */
  private makeRoom(): void {
    if (this.ranks <= this.capacity && 4 * this.ranks >= this.capacity) return;
    const grows = this.ranks > this.capacity && this.capacity > 0;
    this.capacity = Math.ceil(grows ? GROWTH * this.ranks : this.ranks);
    this.buffers.clear();
  }

  /** @param width numbers of one rank */
  private buffer(input: string, width: number): Float32Array {
    let buffer = this.buffers.get(input);
    if (buffer === undefined) this.buffers.set(input, (buffer = new Float32Array(this.capacity * width)));
    return buffer.subarray(0, this.ranks * width);
  }

  private fill(
    target: Float32Array,
    width: number,
    matrixOf: (adapter: PackedAdapter) => Float32Array | undefined,
  ): void {
    for (const [adapter, firstRank] of this.firstRanks) {
      const matrix = matrixOf(adapter);
      const start = firstRank * width;
      // What was there before belongs to another adapter.
      if (matrix === undefined) target.fill(0, start, start + adapter.rank * width);
      else target.set(matrix, start);
    }
  }
}
