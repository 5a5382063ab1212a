import { type ConstraintProbe, locateCallError } from '@hone/engine';

import type { RefusalIssue } from '../../target.js';
import type { PreparedRequest } from './prepared-request.js';
import { wrongValue } from './request-issue.js';

/** The fields of a request whose constraints the engine cannot compile. */
export async function constraintIssues(request: PreparedRequest, probe: ConstraintProbe): Promise<RefusalIssue[]> {
  const { constraint, tools, generation } = request;
  const issues: RefusalIssue[] = [];
  const text = constraint && (await probe.reasonAgainst(constraint.source, generation.priority));
  if (constraint && text) issues.push(wrongValue(constraint.loc, text));
  const call = tools && (await probe.reasonAgainst(tools.call, generation.priority));
  if (tools && call) {
    const { index, reason } = locateCallError(tools, call);
    const loc = request.usesFunctions ? ['functions', index] : ['tools', index, 'function'];
    issues.push(wrongValue([...loc, 'parameters'], reason));
  }
  return issues;
}
