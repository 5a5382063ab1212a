import type { Principal } from '@hone/auth';
import { SCORER_CHECKS, type ScorerKindDto, type ScorerKindListDto } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { assertTraceScope } from '../access/caller.js';

/** In the order in which they are offered: what costs nothing first. */
const KINDS: readonly ScorerKindDto[] = [
  {
    kind: 'check',
    checks: [...SCORER_CHECKS],
    description:
      'A rule that is computed here, without a model: the same answer each time. Asks for the name of a check, and for ' +
      'what it compares with.',
  },
  {
    kind: 'http',
    description:
      'A server of your own that judges: calls are posted to it, signed. Asks for its address, on a host that the operator ' +
      'allows, and for the ratings and tags that it finds.',
  },
  {
    kind: 'llm',
    description:
      'A model that judges. Asks for the model, for the messages that it reads, and for the criteria: ratings on a scale, ' +
      'and tags.',
  },
  {
    kind: 'pairwise',
    description:
      'A model that compares two answers to the same, in both orders: it finds a win only where both agree. Asks for the ' +
      'model, for the messages that it reads, and for where the other answer is.',
  },
];

@Injectable()
export class ScorerKindsService {
  /** @throws AccessDeniedError the key lacks the scope */
  list(caller: Principal): ScorerKindListDto {
    assertTraceScope(caller);
    return { kinds: [...KINDS] };
  }
}
