import type { Principal, ProjectGrant } from '@hone/auth';
import type { ChatCompletionRequestDto } from '@hone/contracts';
import { RefScheme } from '@hone/platform';
import { Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';

import { GatewayModels } from '../../catalogue/models/gateway-models.js';
import type { ResolvedModel } from '../../catalogue/models/resolved-model.js';
import type { AnswerFailure } from '../../dispatch/answer-failure.js';
import type { AnswerObserver } from '../../dispatch/answer-observer.js';
import { answerRequest } from '../../dispatch/answer-request.js';
import type { AnswerOutcome } from '../../dispatch/outcome.js';
import { priceOf } from '../../dispatch/route-price.js';
import type { StreamGuard } from '../../dispatch/route.js';
import { CallEntry } from '../../call-log/call-entry.js';
import type { CallLogSetting } from '../../call-log/call-log-setting.js';
import { CallLogSettings } from '../../call-log/call-log-settings.service.js';
import { callMetadata } from '../../call-log/call-metadata.js';
import { readLogHeaders } from '../../call-log/log-headers.js';
import { lesserLevel } from '../../call-log/log-level.js';
import { Redactor } from '../../call-log/redaction/redactor.js';
import { CallerStore } from '../../edge/caller-store.js';
import type { Exchange } from '../../edge/exchange.js';
import { readChatBody } from '../../edge/read-body.js';
import { modelNotFound } from '../../shared/errors/gateway-error.js';
import { SettingsStore } from '../../shared/gateway-settings.js';
import { promptSizeOf } from '../../targets/prompt-size.js';
import type { ChatRequest } from '../../targets/target.js';
import type { RequestObservation } from '../../telemetry/request-observation.js';
import { Telemetry } from '../../telemetry/telemetry.js';
import { type ParsedRequest, parseChatRequest } from './body/parse-chat-request.js';
import { type DefaultsProfile, NO_DEFAULTS, withDefaults } from './body/request-defaults.js';
import { ReplySink } from './reply-sink.js';
import { type MeteredRequest, type MeteredRun, RequestMetering } from './request-metering.js';

/** Estimated bytes of a prompt's JSON per token, for reservations, which are settled with the true number. */
const BYTES_PER_TOKEN = 4;

/**
 * `POST /v1/chat/completions`. Order of work: authenticate the caller, find the billed project, read and validate the
 * body, resolve the model, reserve rate limits and budget; only then dispatch to an upstream.
 */
@Injectable()
export class ChatCompletionsHandler {
  /** Projects of trained models that requests are booked to, where that is not the caller's own. */
  private readonly billed = new WeakMap<Exchange, ProjectGrant>();

  constructor(
    private readonly callers: CallerStore,
    private readonly models: GatewayModels,
    private readonly metering: RequestMetering,
    private readonly settings: SettingsStore,
    private readonly telemetry: Telemetry,
    private readonly logSettings: CallLogSettings,
    private readonly redactor: Redactor,
    private readonly refScheme: RefScheme,
  ) {}

  /** The cached caller; undefined: unknown. */
  callerOf(request: IncomingMessage): Principal | undefined {
    return this.callers.recall(request);
  }

  /** @param caller when it is known already */
  async handle(exchange: Exchange, caller?: Principal): Promise<void> {
    const observed = this.telemetry.begin(exchange);
    try {
      await this.answer(exchange, observed, caller ?? (await this.callers.get(exchange)));
    } catch (error) {
      observed.refused(error);
      exchange.refusesWith(this.limitHeaders(exchange, caller));
      exchange.refuse(error);
    } finally {
      observed.end();
    }
  }

  /** For an error; empty when the caller, its project or their limits are not cached. */
  private limitHeaders(exchange: Exchange, known?: Principal): Readonly<Record<string, string>> {
    const caller = known ?? this.callers.recall(exchange.raw);
    if (!caller) return {};
    const named = exchange.firstHeader(this.settings.current.projectHeaders);
    const project = this.billed.get(exchange) ?? this.metering.recall(caller, named);
    return project ? this.metering.limitHeaders(caller, project) : {};
  }

  /** Each step awaits only what is not cached: an `await` costs microseconds. */
  private async answer(exchange: Exchange, observed: RequestObservation, caller: Principal): Promise<void> {
    const { limits, projectHeaders, forwardHeaders } = this.settings.current;
    const named = exchange.firstHeader(projectHeaders);
    const project = this.metering.recall(caller, named) ?? (await this.metering.authorize(caller, named));
    observed.authorized(project.projectId);
    const body = await readChatBody(exchange.raw, exchange.origin.sentContentType, limits.body);
    const { minPriority } = caller.attributes;
    const parsed = parseChatRequest(body, limits, minPriority);
    const { dto } = parsed;
    exchange.offerId(dto.request_id);
    observed.parsed(dto, parsed.fields);
    const found = this.models.find(dto.model, caller);
    const model = found instanceof Promise ? await found : found;
    if (model === null) throw modelNotFound(dto.model);
    observed.resolved(model);
    const booked = this.bookedTo(caller, named, project, model);
    const billed = booked instanceof Promise ? await booked : booked;
    if (billed !== project) {
      observed.authorized(billed.projectId);
      this.billed.set(exchange, billed);
    }
    const known = this.logSettings.of(billed.rowId);
    const setting = known instanceof Promise ? await known : known;
    const entry = entryOf(exchange, billed, dto, body, model, setting, this.redactor);
    const overrides = overridesOf(dto, profileOf(exchange, caller), model, minPriority);
    const request = toChatRequest(exchange, body, parsed, overrides, forwardHeaders, entry);
    const fitting = model.assertFits(request);
    if (fitting instanceof Promise) await fitting;
    const admitted = this.metering.admit(meteredOf(exchange, caller, billed, dto, request, model, entry));
    const run = admitted instanceof Promise ? await admitted : admitted;
    const outcome = await this.ask(exchange, observed, request, model, run, entry);
    // A caller that stopped reading keeps the connection and its buffers.
    if (outcome.status === 'aborted') exchange.response.destroy();
    if (outcome.status !== 'ok') await run.close(outcome);
    if (outcome.failure !== null && !outcome.isCommitted) {
      exchange.refusesWith({ ...run.headers, ...this.callHeader(entry) });
      refuseWith(exchange, outcome.failure);
    }
    observed.answered(outcome);
  }

  /** A project that the request names counts, else the one of the trained model, else the key's. */
  private bookedTo(
    caller: Principal,
    named: string | undefined,
    own: ProjectGrant,
    { projectId }: ResolvedModel,
  ): ProjectGrant | Promise<ProjectGrant> {
    return named === undefined && projectId !== null ? this.metering.ofModel(caller, projectId, own) : own;
  }

  private ask(
    exchange: Exchange,
    observer: AnswerObserver,
    request: ChatRequest,
    model: ResolvedModel,
    run: MeteredRun,
    entry: CallEntry | null,
  ): Promise<AnswerOutcome> {
    const headers = Object.assign(exchange.headers, run.headers, this.callHeader(entry));
    const onSettle = (outcome: AnswerOutcome) => run.complete(outcome, `chatcmpl-${exchange.rid}`);
    const sink = new ReplySink(exchange.response, headers, onSettle, entry);
    return answerRequest(
      {
        request,
        route: model.route,
        guard: this.guardOf(exchange, model),
        priority: (request.fields.priority as number | null | undefined) ?? 0,
        signal: exchange.signal,
        observer,
      },
      sink,
    );
  }

  /** Ref of the call that the request becomes. */
  private callHeader(entry: CallEntry | null): Readonly<Record<string, string>> | null {
    return entry && { 'hone-call': `${this.refScheme.name}:///${entry.projectId}/call/${entry.id}` };
  }

  /** A caller may request a stricter guard than the route's, never a weaker one. */
  private guardOf(exchange: Exchange, { route }: ResolvedModel): StreamGuard {
    return exchange.header('hone-stream-guard') === 'buffered' ? 'buffered' : route.streamGuard;
  }
}

/** A request's header takes precedence over the setting of its key. */
function profileOf(exchange: Exchange, { attributes }: Principal): DefaultsProfile {
  const asked = exchange.header('hone-defaults');
  if (asked === 'listed' || asked === 'openai') return asked;
  return attributes.chatDefaults ?? 'openai';
}

/** Fields that the gateway sets in the request to the upstream. */
function overridesOf(
  dto: ChatCompletionRequestDto,
  profile: DefaultsProfile,
  { isTrained }: ResolvedModel,
  minPriority: number,
): Readonly<Record<string, unknown>> {
  const defaults = withDefaults(dto, profile, isTrained);
  const isUnranked = minPriority > 0 && (dto.priority ?? null) === null;
  return isUnranked ? { ...defaults, priority: minPriority } : defaults;
}

function meteredOf(
  exchange: Exchange,
  principal: Principal,
  project: ProjectGrant,
  dto: ChatCompletionRequestDto,
  { promptSize: { textBytes, mediaTokens } }: ChatRequest,
  model: ResolvedModel,
  entry: CallEntry | null,
): MeteredRequest {
  return {
    uid: exchange.uid,
    rid: exchange.rid,
    principal,
    project,
    modelAsked: dto.model,
    checkpoint: model.checkpoint,
    isStream: dto.stream === true,
    promptTokens: Math.ceil(textBytes / BYTES_PER_TOKEN) + mediaTokens,
    maxTokens: dto.max_completion_tokens ?? dto.max_tokens ?? null,
    price: priceOf(model.route),
    entry,
  };
}

/** @returns null: the request is not kept as a call. @throws GatewayError 422 a malformed header */
function entryOf(
  exchange: Exchange,
  { projectId }: ProjectGrant,
  dto: ChatCompletionRequestDto,
  body: Buffer,
  { checkpoint }: ResolvedModel,
  { level: ofProject, redact }: CallLogSetting,
  redactor: Redactor,
): CallEntry | null {
  const headers = readLogHeaders((name) => exchange.header(name));
  const level = lesserLevel(ofProject, headers.level);
  if (level === 'off') return null;
  const { uid, rid } = exchange;
  return new CallEntry({
    uid,
    rid,
    projectId,
    user: dto.user ?? null,
    level,
    headers,
    metadata: callMetadata(headers.metadata, dto.metadata, body),
    body,
    isStream: dto.stream === true,
    checkpoint,
    redaction: redact && ((texts, isChanged) => redactor.redact(redact, texts, isChanged)),
  });
}

function toChatRequest(
  exchange: Exchange,
  body: Buffer,
  { dto, fields }: ParsedRequest,
  overrides: Readonly<Record<string, unknown>>,
  forwardHeaders: readonly string[],
  entry: CallEntry | null,
): ChatRequest {
  return {
    rid: exchange.rid,
    body,
    fields: overrides === NO_DEFAULTS ? fields : { ...fields, ...overrides },
    overrides,
    isStream: dto.stream === true,
    promptSize: promptSizeOf(fields, body.length),
    choices: dto.n ?? 1,
    wantsUsageFrame: Boolean(dto.stream_options) && dto.stream_options?.include_usage !== false,
    keepsTokens: entry?.keepsTokens ?? false,
    headers: forwarded(exchange, forwardHeaders),
  };
}

function forwarded(exchange: Exchange, forwardHeaders: readonly string[]): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  const trace = exchange.header('traceparent');
  if (trace !== undefined) headers.traceparent = trace;
  for (const name of forwardHeaders) {
    const value = exchange.header(name);
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}

function refuseWith(exchange: Exchange, failure: AnswerFailure): void {
  const { status, message, type, param, code, detail, headers } = failure;
  exchange.send(status, { detail: detail ?? message, error: { message, type, param, code } }, headers);
}
