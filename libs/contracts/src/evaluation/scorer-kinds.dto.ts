import { Example } from '../schema/example.js';
import { SCORER_CHECKS, SCORER_KINDS, type ScorerCheck, type ScorerKind } from '../trace/scorer-definition.dto.js';
import { fromRule, MayOmit, NestedList } from '../validation/rule.js';
import { IsText, IsWord, listRule, wordRule } from '../validation/rules.js';

/** A kind of scorers. */
export class ScorerKindDto {
  /** Name of the kind: `check`, a rule that is computed; `llm` and `pairwise`, a model that is asked; `http`, a server of your own. */
  @IsWord(SCORER_KINDS) kind!: ScorerKind;
  /** Names of the checks to choose from. Absent: the kind has none. */
  @MayOmit() @fromRule(listRule(wordRule(SCORER_CHECKS))) checks?: ScorerCheck[];
  /** What scorers of the kind do, and what they ask for, in sentences for people. */
  @IsText() description!: string;
}

/** Answer of `GET /evaluation/scorer-kinds`. */
@Example({
  kinds: [
    { kind: 'check', checks: ['exact', 'contains'], description: 'A rule that is computed here, without a model.' },
    { kind: 'llm', description: 'A model that judges.' },
  ],
})
export class ScorerKindListDto {
  /** All kinds, those that cost nothing first. */
  @NestedList(() => ScorerKindDto) kinds!: ScorerKindDto[];
}
