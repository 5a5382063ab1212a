import type { Principal } from '@hone/auth';
import { ObjectVersionsRepository } from '@hone/objects';
import { Inject, Injectable, type Provider } from '@nestjs/common';

import type { Exchange } from '../http/exchange.js';
import { UsageLimiter } from '../metering/limits/usage-limiter.js';
import { InvalidRequestError } from '../shared/errors/gateway-error.js';
import { SettingsStore } from '../shared/gateway-settings.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { ChatContext, type ChatStep } from './chat-context.js';
import type { Door } from './door.js';
import { Prompts } from './prompts/prompts.service.js';
import { ShadowBudgetRepository } from './shadows/shadow-budget.repository.js';
import { ShadowMetrics } from './shadows/shadow-metrics.js';
import { Shadows } from './shadows/shadows.service.js';
import { SplitModels } from './splits/split-models.service.js';
import { Admit } from './steps/admit.js';
import { Authenticate } from './steps/authenticate.js';
import { Authorize } from './steps/authorize.js';
import { Dispatch } from './steps/dispatch.js';
import { LogEntry } from './steps/log-entry.js';
import { ReadBody } from './steps/read-body.js';
import { ResolveModel } from './steps/resolve-model.js';
import { Settle } from './steps/settle.js';
import { Validate } from './steps/validate.js';

/** The steps, in order. */
const STEPS = [Authenticate, Authorize, ReadBody, Validate, ResolveModel, LogEntry, Admit, Dispatch, Settle, Shadows];
const CHAT_STEPS = Symbol('steps of chat completions');

/**
 * Answers chat completions, in steps. Nothing is spent on a request before all steps up to {@link Admit} have let it pass.
 *
 * To follow a request from the socket to the upstream, read these twelve files; the others do what their names say:
 *
 * 1. `chat.fast-path.ts`, or `chat.controller.ts` for a caller who is not cached
 * 2. `chat.pipeline.ts`
 * 3. `steps/`: the eight files from `authenticate.ts` to `dispatch.ts`, in the order of the list above
 * 4. `dispatch/request-run.ts`: waits for slots, retries, fails over
 * 5. `targets/http/http-target.ts`: sends the request, and reads the answer
 *
 * A door (another form of requests and answers, such as OpenAI's responses) is a folder of `../doors` with a controller and a
 * {@link Door}, for which the controller calls {@link run}. Authentication, limits, dispatch, usage and logs are those of
 * chat completions. Errors, too: all of them are written by `Exchange.refuse` and `steps/settle.ts`, in the form that the door
 * gives them, and those amid a stream by its sink.
 */
@Injectable()
export class ChatPipeline {
  constructor(
    @Inject(CHAT_STEPS) private readonly steps: readonly ChatStep[],
    private readonly settings: SettingsStore,
    private readonly telemetry: Telemetry,
    private readonly limiter: UsageLimiter,
  ) {}

  /** Never rejects. @param caller when known already */
  async run(exchange: Exchange, door: Door, caller?: Principal): Promise<void> {
    const chat = new ChatContext(exchange, door, this.settings.current);
    if (caller !== undefined) chat.caller = caller;
    exchange.form = door;
    const observation = this.telemetry.begin(chat);
    chat.observer = observation;
    let refusal: unknown = null;
    try {
      for (const step of this.steps) {
        const running = step.run(chat);
        if (running instanceof Promise) await running;
      }
    } catch (error) {
      refusal = error;
      exchange.refusesWith(this.limitHeaders(chat));
      exchange.refuse(inWordsOf(chat, error));
    } finally {
      observation.end(refusal);
    }
  }

  /** Rate limit headers of an error; empty when the request has no project yet. */
  private limitHeaders({ caller, project }: Partial<ChatContext>): Readonly<Record<string, string>> {
    return caller && project?.rowId ? this.limiter.headers(caller.keyId, project.rowId) : {};
  }
}

/** The error with the door's own names of fields. */
export function inWordsOf({ door, parsed }: Pick<ChatContext, 'door'> & Partial<ChatContext>, error: unknown): unknown {
  // What a door refuses itself is in its words already.
  if (!(error instanceof InvalidRequestError) || error === parsed?.refusal) return error;
  const located = parsed?.toLoc ? error.relocated(parsed.toLoc) : error;
  return door.fieldNames ? located.renamed(door.fieldNames) : located;
}

/** Of the pipeline. */
export const PIPELINE_PROVIDERS: Provider[] = [
  Prompts,
  ObjectVersionsRepository,
  SplitModels,
  ShadowBudgetRepository,
  ShadowMetrics,
  ...STEPS,
  { provide: CHAT_STEPS, useFactory: (...steps: ChatStep[]) => steps, inject: STEPS },
  ChatPipeline,
];
