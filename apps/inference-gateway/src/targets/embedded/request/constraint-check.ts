import { type ConstraintProbe, enforceablePlan, type LeftOutKeyword } from '@hone/engine';

import type { RefusalIssue } from '../../target.js';
import type { PreparedRequest } from './prepared-request.js';
import { wrongValue } from './request-issue.js';

/** What the engine says of the constraints of a request. */
export interface CheckedConstraints {
  /** The fields whose constraints it cannot compile. */
  readonly issues: readonly RefusalIssue[];
  /** The request without the keywords of tools that it cannot enforce. */
  readonly request: PreparedRequest;
}

/** Compiles the constraints of a request, and leaves out of tools that are not strict what the engine cannot enforce. */
export async function checkConstraints(request: PreparedRequest, probe: ConstraintProbe): Promise<CheckedConstraints> {
  const { constraint, tools, generation } = request;
  const issues: RefusalIssue[] = [];
  const text = constraint && (await probe.reasonAgainst(constraint.source, generation.priority));
  if (constraint && text) issues.push(wrongValue(constraint.loc, text));
  if (!tools) return { issues, request };
  const checked = await enforceablePlan(tools, probe, generation.priority);
  if ('reason' in checked) {
    issues.push(wrongValue(parametersOf(request, checked.tool), checked.reason));
    return { issues, request };
  }
  const warnings = checked.leftOut.map((keyword) => warningOf(request, keyword));
  return { issues, request: { ...request, tools: checked.plan, warnings } };
}

const parametersOf = ({ usesFunctions }: PreparedRequest, tool: number): RefusalIssue['loc'] =>
  usesFunctions ? ['functions', tool, 'parameters'] : ['tools', tool, 'function', 'parameters'];

const warningOf = (request: PreparedRequest, { tool, pointer }: LeftOutKeyword): string =>
  `not enforced: ${parametersOf(request, tool).join('.')}${pointer}`;
