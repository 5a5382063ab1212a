import { SftJobCreateDto } from '@hone/contracts';
import { bodyTask } from '@hone/platform/body-task';

import { LARGE_BODY_LIMITS } from '../http/large-bodies/large-body-limits.js';
import { toLinesBody } from './lines-body.js';

export const TASK = bodyTask({
  type: SftJobCreateDto,
  module: import.meta.url,
  limits: LARGE_BODY_LIMITS,
  digest: (body, _issues, sent) => toLinesBody(SftJobCreateDto, body, sent),
});
