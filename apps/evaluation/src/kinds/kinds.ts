import type { ScorerKind as KindName } from '@hone/contracts';
import { Injectable } from '@nestjs/common';

import { CheckKind } from './check/check.kind.js';
import { HttpKind } from './http/http.kind.js';
import { LlmKind } from './llm/llm.kind.js';
import { PairwiseKind } from './pairwise/pairwise.kind.js';
import type { ScorerKind } from './scorer-kind.js';

/** All kinds of scorers, by their names. */
@Injectable()
export class ScorerKinds {
  private readonly kinds: Record<KindName, ScorerKind>;

  constructor(check: CheckKind, llm: LlmKind, http: HttpKind, pairwise: PairwiseKind) {
    this.kinds = { check, llm, http, pairwise };
  }

  of(name: KindName): ScorerKind {
    return this.kinds[name];
  }
}
