import { access } from 'node:fs/promises';
import { join } from 'node:path';

import { verifyManifest } from '../checkpoints/index.js';
import { findJsonFields } from '../model/config/json-fields.js';
import { countParameters, openBaseModel } from '../model/index.js';

type Lines = readonly (readonly [string, string | number])[];

/**
 * Describes a folder in lines of name and value: a base model, or a checkpoint after its files were verified.
 *
 * @throws EngineError the folder is neither, or is damaged
 */
export async function describeFolder(directory: string): Promise<string> {
  const isCheckpoint = await access(join(directory, 'manifest.json')).then(
    () => true,
    () => false,
  );
  const lines = isCheckpoint ? await describeCheckpoint(directory) : await describeModel(directory);
  return lines.map(([name, value]) => `${name.padEnd(16)} ${value}`).join('\n');
}

async function describeModel(directory: string): Promise<Lines> {
  const model = await openBaseModel(directory);
  const { config, tokenizer } = model;
  return [
    ['kind', `base model, ${config.family ?? 'llama'}`],
    ['parameters', countParameters(config)],
    ['context', `${config.maxPositions} tokens`],
    ['vocabulary', `${config.vocabSize} (tokenizer ${tokenizer.vocabSize})`],
    ['layers', config.numLayers],
    ['width', `${config.hiddenSize}, feed-forward ${config.intermediateSize}`],
    ['heads', `${config.numHeads} of ${config.headDim}, ${config.numKvHeads} for keys and values`],
    ['rotary', `theta ${config.ropeTheta}${config.ropeScaling === null ? '' : `, ${config.ropeScaling.type} scaling`}`],
    ['head', config.tiedHead ? 'the embedding' : 'its own'],
    ['sha256', await model.digest()],
  ];
}

async function describeCheckpoint(directory: string): Promise<Lines> {
  const { files } = await verifyManifest(directory);
  const fieldsOf = async (name: string) => (await findJsonFields(join(directory, name)))?.values ?? {};
  const { kind, step } = await fieldsOf('state.json');
  const adapter = await fieldsOf('adapter_config.json');
  const targets = Array.isArray(adapter['target_modules']) ? adapter['target_modules'].join(' ') : '';
  return [
    ['kind', kind === 'lora' ? 'checkpoint, LoRA adapter' : 'checkpoint, all weights'],
    ...(kind === 'lora'
      ? ([
          ['base model', String(adapter['base_model_name_or_path'])],
          ['rank, alpha', `${adapter['r']}, ${adapter['lora_alpha']}`],
          ['targets', targets],
        ] as const)
      : []),
    ['gradient steps', String(step)],
    ...files.map(({ path, bytes, sha256 }) => [path, `${bytes} bytes, ${sha256}`] as const),
  ];
}
