import { needsOf, type Route } from '../../dispatch/route/route.js';
import { unhonouredParameters } from '../../dispatch/selection/eligibility.js';
import { CHAT_ONLY } from '../../shared/endpoint.js';
import { InvalidRequestError } from '../../shared/errors/gateway-error.js';
import { formFor } from '../../targets/form-for.js';
import type { ChatRequest, Refusal, Target } from '../../targets/target.js';
import { TargetUnavailableError } from '../../targets/target-failure.js';
import { CheckpointDamagedError, ModelNotServedError, ModelUnavailableError } from '../trained/trained.errors.js';
import { PromptTooLongError } from './models.errors.js';

/** Models that a refusal names. */
const MOST_NAMED = 3;

/**
 * Refuses, before anything is spent on it, what no target of a route can honour: by the parameter that all lack, and by
 * the check of the only target that is left. A target that cannot be opened counts only when there is no other.
 *
 * @param readers ids of models that read images, for a request whose images the model cannot read
 * @throws GatewayError 400, 422, 502, 503
 */
export function assertFits(route: Route, request: ChatRequest, readers: () => readonly string[]): void | Promise<void> {
  const fail = (error: unknown): never => {
    throw needsOf(request).has('vision') ? withReaders(error, readers()) : error;
  };
  try {
    const checking = assertHonourable(route, request);
    return checking instanceof Promise ? checking.catch(fail) : checking;
  } catch (error) {
    return fail(error);
  }
}

/** An image is refused with the models that could read it. */
function withReaders(error: unknown, readers: readonly string[]): unknown {
  if (!(error instanceof InvalidRequestError) || readers.length === 0) return error;
  const named = readers.slice(0, MOST_NAMED).map((id) => `'${id}'`);
  return error.explained(({ loc, msg }) =>
    loc[1] === 'messages' ? `${msg}; ${named.join(', ')} can read images` : msg,
  );
}

function assertHonourable(route: Route, request: ChatRequest): void | Promise<void> {
  if (!route.trustChatTemplate) assertNoTemplate(request);
  const { targets, mustBeOpened } = targetsOf(route);
  if (mustBeOpened) return assertFitsOpened(targets, request);
  assertHonoured(unhonouredParameters(targets, request));
}

/** Tokens of a request's prompt, as the first target counts them that can be opened. @throws GatewayError 400, 422, 502, 503 */
export async function countTokens(route: Route, request: ChatRequest): Promise<number> {
  if (!route.trustChatTemplate) assertNoTemplate(request);
  const able = targetsOf(route).targets.filter((target) =>
    (target.endpoints ?? CHAT_ONLY).has(formFor(target, request).endpoint),
  );
  const [target] = await openAll(able);
  const counted = (await target?.countTokens(formFor(target, request))) ?? 0;
  return typeof counted === 'number' ? counted : refuse(counted);
}

interface RouteTargets {
  readonly targets: readonly Target[];
  /** One of them loads its weights when it is first used. */
  readonly mustBeOpened: boolean;
}

/** Memo: a route's targets change only with the configuration, and every request asks for them. */
const known = new WeakMap<Route, RouteTargets>();

function targetsOf(route: Route): RouteTargets {
  let found = known.get(route);
  if (found === undefined) {
    const targets = route.tiers.flatMap((tier) => tier.targets.map(({ state }) => state.target));
    found = { targets, mustBeOpened: targets.some(({ open }) => open !== undefined) };
    known.set(route, found);
  }
  return found;
}

async function assertFitsOpened(targets: readonly Target[], request: ChatRequest): Promise<void> {
  const usable = await openAll(targets);
  const [only] = usable;
  const checked = usable.length === 1 && only?.check !== undefined ? only : null;
  const unhonoured = unhonouredParameters(usable, request);
  // The check of the only target says which part of which message it cannot read, or which tool it cannot call.
  assertHonoured(unhonoured.filter((field) => checked === null || !CHECKED.has(field)));
  if (checked !== null) await assertChecked(checked, request);
  assertHonoured(unhonoured);
}

/** Fields whose issues the check of a target locates. */
const CHECKED = new Set(['messages', 'tools']);

function assertHonoured(unhonoured: readonly string[]): void {
  if (unhonoured.length === 0) return;
  const msg = 'The model does not support this parameter';
  throw new InvalidRequestError(
    unhonoured.map((field) => ({ loc: ['body', field], msg, type: 'unsupported_parameter' })),
  );
}

/** A template is a program that its upstream runs: only the operator can allow callers to bring theirs. */
function assertNoTemplate({ fields }: ChatRequest): void {
  const { chat_template: template, chat_template_kwargs: kwargs } = fields;
  const inKwargs = (kwargs as { chat_template?: unknown } | null | undefined)?.chat_template;
  const locs: string[][] = [];
  if (isGiven(template)) locs.push(['chat_template']);
  if (isGiven(inKwargs)) locs.push(['chat_template_kwargs', 'chat_template']);
  if (locs.length === 0) return;
  const msg = 'The model does not take chat templates of its callers';
  throw new InvalidRequestError(locs.map((loc) => ({ loc: ['body', ...loc], msg, type: 'unsupported_parameter' })));
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** The targets that are open, or could be opened. @throws GatewayError none could */
async function openAll(targets: readonly Target[]): Promise<Target[]> {
  const failures: unknown[] = [];
  const usable: Target[] = [];
  for (const target of targets) {
    try {
      await target.open?.();
      usable.push(target);
    } catch (error) {
      failures.push(toGatewayError(error, target));
    }
  }
  if (usable.length === 0 && failures.length > 0) throw failures[0];
  return usable;
}

function toGatewayError(error: unknown, { model, pinned }: Target): unknown {
  if (!(error instanceof TargetUnavailableError)) return error;
  switch (error.reason) {
    case 'damaged':
      return new CheckpointDamagedError(pinned?.name ?? model);
    case 'transient':
      return new ModelUnavailableError(pinned?.name ?? model);
    case 'not_served':
      return ModelNotServedError.ofBase(model, (error.cause as Error).message);
  }
}

async function assertChecked(target: Target, request: ChatRequest): Promise<void> {
  const refusal = await target.check?.(request);
  if (refusal) refuse(refusal);
}

function refuse(refusal: Refusal): never {
  if (refusal.status === 422) {
    throw new InvalidRequestError(refusal.issues.map((issue) => ({ ...issue, loc: ['body', ...issue.loc] })));
  }
  throw new PromptTooLongError(refusal.message, refusal.param);
}
