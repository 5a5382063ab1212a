import type { Capability, ChatRequest, Target } from '../upstreams/target.js';

import { needsOf, type RouteTarget } from './route.js';

/** Which of a route's targets may still answer a request; what a request learns from failures narrows it. */
export class Eligibility {
  private readonly needs: ReadonlySet<Capability>;
  /** Few, and mostly none: what most requests never need is not made for each. */
  private givenUp: RouteTarget[] | null = null;
  private fitting: RouteTarget | null = null;
  private minContext = 0;
  private mustDeclare = false;

  constructor(private readonly request: ChatRequest) {
    this.needs = needsOf(request);
  }

  /** It could answer, if it is well. */
  isCandidate(target: RouteTarget): boolean {
    if (this.hasGivenUp(target) || !this.fitsRequest(target)) return false;
    const { contextLength, capabilities } = target.state.target;
    if (this.minContext > 0 && (contextLength ?? 0) < this.minContext) return false;
    return !this.mustDeclare || (this.needs.size > 0 && capabilities !== null);
  }

  isUsable(target: RouteTarget): boolean {
    return target.state.isUsable && this.isCandidate(target);
  }

  giveUp(target: RouteTarget): void {
    (this.givenUp ??= []).push(target);
  }

  hasGivenUp(target: RouteTarget): boolean {
    return this.givenUp?.includes(target) ?? false;
  }

  /** The prompt was too long for `target`: only one that says it holds more is asked. */
  needLongerContext({ contextLength }: Target): void {
    this.minContext = contextLength === null ? Infinity : contextLength + 1;
  }

  /** The request was rejected: only one that says it does what is needed is asked. */
  needDeclared(): void {
    this.mustDeclare = true;
  }

  private fitsRequest(target: RouteTarget): boolean {
    if (this.fitting === target) return true;
    const fits = missingOf(target.state.target, this.request, this.needs).length === 0;
    if (fits) this.fitting = target;
    return fits;
  }
}

/** The parameters that none of some targets can honour, for a 422; empty: one of them fits. */
export function unhonouredParameters(targets: readonly Target[], request: ChatRequest): readonly string[] {
  const needs = needsOf(request);
  const missing: (readonly string[])[] = [];
  for (const target of targets) {
    const fields = missingOf(target, request, needs);
    if (fields.length === 0) return [];
    missing.push([...new Set(fields)]);
  }
  const [first = []] = missing;
  const nobodys = first.filter((field) => missing.every((fields) => fields.includes(field)));
  return nobodys.length > 0 ? nobodys : first;
}

/** The parameters for which a target is not enough. */
function missingOf(target: Target, request: ChatRequest, needs: ReadonlySet<Capability>): readonly string[] {
  const { capabilities } = target;
  const unsupported = target.unsupported(request);
  if (capabilities === null || needs.size === 0) return unsupported;
  return [
    ...unsupported,
    ...[...needs].filter((need) => !capabilities.has(need)).map((need) => fieldOf(need, request)),
  ];
}

/** The field that makes a request need a capability. */
function fieldOf(need: Capability, { fields }: ChatRequest): string {
  switch (need) {
    case 'structured':
      return fields.structured_outputs ? 'structured_outputs' : 'response_format';
    case 'prefill':
      return fields.continue_final_message === true ? 'continue_final_message' : 'messages';
    case 'logprobs':
      return fields.logprobs === true ? 'logprobs' : 'prompt_logprobs';
    case 'tools':
      return 'tools';
    case 'vision':
      return 'messages';
  }
}
