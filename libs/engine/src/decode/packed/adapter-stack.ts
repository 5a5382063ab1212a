import { Tensor } from 'onnxruntime-node';

import type { LlamaConfig } from '../../model/llama-config.js';
import { tensorShapes } from '../../model/tensor-shapes.js';
import { projectionPath } from '../../train/trained-parameters.js';

import { adapterPlaces } from './adapter-places.js';
import type { PackedAdapter } from './packed-adapter.js';

/** The adapters of one step below each other, as the packed graph takes them. */
export class AdapterStack {
  readonly feeds: Readonly<Record<string, Tensor>>;
  private readonly ranks: number;
  /** First rank of each adapter. */
  private readonly firstRanks: ReadonlyMap<PackedAdapter, number>;

  /** @param adapters different ones; none: the base model alone */
  constructor(
    config: LlamaConfig,
    private readonly adapters: readonly PackedAdapter[],
  ) {
    let ranks = 0;
    this.firstRanks = new Map(adapters.map((adapter) => [adapter, (ranks += adapter.rank) - adapter.rank]));
    this.ranks = ranks;
    const shapes = tensorShapes(config);
    const feeds: Record<string, Tensor> = {};
    for (const { layer, projections, a, b } of adapterPlaces(config)) {
      const paths = projections.map((name) => projectionPath(layer, name));
      const [, width = 0] = shapes.get(`${paths[0]}.weight`) ?? [];
      const data = new Float32Array(paths.length * ranks * width);
      for (const [index, path] of paths.entries()) {
        const [rows = 0] = shapes.get(`${path}.weight`) ?? [];
        this.fill(data.subarray(index * ranks * width), width, ({ a: matrices }) => matrices.get(path));
        const wide = new Float32Array(ranks * rows);
        this.fill(wide, rows, ({ b: matrices }) => matrices.get(path));
        feeds[b[index] as string] = new Tensor('float32', wide, [ranks, rows]);
      }
      feeds[a] = new Tensor('float32', data, [paths.length * ranks, width]);
    }
    this.feeds = feeds;
  }

  /** Whether these are its adapters, in this order. */
  holds(adapters: readonly PackedAdapter[]): boolean {
    return adapters.length === this.adapters.length && adapters.every((one, index) => one === this.adapters[index]);
  }

  /** The input `select`. @param adapterOf per token; null: the base model */
  select(adapterOf: readonly (PackedAdapter | null)[]): Tensor {
    const data = new Float32Array(adapterOf.length * this.ranks);
    adapterOf.forEach((adapter, token) => {
      if (adapter === null) return;
      const start = token * this.ranks + (this.firstRanks.get(adapter) as number);
      data.fill(adapter.scale, start, start + adapter.rank);
    });
    return new Tensor('float32', data, [adapterOf.length, this.ranks]);
  }

  private fill(
    target: Float32Array,
    width: number,
    matrixOf: (adapter: PackedAdapter) => Float32Array | undefined,
  ): void {
    for (const [adapter, firstRank] of this.firstRanks) {
      const matrix = matrixOf(adapter);
      if (matrix !== undefined) target.set(matrix, firstRank * width);
    }
  }
}
