import { type Clock, SYSTEM_CLOCK } from '../clock.js';
import type { AnswerReader, Attempt, Capability, ChatRequest, RunningAttempt, Target } from '../target.js';
import { HttpAttempt } from './http-attempt.js';
import type { HttpUpstream } from './http-upstream.js';
import { ParameterRules } from './parameters.js';
import { type BodyRules, requestBody } from './request-body.js';
import { requestHeaders } from './request-headers.js';

/** A model at an upstream, as the configuration describes it. */
export interface HttpModel {
  /** Its name there. */
  readonly name: string;
  /** In tokens; null: unknown. */
  readonly contextLength: number | null;
  /** Null: not told. */
  readonly capabilities: ReadonlySet<Capability> | null;
}

/** A model at a server with OpenAI's interface. */
export class HttpTarget implements Target {
  readonly upstream: string;
  readonly model: string;
  readonly contextLength: number | null;
  readonly capabilities: ReadonlySet<Capability> | null;
  private readonly rules: BodyRules;

  constructor(
    private readonly server: HttpUpstream,
    { name, contextLength, capabilities }: HttpModel,
    private readonly clock: Clock = SYSTEM_CLOCK,
  ) {
    const { dialect, usage, parameters } = server.settings;
    this.upstream = server.settings.name;
    this.model = name;
    this.contextLength = contextLength;
    this.capabilities = capabilities;
    this.rules = { model: name, dialect, usage, parameters: new ParameterRules(parameters) };
  }

  unsupported({ fields }: ChatRequest): readonly string[] {
    return this.rules.parameters.fit(fields).unsupported;
  }

  dispatch(attempt: Attempt, reader: AnswerReader): RunningAttempt {
    const body = requestBody(attempt.request, this.rules);
    const running = new HttpAttempt(this.server, attempt, reader, this.clock, body.length);
    running.send(requestHeaders(attempt, this.server.settings.key), body);
    return running;
  }
}
