import type { JsonDraft } from '@hone/calls';
import { toJsonDraft } from '@hone/calls/json-draft';
import {
  contentDigest,
  EvaluationRunFinishDto,
  type JsonObject,
  type JsonValue,
  PredictionCreateDto,
  ScoreCreateDto,
} from '@hone/contracts';
import { bodyTask } from '@hone/platform/body-task';

/** A prediction, as a body has it. */
export interface SentPrediction extends Pick<PredictionCreateDto, 'model' | 'exception' | 'evaluation_run_id'> {
  /** What the body says, or the digest of the inputs. */
  readonly rowDigest: string;
  readonly inputs: JsonDraft;
  readonly output: JsonDraft;
}

/** A score, as a body has it. */
export interface SentScore extends Omit<ScoreCreateDto, 'value'> {
  readonly value: JsonDraft;
}

/** The end of a run, as a body has it. */
export interface SentFinish {
  readonly summary: JsonDraft;
  readonly exception: string | null;
}

const module = import.meta.url;
const draftOf = (value: unknown): JsonDraft => toJsonDraft((value as JsonValue | undefined) ?? null);

export const PREDICTION_BODY = bodyTask({
  ...{ type: PredictionCreateDto, module, name: 'PREDICTION_BODY' },
  digest({ inputs, output, row_digest, ...body }: PredictionCreateDto, _issues, _sent, refScheme): SentPrediction {
    const rowDigest = row_digest ?? contentDigest(inputs as JsonObject, refScheme);
    return { ...body, rowDigest, inputs: draftOf(inputs), output: draftOf(output) };
  },
});

export const SCORE_BODY = bodyTask({
  ...{ type: ScoreCreateDto, module, name: 'SCORE_BODY' },
  digest: ({ value, ...body }: ScoreCreateDto): SentScore => ({ ...body, value: draftOf(value) }),
});

export const FINISH_BODY = bodyTask({
  ...{ type: EvaluationRunFinishDto, module, name: 'FINISH_BODY' },
  digest: ({ summary, exception }: EvaluationRunFinishDto): SentFinish => ({
    summary: draftOf(summary),
    exception: exception ?? null,
  }),
});
