import { type ScorerDefinitionDto, valueIssue } from '@hone/contracts';
import { ValidationError } from '@hone/platform';

import type { ScorerKinds } from '../kinds/kinds.js';

/** @throws ValidationError the scorer cannot judge, such as a check whose pattern is none */
export async function assertUsable(kinds: ScorerKinds, definition: ScorerDefinitionDto): Promise<void> {
  const fault = await kinds.of(definition.kind).faultOf(definition);
  if (fault !== null)
    throw new ValidationError([valueIssue(`The scorer cannot be used: ${fault}`, ['body', 'scorer'])]);
}
