import type { Issue } from '@hone/contracts';
import { ValidationError } from '@hone/platform';

/** @throws ValidationError */
export function fail(found: Issue): never {
  throw new ValidationError([found]);
}
