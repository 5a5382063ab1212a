import { type Clock, SYSTEM_CLOCK } from '../../shared/time/clock.js';
import type { Capability } from '@hone/contracts';
import type { AnswerReader, Attempt, ChatRequest, PinnedModel, RunningAttempt, Target } from '../target.js';
import { HttpAttempt } from './http-attempt.js';
import type { HttpServer } from './http-server.js';
import type { HttpModel } from './http-settings.js';
import { ParameterRules } from './request/parameters.js';
import { type BodyRules, requestBody } from './request/request-body.js';
import { requestHeaders } from './request/request-headers.js';
import { unknownToolFields } from './request/tool-dialect.js';
import { AnswerTokens } from './tokens/answer-tokens.js';
import { askedTokens } from './tokens/asked-tokens.js';

/** A model at a server with an OpenAI-compatible API. */
export class HttpTarget implements Target {
  readonly upstream: string;
  readonly owner: string;
  readonly model: string;
  readonly contextLength: number | null;
  readonly capabilities: ReadonlySet<Capability> | null;
  private readonly rules: BodyRules;

  constructor(
    private readonly server: HttpServer,
    { name, contextLength, capabilities }: HttpModel,
    private readonly clock: Clock = SYSTEM_CLOCK,
    /** A trained model that answers under this name; absent: the model itself. */
    readonly pinned?: PinnedModel,
  ) {
    const { dialect, usage, parameters } = server.settings;
    this.upstream = server.settings.name;
    this.owner = server.settings.name;
    this.model = name;
    this.contextLength = contextLength;
    this.capabilities = capabilities;
    this.rules = { model: name, dialect, usage, parameters: new ParameterRules(parameters) };
  }

  unsupported({ fields }: ChatRequest): readonly string[] {
    const { parameters, dialect } = this.rules;
    const { unsupported } = parameters.fit(fields);
    const unknown = unknownToolFields(dialect, fields);
    return unknown.length === 0 ? unsupported : [...new Set([...unsupported, ...unknown])];
  }

  dispatch(attempt: Attempt, reader: AnswerReader): RunningAttempt {
    const { request } = attempt;
    const asked = this.pinned === undefined ? null : askedTokens(request, this.rules.parameters);
    const body = requestBody(request, this.rules, asked?.fields);
    const tokens = asked && new AnswerTokens(asked, request.choices);
    const names = { upstream: this.model, shown: this.pinned?.name ?? null };
    const running = new HttpAttempt(this.server, attempt, reader, this.clock, names, tokens);
    running.send(requestHeaders(attempt, this.server.settings.key), body);
    return running;
  }
}
