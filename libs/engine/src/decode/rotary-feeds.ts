import { Tensor } from 'onnxruntime-node';

import { type LlamaConfig, windowOf } from '../model/config/llama-config.js';
import { rotaryTables, windowRotaryTables } from '../model/config/rotary-tables.js';

/** The rotary tables that the decoder graphs take, `[contextLength, headDim / 2]` each. */
export function rotaryFeeds(config: LlamaConfig, contextLength: number): Record<string, Tensor> {
  const table = (data: Float32Array) => new Tensor('float32', data, [contextLength, config.headDim / 2]);
  const { cosines, sines } = rotaryTables(config, contextLength);
  const feeds = { cosines: table(cosines), sines: table(sines) };
  if (windowOf(config) === null) return feeds;
  const windowed = windowRotaryTables(config, contextLength);
  return { ...feeds, windowCosines: table(windowed.cosines), windowSines: table(windowed.sines) };
}
