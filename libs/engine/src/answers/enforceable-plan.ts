import type { ConstraintProbe } from './constraint-probe.js';
import { locateInTools } from './tool-calls/call-schema.js';
import { locateCallError, type ToolPlan } from './tool-calls/tool-plan.js';

/** Keywords of one request that are left out at most: each costs a translation. */
const MOST_LEFT_OUT = 64;

/** A keyword of a tool's parameters that calls are not held to. */
export interface LeftOutKeyword {
  /** Index of the tool in the request. */
  readonly tool: number;
  /** JSON pointer of the keyword in the tool's parameters. */
  readonly pointer: string;
}

/** Why a tool's parameters cannot be enforced, with the index of the tool in the request. */
export interface ToolRefusal {
  readonly tool: number;
  readonly reason: string;
}

type Json = Record<string, unknown>;

/**
 * The same plan with a constraint that the engine can enforce. OpenAI's API holds calls of a tool without `strict` to its
 * schema as well as it can; so does this: it leaves out what the engine cannot enforce, and says so. A `oneOf` whose schemas
 * overlap becomes `anyOf`.
 *
 * @param priority of the request
 * @returns a refusal where the tool is strict, or its schema is not valid
 */
export async function enforceablePlan(
  plan: ToolPlan,
  probe: ConstraintProbe,
  priority: number,
): Promise<{ readonly plan: ToolPlan; readonly leftOut: readonly LeftOutKeyword[] } | ToolRefusal> {
  const leftOut: LeftOutKeyword[] = [];
  let current = plan;
  for (;;) {
    const refusal = await probe.refusal(current.call, priority);
    if (refusal === null) return { plan: current, leftOut };
    const { message, keyword } = refusal;
    const place = keyword === null ? null : locateInTools(keyword);
    const known = place && plan.tools[place.tool];
    if (!place || !known || known.tool.strict === true || leftOut.length === MOST_LEFT_OUT) {
      const { index, reason } = locateCallError(plan, message);
      return { tool: index, reason };
    }
    current = { ...current, call: withoutKeyword(current.call, keyword as string) };
    leftOut.push({ tool: known.index, pointer: place.pointer });
  }
}

function withoutKeyword(call: ToolPlan['call'], pointer: string): ToolPlan['call'] {
  if (call.kind !== 'json_schema') return call;
  const path = pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return { ...call, schema: without(call.schema, path) };
}

/** A copy of a schema, as far as it changes. */
function without(value: unknown, [step = '', ...rest]: readonly string[]): unknown {
  if (rest.length === 0) {
    const { [step]: removed, ...others } = value as Json;
    return step === 'oneOf' && !('anyOf' in others) ? { ...others, anyOf: removed } : others;
  }
  if (Array.isArray(value)) return value.with(Number(step), without(value[Number(step)], rest));
  return { ...(value as Json), [step]: without((value as Json)[step], rest) };
}
