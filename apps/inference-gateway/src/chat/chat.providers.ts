import type { Provider } from '@nestjs/common';

import { CallHeader } from './call-header.js';
import { ChatFastPath } from './chat.fast-path.js';
import { ChatPipeline } from './chat.pipeline.js';
import { Admit } from './steps/admit.js';
import { Authenticate } from './steps/authenticate.js';
import { Authorize } from './steps/authorize.js';
import { Dispatch } from './steps/dispatch.js';
import { LogEntry } from './steps/log-entry.js';
import { ReadBody } from './steps/read-body.js';
import { ResolveModel } from './steps/resolve-model.js';
import { Settle } from './steps/settle.js';
import { Validate } from './steps/validate.js';

const STEPS = [Authenticate, Authorize, ReadBody, Validate, ResolveModel, LogEntry, Admit, Dispatch, Settle];

/** The pipeline of chat completions. Doors use it, too. */
export const CHAT_PROVIDERS: Provider[] = [...STEPS, CallHeader, ChatFastPath, ChatPipeline];
