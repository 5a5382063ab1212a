import { Environment } from '@hone/platform/config';
import { readSource } from '@hone/platform/configuration-file';

import { EMBEDDED, type EngineList } from './engine-settings.js';
import { readEngines } from './read-engines.js';

/**
 * The engines that `HONE_ENGINES` names; without it the embedded engine alone.
 *
 * @throws ConfigurationError the file is not there, or wrong
 */
export function readEnginesConfig(environment = new Environment()): EngineList {
  const path = environment.optional('HONE_ENGINES', 'the path of a YAML or JSON file', () => true);
  if (path === undefined) return [EMBEDDED];
  return readEngines(path, readSource(path), (name) => environment.optional(name, 'the key of an engine', () => true));
}
