import type { Provider } from '@nestjs/common';

import { ResponsesDoor } from './responses.door.js';
import { StoredResponsesApi } from './stored/stored-responses.api.js';
import { StoredResponsesRepository } from './stored/stored-responses.repository.js';
import { StoredResponses } from './stored/stored-responses.service.js';

/** Of the door for responses. */
export const RESPONSES_PROVIDERS: Provider[] = [
  ResponsesDoor,
  StoredResponses,
  StoredResponsesApi,
  StoredResponsesRepository,
];
