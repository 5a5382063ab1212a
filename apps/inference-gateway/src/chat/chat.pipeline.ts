import { Injectable } from '@nestjs/common';
import type { Principal } from '@hone/auth';

import type { Exchange } from '../http/exchange.js';
import { UsageLimiter } from '../metering/limits/usage-limiter.js';
import { SettingsStore } from '../shared/gateway-settings.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { ChatContext, type ChatStep, type Door } from './chat-context.js';
import { Admit } from './steps/admit.js';
import { Authenticate } from './steps/authenticate.js';
import { Authorize } from './steps/authorize.js';
import { Dispatch } from './steps/dispatch.js';
import { LogEntry } from './steps/log-entry.js';
import { ReadBody } from './steps/read-body.js';
import { ResolveModel } from './steps/resolve-model.js';
import { Settle } from './steps/settle.js';
import { Validate } from './steps/validate.js';

/**
 * Answers chat completions, in steps. Nothing is spent on a request before all steps up to {@link Admit} have let it pass.
 *
 * From the socket to the upstream a request passes these twelve files:
 *
 * 1. `chat.fast-path.ts`, or `chat.controller.ts` for a caller who is not cached
 * 2. `chat.pipeline.ts`
 * 3. `steps/`: the eight files from `authenticate.ts` to `dispatch.ts`, in the order of the constructor
 * 4. `dispatch/request-run.ts`: waits for slots, retries, fails over
 * 5. `targets/http/http-target.ts`: sends the request, and reads the answer
 *
 * To add a door (another form of requests and answers, such as OpenAI's responses), make a folder beside this one with a
 * controller and a {@link Door}, which reads its bodies as chat completions and translates the answer in a sink of its own;
 * the controller calls {@link run} with it. Authentication, limits, dispatch, usage and logs are those of chat completions.
 */
@Injectable()
export class ChatPipeline {
  private readonly steps: readonly ChatStep[];

  constructor(
    authenticate: Authenticate,
    authorize: Authorize,
    readBody: ReadBody,
    validate: Validate,
    resolveModel: ResolveModel,
    logEntry: LogEntry,
    admit: Admit,
    dispatch: Dispatch,
    settle: Settle,
    private readonly settings: SettingsStore,
    private readonly telemetry: Telemetry,
    private readonly limiter: UsageLimiter,
  ) {
    this.steps = [authenticate, authorize, readBody, validate, resolveModel, logEntry, admit, dispatch, settle];
  }

  /** Never rejects. @param caller when known already */
  async run(exchange: Exchange, door: Door, caller?: Principal): Promise<void> {
    const chat = new ChatContext(exchange, door, this.telemetry.begin(exchange), this.settings.current);
    if (caller !== undefined) chat.caller = caller;
    try {
      for (const step of this.steps) {
        const running = step.run(chat);
        if (running instanceof Promise) await running;
      }
    } catch (error) {
      chat.observed.refused(error);
      exchange.refusesWith(this.limitHeaders(chat));
      exchange.refuse(error);
    } finally {
      chat.observed.end();
    }
  }

  /** Rate limit headers of an error; empty when the request has no project yet. */
  private limitHeaders({ caller, project }: Partial<ChatContext>): Readonly<Record<string, string>> {
    return caller && project?.rowId ? this.limiter.headers(caller.keyId, project.rowId) : {};
  }
}
