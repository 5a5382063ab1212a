import type { Clock } from '../shared/time/clock.js';
import type { AnswerReader, Attempt, RunningAttempt, Target, TokenUsage } from '../targets/target.js';
import type { TargetFailure } from '../targets/target-failure.js';
import { TargetState } from './health/target-state.js';
import { DEFAULT_HEALTH_LIMITS, DEFAULT_LIMITS, type Limits } from './policy/limits.js';
import { type Route, type RouteTarget, toTiers } from './route/route.js';

const USAGE: TokenUsage = {
  promptTokens: 1,
  completionTokens: 1,
  cachedTokens: 0,
  reasoningTokens: 0,
  source: 'engine',
};

/** What a scripted target does: after `ms`, it answers or fails. */
export type Reply = { readonly ms: number; readonly failure?: TargetFailure };

/** A target without a network: `reply` says what it does with each attempt. It obeys the limit on the first answer. */
export class ScriptedTarget implements Target {
  readonly owner = 'scripted';
  readonly contextLength = null;
  readonly capabilities = null;
  /** When it was asked, by its clock. */
  readonly askedAtMs: number[] = [];

  constructor(
    readonly model: string,
    private readonly clock: Clock,
    private readonly reply: () => Reply,
    readonly upstream = 'scripted',
  ) {}

  unsupported(): readonly string[] {
    return [];
  }

  async countTokens(): Promise<number> {
    return USAGE.promptTokens;
  }

  dispatch({ limits, request }: Attempt, reader: AnswerReader): RunningAttempt {
    this.askedAtMs.push(this.clock.now());
    const { ms, failure } = this.reply();
    const limitMs = request.isStream ? limits.ttftMs : limits.responseMs;
    const run = () => {
      if (ms > limitMs) reader.onFailure({ reason: 'silent', message: 'silent' });
      else if (failure) reader.onFailure(failure);
      else reader.onComplete({ bytes: Buffer.from(`{"from":"${this.model}"}`), usage: USAGE, oddities: [] });
    };
    const timer = this.clock.after(Math.min(ms, limitMs), run);
    return { pause: () => undefined, resume: () => undefined, abort: () => timer.cancel(), produced: () => USAGE };
  }
}

/** How a spec places a target. */
export interface Placement {
  readonly target: Target;
  readonly priority?: number;
  readonly weight?: number;
  readonly maxConcurrency?: number;
}

export function aRoute(clock: Clock, placements: readonly Placement[], limits: Partial<Limits> = {}): Route {
  const all = { ...DEFAULT_LIMITS, ...limits };
  const targets: RouteTarget[] = placements.map(({ target, priority = 0, weight = 1, maxConcurrency = 64 }) => ({
    state: new TargetState(target, maxConcurrency, DEFAULT_HEALTH_LIMITS, clock),
    priority,
    weight,
    limits: all,
  }));
  return {
    id: 'chat',
    aliases: [],
    strategy: 'least_busy',
    streamGuard: 'passthrough',
    limits: all,
    tiers: toTiers(targets),
    price: null,
    listedModel: null,
    trustChatTemplate: false,
    trainedFallback: false,
  };
}
