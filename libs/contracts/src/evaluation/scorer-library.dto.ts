import { Example } from '../schema/example.js';
import type { ScorerDefinitionDto } from '../trace/scorer-definition.dto.js';
import { AcceptsUnknownFields, MayOmit, NestedList } from '../validation/rule.js';
import { IsJsonValue, IsText, IsTextList } from '../validation/rules.js';

/** Query of `GET /evaluation/scorer-library`. */
@AcceptsUnknownFields()
export class ScorerLibraryQueryDto {
  /** Model that judges, written into the definitions, 1 to 256 characters. Absent: `judge`, which you replace. */
  @MayOmit() @IsText({ min: 1, max: 256 }) model?: string;
}

/** A ready scorer: store it as it is, or change it. */
export class LibraryScorerDto {
  /** Name to store it under. */
  @IsText() name!: string;
  /** What it finds, and how, in sentences for people. */
  @IsText() description!: string;
  /** What a call needs to be judged, as `inputs.expected`; others are skipped. */
  @IsTextList() needs!: string[];
  /** What Hone does to judge a call, of the form of `definition` of a scorer. */
  @IsJsonValue({ type: 'object' }) definition!: ScorerDefinitionDto;
}

/** Answer of `GET /evaluation/scorer-library`. */
@Example({
  scorers: [
    {
      name: 'valid json',
      description: 'Whether the answer is JSON.',
      needs: [],
      definition: { kind: 'check', check: { check: 'json_schema', schema: {} } },
    },
  ],
})
export class ScorerLibraryDto {
  /** All ready scorers: checks, which cost nothing, then judges. */
  @NestedList(() => LibraryScorerDto) scorers!: LibraryScorerDto[];
}
