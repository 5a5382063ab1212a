import { GatewayError, InvalidRequestError } from '../chat-completions/gateway-error.js';
import type { EmbeddedTarget } from '../embedded/index.js';
import { unhonouredParameters } from '../routing/eligibility.js';
import type { Route } from '../routing/route.js';
import type { ChatRequest, Target } from '../upstreams/target.js';
import { LazyEmbeddedTarget } from './lazy-embedded-target.js';
import { toOpenFailure } from './open-failure.js';

/**
 * What no target of a route can honour is refused before anything is spent on it: by name when all lack it, and as the
 * embedded engine says when it alone would answer. A target that cannot be opened counts when there is no other.
 *
 * @throws GatewayError 400, 422, 502, 503
 */
export function assertFits(route: Route, request: ChatRequest): void | Promise<void> {
  if (!route.trustChatTemplate) assertNoTemplate(request);
  const { targets, mayHaveToBeOpened } = targetsOf(route);
  if (mayHaveToBeOpened) return assertFitsOpened(targets, request);
  assertHonoured(unhonouredParameters(targets, request));
}

interface RouteTargets {
  readonly targets: readonly Target[];
  readonly mayHaveToBeOpened: boolean;
}

/** Of each route: they change with the configuration only, and every request asks for them. */
const known = new WeakMap<Route, RouteTargets>();

function targetsOf(route: Route): RouteTargets {
  let found = known.get(route);
  if (found === undefined) {
    const targets = route.tiers.flatMap((tier) => tier.targets.map(({ state }) => state.target));
    found = { targets, mayHaveToBeOpened: targets.some((target) => target instanceof LazyEmbeddedTarget) };
    known.set(route, found);
  }
  return found;
}

async function assertFitsOpened(targets: readonly Target[], request: ChatRequest): Promise<void> {
  const usable = await openAll(targets);
  const [only] = usable;
  const alone = usable.length === 1 && only instanceof LazyEmbeddedTarget ? await only.open() : null;
  // The engine itself says which part of which message it cannot read.
  assertHonoured(unhonouredParameters(usable, request).filter((field) => alone === null || field !== 'messages'));
  if (alone !== null) await assertChecked(alone, request);
}

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
  const places: string[][] = [];
  if (isGiven(template)) places.push(['chat_template']);
  if (isGiven(inKwargs)) places.push(['chat_template_kwargs', 'chat_template']);
  if (places.length === 0) return;
  const msg = 'The model does not take chat templates of its callers';
  throw new InvalidRequestError(
    places.map((place) => ({ loc: ['body', ...place], msg, type: 'unsupported_parameter' })),
  );
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** The targets that can be asked. @throws GatewayError none of them can */
async function openAll(targets: readonly Target[]): Promise<Target[]> {
  const failures: unknown[] = [];
  const usable: Target[] = [];
  for (const target of targets) {
    try {
      if (target instanceof LazyEmbeddedTarget) await target.open();
      usable.push(target);
    } catch (error) {
      failures.push(toOpenFailure(error, target));
    }
  }
  if (usable.length === 0 && failures.length > 0) throw failures[0];
  return usable;
}

async function assertChecked(target: EmbeddedTarget, request: ChatRequest): Promise<void> {
  const refusal = await target.check(request);
  if (refusal === null) return;
  if (refusal.status === 422) {
    throw new InvalidRequestError(refusal.issues.map((issue) => ({ ...issue, loc: ['body', ...issue.loc] })));
  }
  throw new GatewayError(400, 'invalid_request_error', refusal.code, refusal.message, {
    headers: { 'x-should-retry': 'false' },
    param: 'messages',
  });
}
