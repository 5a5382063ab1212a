import type { Capability } from '@hone/contracts';
import { FakeUpstream } from '@hone/testing/fakes';

import { CallerSignal } from '../shared/caller-signal.js';
import { type Clock, SYSTEM_CLOCK } from '../shared/time/clock.js';
import { HttpServer } from '../targets/http/http-server.js';
import type { HttpServerSettings } from '../targets/http/http-settings.js';
import { HttpTarget } from '../targets/http/http-target.js';
import { promptSizeOf } from '../targets/prompt-size.js';
import type { ChatRequest } from '../targets/target.js';
import { type AnswerFailure, failureFrame } from './answer/answer-failure.js';
import type { AnswerOrder } from './answer/answer-order.js';
import type { AnswerSink } from './answer/answer-sink.js';
import type { AnswerOutcome } from './answer/outcome.js';
import { TargetState } from './health/target-state.js';
import { DEFAULT_HEALTH_LIMITS, DEFAULT_LIMITS, type HealthLimits, type Limits } from './policy/limits.js';
import { answerRequest } from './request-run.js';
import { type Route, type RouteTarget, type StreamGuard, toTiers } from './route/route.js';

/** What goes well may take its time on a busy machine; only waits are short. */
const PATIENT: Limits = {
  ...DEFAULT_LIMITS,
  ttftMs: 60_000,
  ttftLastMs: 60_000,
  stallMs: 60_000,
  responseMs: 60_000,
  doneGraceMs: 60_000,
  backoffMs: 5,
};

/** For a target that is sure to fall silent: a spec waits for no longer than this. */
export const SOON_SILENT = { ttftMs: 150, ttftLastMs: 150, stallMs: 150, responseMs: 150 };

/** A target of a spec: a model of a fake upstream. */
export interface RigTarget {
  readonly fake: FakeUpstream | string;
  readonly model: string;
  readonly priority?: number;
  readonly weight?: number;
  readonly maxConcurrency?: number;
  readonly contextLength?: number;
  readonly maxChoices?: 1;
  readonly capabilities?: readonly Capability[];
  readonly settings?: Partial<HttpServerSettings>;
  readonly limits?: Partial<Limits>;
}

export interface RigOptions {
  readonly limits?: Partial<Limits>;
  readonly health?: Partial<HealthLimits>;
  readonly guard?: StreamGuard;
  readonly strategy?: Route['strategy'];
  /** Default: the real one. */
  readonly clock?: Clock;
}

/** A route over real connections to fake upstreams. */
export class AnswerRig {
  readonly route: Route;
  readonly states: TargetState[] = [];
  private readonly upstreams: HttpServer[] = [];
  private readonly clock: Clock;

  constructor(targets: readonly RigTarget[], options: RigOptions = {}) {
    this.clock = options.clock ?? SYSTEM_CLOCK;
    const limits = { ...PATIENT, ...options.limits };
    const routeTargets = targets.map((target, index) => this.open(target, index, limits, options));
    this.route = {
      id: 'chat',
      aliases: [],
      strategy: options.strategy ?? 'least_busy',
      streamGuard: options.guard ?? 'passthrough',
      limits,
      tiers: toTiers(routeTargets),
      price: null,
      listedModel: null,
      trustChatTemplate: false,
      trainedFallback: false,
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.upstreams.map((upstream) => upstream.close()));
  }

  /** @param fields of the body beside messages and model */
  ask(fields: Record<string, unknown> = {}, more: Partial<AnswerOrder> = {}, sink = new MemorySink()): Asked {
    const signal = new CallerSignal();
    const order: AnswerOrder = {
      request: aRequest(fields),
      route: this.route,
      guard: this.route.streamGuard,
      priority: 0,
      signal,
      ...more,
    };
    const tools = { clock: this.clock, random: Math.random };
    return { sink, leave: (reason = 'left') => signal.end(reason), outcome: answerRequest(order, sink, tools) };
  }

  private open(
    { fake, model, priority = 0, weight = 1, maxConcurrency = 64, settings, ...more }: RigTarget,
    index: number,
    limits: Limits,
    { health }: RigOptions,
  ): RouteTarget {
    const upstream = new HttpServer({
      name: `up${index}`,
      baseUrl: typeof fake === 'string' ? fake : fake.baseUrl,
      key: null,
      dialect: 'vllm',
      parameters: 'all',
      usage: 'include',
      hasTokenFrames: true,
      connections: 128,
      connectMs: 60_000,
      ...settings,
    });
    this.upstreams.push(upstream);
    const capabilities = more.capabilities ? new Set(more.capabilities) : null;
    const choices = more.maxChoices && { maxChoices: more.maxChoices };
    const named = { name: model, contextLength: more.contextLength ?? null, capabilities, ...choices };
    const target = new HttpTarget(upstream, named, this.clock);
    const state = new TargetState(target, maxConcurrency, { ...DEFAULT_HEALTH_LIMITS, ...health }, this.clock);
    this.states.push(state);
    return { state, weight, priority, limits: { ...limits, ...more.limits } };
  }
}

export interface Asked {
  readonly sink: MemorySink;
  readonly outcome: Promise<AnswerOutcome>;
  leave(reason?: 'left' | 'shutdown'): void;
}

export function aRequest(fields: Record<string, unknown> = {}): ChatRequest {
  const body = { messages: [{ role: 'user', content: 'hi' }], model: 'chat', ...fields };
  const options = body as { stream?: boolean; n?: number; stream_options?: { include_usage?: boolean } };
  return {
    rid: 'rid-1',
    body: Buffer.from(JSON.stringify(body)),
    fields: body,
    overrides: {},
    isStream: options.stream === true,
    endpoint: 'chat/completions',
    promptSize: promptSizeOf(body, JSON.stringify(body).length),
    choices: options.n ?? 1,
    wantsUsageFrame: options.stream_options?.include_usage === true,
    headers: {},
  };
}

/** What a caller would have got. */
export class MemorySink implements AnswerSink {
  headers: Readonly<Record<string, string>> | null = null;
  text = '';
  state: 'open' | 'ended' | 'failed' = 'open';
  settled: AnswerOutcome[] = [];
  /** What had been written when the answer was settled. */
  textWhenSettled = '';
  pendingBytes = 0;
  isSlow = false;
  private drain: () => void = () => undefined;

  commit(headers: Readonly<Record<string, string>>): void {
    this.headers = headers;
  }

  write(bytes: Buffer): boolean {
    this.text += bytes.toString();
    if (this.isSlow) this.pendingBytes += bytes.length;
    return !this.isSlow;
  }

  onDrain(run: () => void): void {
    this.drain = run;
  }

  /** The caller takes everything that waits. */
  takeAll(): void {
    this.isSlow = false;
    this.pendingBytes = 0;
    this.drain();
  }

  settle(outcome: AnswerOutcome): void | Promise<void> {
    this.settled.push(outcome);
    this.textWhenSettled = this.text;
  }

  end(bytes: Buffer): void {
    this.text += bytes.toString();
    this.state = 'ended';
  }

  fail(failure: AnswerFailure): void {
    this.text += failureFrame(failure).toString();
    this.state = 'failed';
  }

  /** The frames' JSON, without `[DONE]`. */
  frames(): Record<string, unknown>[] {
    return this.text
      .split('\n\n')
      .filter((frame) => frame.startsWith('data: {'))
      .map((frame) => JSON.parse(frame.slice('data: '.length)) as Record<string, unknown>);
  }

  /** The answer's text: the stream's deltas, or the body's message. */
  content(): string {
    const parts = this.text.startsWith('{') ? [JSON.parse(this.text)] : this.frames();
    return parts
      .flatMap((part) => (part.choices ?? []) as { delta?: { content?: string }; message?: { content?: string } }[])
      .map(({ delta, message }) => delta?.content ?? message?.content ?? '')
      .join('');
  }

  get isDone(): boolean {
    return this.text.endsWith('data: [DONE]\n\n');
  }
}

/** The eight tokens that a fake called `name` answers with. */
export const answerOf = (name: string, tokens = 8): string =>
  Array.from({ length: tokens }, (_, index) => `${name}${index}`).join(' ');
