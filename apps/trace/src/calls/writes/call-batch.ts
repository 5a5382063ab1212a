import {
  type CallHalfDto,
  CallEndDto,
  CallStartDto,
  check,
  type Class,
  issue,
  type Issue,
  type Loc,
  MAX_ISSUES,
} from '@hone/contracts';
import { newId } from '@hone/database';
import { ValidationError } from '@hone/platform';

/** A validated half. */
export type Half = { projectId: string; id: string } & ({ start: CallStartDto } | { end: CallEndDto });

/** The halves of a batch, in order. @throws ValidationError */
export function readHalves(batch: CallHalfDto[]): Half[] {
  const issues: Issue[] = [];
  const halves = batch.map(({ mode, req }, index): Half | undefined => {
    if (issues.length >= MAX_ISSUES) return undefined;
    const loc = ['body', 'batch', index, 'req'];
    for (const key of Object.keys(req)) if (key !== mode) issues.push(issue('extra_forbidden', [...loc, key]));
    if (mode === 'start') {
      const start = readHalf(CallStartDto, req['start'], [...loc, 'start'], issues);
      return start && { projectId: start.project_id, id: start.id ?? newId(), start };
    }
    const end = readHalf(CallEndDto, req['end'], [...loc, 'end'], issues);
    return end && { projectId: end.project_id, id: end.id, end };
  });
  if (issues.length) throw new ValidationError(issues);
  return halves as Half[];
}

function readHalf<T extends object>(type: Class<T>, input: unknown, loc: Loc, issues: Issue[]): T | undefined {
  if (input === undefined) {
    issues.push(issue('missing', loc));
    return undefined;
  }
  const checked = check(type, input, loc);
  issues.push(...checked.issues);
  return checked.value;
}
