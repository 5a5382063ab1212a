import * as contracts from '@hone/contracts';
import { checkTask } from '@hone/platform/body-task';

import * as completions from './sdk-surface/completions/completions.dto.js';
import * as sources from './sdk-surface/dataset-sources/dataset-sources.dto.js';
import * as server from './sdk-surface/server/server.dto.js';

/** Checks heavy bodies whose handlers need nothing else done to them: queries, for example. */
export const TASK = checkTask(import.meta.url, { ...contracts, ...completions, ...sources, ...server });
