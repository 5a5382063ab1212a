import { type JsonFields, shownValue } from './json-fields.js';
import type { RopeScaling } from './llama-config.js';
import { BaseModelUnsupportedError } from './model.errors.js';

interface RopeFields {
  readonly ropeTheta: number;
  readonly ropeScaling: RopeScaling | null;
}

/**
 * Reads the rotary embedding from either form of the configuration: `rope_theta` and `rope_scaling`
 * (transformers 4) or both together in `rope_parameters` (transformers 5).
 *
 * @param defaultTheta of the family
 * @throws BaseModelUnsupportedError a scaling of another kind than default, linear or llama3
 */
export function readRopeFields(config: JsonFields, defaultTheta: number): RopeFields {
  const both = config.object('rope_parameters');
  // Where windowed layers have another one, the parameters are listed by kind of layer.
  const parameters = both?.object('full_attention') ?? both;
  const scaling = parameters ?? config.object('rope_scaling');
  const theta = config.positive('rope_theta', defaultTheta);
  scaling?.expect('partial_rotary_factor', 1);
  config.expect('partial_rotary_factor', 1);
  return {
    ropeTheta: parameters?.positive('rope_theta', theta) ?? theta,
    ropeScaling: scaling && readScaling(scaling),
  };
}

/**
 * Base of the rotary embedding of windowed layers, in either form.
 *
 * @throws BaseModelUnsupportedError it is stretched
 */
export function readWindowRopeTheta(config: JsonFields): number {
  const parameters = config.object('rope_parameters')?.object('sliding_attention');
  parameters?.expect('rope_type', 'default');
  return parameters?.positive('rope_theta', 10_000) ?? config.positive('rope_local_base_freq', 10_000);
}

function readScaling(fields: JsonFields): RopeScaling | null {
  // Before transformers 4.43 the key was `type`.
  const type = fields.text(fields.has('rope_type') ? 'rope_type' : 'type', 'default');
  switch (type) {
    case 'default':
      return null;
    case 'linear':
      return { type, factor: fields.positive('factor') };
    case 'llama3':
      return {
        type,
        factor: fields.positive('factor'),
        lowFreqFactor: fields.positive('low_freq_factor'),
        highFreqFactor: fields.positive('high_freq_factor'),
        originalMaxPositions: fields.size('original_max_position_embeddings'),
      };
    default:
      throw new BaseModelUnsupportedError(
        fields.file,
        `rope scaling of type ${shownValue(type)} is not supported, only default, linear and llama3`,
      );
  }
}
