import {
  CallEndDto,
  type CallHalfDto,
  CallStartDto,
  check,
  type Class,
  type Issue,
  issue,
  type Loc,
  MAX_ISSUES,
} from '@hone/contracts';

/** A validated half. */
export type Half = { start: CallStartDto } | { end: CallEndDto };

/** The halves of a batch, in order. @param issues what is wrong goes here; then some halves are left out */
export function readHalves(batch: CallHalfDto[], issues: Issue[]): Half[] {
  const halves: Half[] = [];
  for (const [index, { mode, req }] of batch.entries()) {
    if (issues.length >= MAX_ISSUES) break;
    const loc = ['body', 'batch', index, 'req'];
    for (const key of Object.keys(req)) if (key !== mode) issues.push(issue('extra_forbidden', [...loc, key]));
    const half =
      mode === 'start'
        ? { start: readHalf(CallStartDto, req['start'], [...loc, 'start'], issues) }
        : { end: readHalf(CallEndDto, req['end'], [...loc, 'end'], issues) };
    if (half.start ?? half.end) halves.push(half as Half);
  }
  return halves;
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
