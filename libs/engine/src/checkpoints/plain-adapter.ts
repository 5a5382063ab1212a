import type { FloatTensor } from '../tensor.js';
import type { AdapterSettings } from './adapter-config.js';
import type { ModuleScale } from './adapter-scales.js';
import type { AdaptedModule } from './lora-adapter.js';
import { startValues } from './lora-start-values.js';

/** Of the rows that a smaller rank is filled up with. */
const SEED = 0;

/**
 * An adapter whose modules may differ in rank and scale, as one of a single rank and scale with the same effect. A module of a
 * smaller rank is filled up as a new adapter begins: A random, B 0, so that training can use the whole rank. A module of
 * another scale has B multiplied.
 */
export class PlainAdapter {
  readonly rank: number;
  readonly alpha: number;
  /** By the name of the tensor, A or B. */
  private readonly stored = new Map<string, ModuleScale>();
  private readonly isPlain: boolean;

  /** @throws AdapterUnsupportedError a pattern that is none, or takes too long */
  constructor({ rank, alpha, scales }: AdapterSettings, modules: readonly AdaptedModule[]) {
    this.isPlain = scales.isPlain;
    for (const { weight, a, b } of modules) {
      const found = this.isPlain ? { rank, scale: scales.scale } : scales.of(weight.replace(/\.weight$/, ''));
      this.stored.set(a, found).set(b, found);
    }
    this.rank = this.isPlain ? rank : Math.max(...[...this.stored.values()].map((module) => module.rank));
    this.alpha = this.isPlain ? alpha : scales.scale * this.rank;
  }

  /** Rank of the module in the file. */
  storedRank({ a }: AdaptedModule): number {
    return this.stored.get(a)?.rank ?? this.rank;
  }

  /** A tensor of the file at the rank and scale of the whole. @param name as in a `LoraAdapter` */
  converted(name: string, tensor: FloatTensor): FloatTensor {
    const module = this.stored.get(name);
    if (this.isPlain || module === undefined) return tensor;
    return name.endsWith('lora_A.weight') ? this.filledA(name, tensor) : this.scaledB(tensor, module);
  }

  private filledA(name: string, { shape, data }: FloatTensor): FloatTensor {
    const [rows, columns] = shape as readonly [number, number];
    if (rows === this.rank) return { shape, data };
    const filled = startValues(name, SEED, this.rank * columns, columns);
    filled.set(data);
    return { shape: [this.rank, columns], data: filled };
  }

  private scaledB({ shape, data }: FloatTensor, { scale }: ModuleScale): FloatTensor {
    const [rows, columns] = shape as readonly [number, number];
    const factor = scale / (this.alpha / this.rank);
    if (columns === this.rank && factor === 1) return { shape, data };
    const scaled = new Float32Array(rows * this.rank);
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        scaled[row * this.rank + column] = (data[row * columns + column] as number) * factor;
      }
    }
    return { shape: [rows, this.rank], data: scaled };
  }
}
