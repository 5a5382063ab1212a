import type { EvidenceKind, JsonValue, ScoreFormat } from '@hone/contracts';

/** A score of another tool, whichever it is. */
export interface ImportedScore {
  readonly tool: ScoreFormat;
  /** Its own id; null: it has none. */
  readonly id: string | null;
  /** Id of the trace, as spans of OpenTelemetry have it; null: the span says it all. */
  readonly traceId: string | null;
  /** Id of the span; null: the trace as a whole is judged. */
  readonly spanId: string | null;
  readonly name: string;
  readonly value: JsonValue;
  readonly evidence: EvidenceKind;
  /** `score`; `expectation`: what should have been answered; `correction`: the answer as it should be. */
  readonly kind: 'score' | 'expectation' | 'correction';
  /** Why; null: it is not said. */
  readonly comment: string | null;
  /** Who or what judged, as the tool has it; null: it is not said. */
  readonly creator: string | null;
  /** When, as the tool has it; null: it is not said. */
  readonly timestamp: string | null;
  /** What else the tool says; null: nothing. */
  readonly metadata: JsonValue;
}

/** A score, or why it is none. */
export type ReadScore = ImportedScore | { readonly problem: string; readonly id: string | null };

/** What tells a request's scores apart from others of their names: who judged. */
export type EvidenceByName = Readonly<Record<string, EvidenceKind>>;
