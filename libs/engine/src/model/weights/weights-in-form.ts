import { inForm, type StoredWeights, type WeightForm } from '../../blocks/index.js';
import type { DecoderShape } from '../config/decoder-shape.js';

/** All weights of a model in the wanted form, as far as each can have it. */
export function weightsInForm({ tiedHead }: DecoderShape, weights: StoredWeights, form: WeightForm): StoredWeights {
  const head = tiedHead ? 'model.embed_tokens.weight' : 'lm_head.weight';
  return new Map([...weights].map(([name, tensor]) => [name, inForm(tensor, form, name === head)]));
}
