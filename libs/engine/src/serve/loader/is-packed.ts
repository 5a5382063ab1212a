import type { WeightForm } from '../../blocks/index.js';
import { countParameters } from '../../model/config/tensor-shapes.js';
import { hasBlockWeights, type LlamaConfig } from '../../model/index.js';

/** Up to this size weights are inputs of the graphs: a checkpoint is merged in milliseconds, and decodes a little faster. */
const MOST_INPUT_PARAMETERS = 2 ** 24;

/**
 * Whether the weights of a model become constants of one graph, beside which adapters stay apart: of larger models, and
 * of those in blocks of few bits.
 */
export async function isPacked(directory: string, config: LlamaConfig, form: WeightForm): Promise<boolean> {
  if (countParameters(config) > MOST_INPUT_PARAMETERS || form === 'int8' || form === 'int4') return true;
  return form === 'auto' && hasBlockWeights(directory);
}
