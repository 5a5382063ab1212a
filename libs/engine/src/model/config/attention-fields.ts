import type { Architecture } from './architecture.js';
import { type JsonFields, shownValue } from './json-fields.js';
import type { LayerAttention, LlamaConfig } from './llama-config.js';
import { BaseModelDamagedError, BaseModelUnsupportedError } from './model.errors.js';

const FULL = 'full_attention';
const SLIDING = 'sliding_attention';

/**
 * Which layers see a window of the context, and which have no positions.
 *
 * @param numLayers of the model, as `maxPositions`
 * @throws BaseModelDamagedError, BaseModelUnsupportedError a kind of layer that is neither
 */
export function readAttentionFields(
  fields: JsonFields,
  { modelType }: Architecture,
  { numLayers, maxPositions }: Pick<LlamaConfig, 'numLayers' | 'maxPositions'>,
): Pick<LlamaConfig, 'attention' | 'window'> {
  const rotated = modelType === 'smollm3' ? readRotated(fields, numLayers) : Array<boolean>(numLayers).fill(true);
  const stated = readWindow(fields, modelType);
  // Gemma 3 rotates windowed layers in another way, however wide the window is.
  const isOwnRope = modelType === 'gemma3_text';
  const window = isOwnRope ? Math.min(stated ?? maxPositions, maxPositions) : stated;
  const kinds = window === null ? null : readKinds(fields, modelType, rotated);
  // A window that holds the longest context hides nothing.
  const isNarrow = window !== null && (isOwnRope || window < maxPositions);
  const attention = rotated.map((isRotated, layer): LayerAttention => {
    return { isRotated, isWindowed: isNarrow && kinds?.[layer] === SLIDING };
  });
  const isWindowed = attention.some((layer) => layer.isWindowed);
  return {
    ...((isWindowed || rotated.includes(false)) && { attention }),
    ...(isWindowed && window !== null && { window }),
  };
}

/** Tokens that a windowed layer sees, or null: no layer is windowed. */
function readWindow(fields: JsonFields, modelType: Architecture['modelType']): number | null {
  const size = (): number | null => {
    // Null disables the window; an absent field has transformers' default.
    const isNone = Object.hasOwn(fields.values, 'sliding_window') && fields.values['sliding_window'] === null;
    return isNone ? null : fields.size('sliding_window', 4096);
  };
  switch (modelType) {
    case 'mistral':
    case 'gemma2':
    case 'gemma3_text':
      return size();
    case 'qwen2':
    case 'qwen3':
    case 'smollm3':
      return fields.flag('use_sliding_window', false) ? size() : null;
    default:
      return null;
  }
}

/** Kind of each layer of a model that has windowed ones. */
function readKinds(
  fields: JsonFields,
  modelType: Architecture['modelType'],
  rotated: readonly boolean[],
): readonly string[] {
  const listed = modelType === 'mistral' ? null : fields.get('layer_types');
  if (listed !== null) return checkedKinds(fields, listed, rotated.length);
  const isWindowed = defaultKinds(fields, modelType, rotated);
  return rotated.map((_, layer) => (isWindowed(layer) ? SLIDING : FULL));
}

function defaultKinds(
  fields: JsonFields,
  modelType: Architecture['modelType'],
  rotated: readonly boolean[],
): (layer: number) => boolean {
  switch (modelType) {
    case 'mistral':
      return () => true;
    case 'smollm3':
      return (layer) => rotated[layer] === false;
    case 'gemma2':
    case 'gemma3_text': {
      const pattern = fields.size('sliding_window_pattern', modelType === 'gemma2' ? 2 : 6);
      return (layer) => (layer + 1) % pattern !== 0;
    }
    default: {
      const full = fields.count('max_window_layers', 28);
      return (layer) => layer >= full;
    }
  }
}

function checkedKinds({ file }: JsonFields, listed: unknown, numLayers: number): readonly string[] {
  if (!Array.isArray(listed) || listed.length !== numLayers) {
    throw new BaseModelDamagedError(file, `layer_types is no list of ${numLayers} kinds`);
  }
  const other = (listed as unknown[]).find((kind) => kind !== FULL && kind !== SLIDING);
  if (other === undefined) return listed as string[];
  throw new BaseModelUnsupportedError(file, `layer_types has ${shownValue(other)}, expected ${FULL} or ${SLIDING}`);
}

/** Whether each layer has positions: 1 in `no_rope_layers`, or all but every fourth. */
function readRotated(fields: JsonFields, numLayers: number): boolean[] {
  const listed = fields.get('no_rope_layers');
  if (listed === null) {
    const interval = fields.size('no_rope_layer_interval', 4);
    return Array.from({ length: numLayers }, (_, layer) => (layer + 1) % interval !== 0);
  }
  const isList =
    Array.isArray(listed) && listed.length >= numLayers && listed.every((each) => each === 0 || each === 1);
  if (isList) return listed.slice(0, numLayers).map((each) => each === 1);
  throw new BaseModelDamagedError(fields.file, `no_rope_layers is no list of ${numLayers} numbers, 0 or 1`);
}
