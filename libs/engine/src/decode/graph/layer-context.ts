import type { Graph, Value } from '../../graph/index.js';
import { layerAttention, type LlamaConfig } from '../../model/config/llama-config.js';

/** The inputs of a layer's attention besides its tokens, by the names of the graph's inputs. */
export interface LayerContext {
  readonly isWindowed: boolean;
  /** `[positions, headDim / 2]`; null: the layer has no positions. */
  readonly tables: readonly [cosines: Value, sines: Value] | null;
}

/** Layers that see a window of the context have rotary tables of their own, `windowCosines` and `windowSines`. */
export function layerContext(graph: Graph, config: LlamaConfig, layer: number): LayerContext {
  const { isWindowed, isRotated } = layerAttention(config, layer);
  const table = (name: string) =>
    graph.once(name, () => graph.input(name, 'float32', ['positions', config.headDim / 2]));
  const names = isWindowed ? (['windowCosines', 'windowSines'] as const) : (['cosines', 'sines'] as const);
  return { isWindowed, tables: isRotated ? [table(names[0]), table(names[1])] : null };
}
