import type { Capability } from '@hone/contracts';

import { CHAT_ONLY } from '../../shared/endpoint.js';
import { formFor } from '../../targets/form-for.js';
import type { ChatRequest, Target } from '../../targets/target.js';
import type { TargetState } from '../health/target-state.js';
import { needsOf, type RouteTarget } from '../route/route.js';

/** Which of a route's targets may still answer a request; its failures narrow the choice. */
export class Eligibility {
  private readonly needs: ReadonlySet<Capability>;
  /** Null until the first is given up: most requests never allocate the list. */
  private givenUp: TargetState[] | null = null;
  private fitting: RouteTarget | null = null;
  private minContext = 0;
  private mustDeclare = false;

  constructor(private readonly request: ChatRequest) {
    this.needs = needsOf(request);
  }

  /** It could answer if it were healthy. */
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
    (this.givenUp ??= []).push(target.state);
  }

  /** Routes in a row may have the same target. */
  hasGivenUp({ state }: RouteTarget): boolean {
    return this.givenUp?.includes(state) ?? false;
  }

  /** The prompt was too long for `target`: only targets that declare a longer context remain. */
  needLongerContext({ contextLength }: Target): void {
    this.minContext = contextLength === null ? Infinity : contextLength + 1;
  }

  /** The request was rejected: only targets that declare the capabilities it needs remain. */
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

/** The parameters that none of the targets honours, for a 422; empty: at least one target honours all. */
export function unhonouredParameters(targets: readonly Target[], request: ChatRequest): readonly string[] {
  const needs = needsOf(request);
  const missing: (readonly string[])[] = [];
  for (const target of targets) {
    const fields = missingOf(target, request, needs);
    if (fields.length === 0) return [];
    missing.push([...new Set(fields)]);
  }
  const [first = []] = missing;
  const byNone = first.filter((field) => missing.every((fields) => fields.includes(field)));
  return byNone.length > 0 ? byNone : first;
}

const OTHER_MODEL = ['model'];

/** The parameters that one target does not honour. */
function missingOf(target: Target, request: ChatRequest, needs: ReadonlySet<Capability>): readonly string[] {
  const { capabilities, endpoints = CHAT_ONLY } = target;
  const form = formFor(target, request);
  if (!endpoints.has(form.endpoint)) return OTHER_MODEL;
  const unsupported = target.unsupported(form);
  if (capabilities === null || needs.size === 0) return unsupported;
  return [
    ...unsupported,
    ...[...needs].filter((need) => !capabilities.has(need)).map((need) => fieldOf(need, request)),
  ];
}

/** The field by which a request needs a capability. */
function fieldOf(need: Capability, { fields }: ChatRequest): string {
  switch (need) {
    case 'structured':
      return fields.structured_outputs ? 'structured_outputs' : 'response_format';
    case 'prefill':
      return fields.continue_final_message === true ? 'continue_final_message' : 'messages';
    case 'logprobs':
      return fields.logprobs === true ? 'logprobs' : 'prompt_logprobs';
    case 'tools':
      return Array.isArray(fields.functions) && fields.functions.length > 0 ? 'functions' : 'tools';
    case 'vision':
      return 'messages';
  }
}
