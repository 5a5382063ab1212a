import { join } from 'node:path';

import { isJsonObject } from '@hone/json';

import { findJsonFields } from '../model/config/json-fields.js';
import { STATE_FILE } from './checkpoint.js';

/**
 * Digest of the base model that a checkpoint was trained on, as its `state.json` has it: nothing is verified.
 *
 * @returns null: it does not say; those from before it was recorded, imports and those of training servers do not
 */
export async function trainedBaseOf(directory: string): Promise<string | null> {
  const config = (await findJsonFields(join(directory, STATE_FILE)))?.get('config');
  return isJsonObject(config) && typeof config.base_sha256 === 'string' ? config.base_sha256 : null;
}
