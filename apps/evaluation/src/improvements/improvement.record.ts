import type { ImproveDto, ImprovementCandidateDto, ImprovementStatus, PipelineStep } from '@hone/contracts';

export type EndStatus = Exclude<ImprovementStatus, 'proposed' | 'running'>;

/** One way to learn, as its improvement keeps it. */
export interface CandidateRecord extends ImprovementCandidateDto {
  /** URL of the rows that are held out of its data. Null: none. */
  readonly held_out_url: string | null;
}

/** How far an improvement is. */
export interface ImprovementProgress {
  readonly step: PipelineStep;
  /** Step of the checkpoint that the alias named when it began; null: nobody looked yet. */
  readonly currentStep: number | null;
  readonly dataset: string | null;
  readonly candidates: readonly CandidateRecord[];
  /** Ids of its evaluations on the server. */
  readonly evaluationIds: readonly string[];
  /** Evaluation run of the current checkpoint. */
  readonly currentRunId: string | null;
}

export interface ImprovementEnd {
  readonly status: EndStatus;
  readonly reason: string;
}

/** An attempt to make a model better by its judged calls. */
export interface ImprovementRecord extends ImprovementProgress {
  readonly id: string;
  readonly projectRowId: string;
  /** `<entity>/<project>`. */
  readonly projectId: string;
  readonly settings: ImproveDto;
  readonly status: ImprovementStatus;
  readonly reason: string | null;
  /** It goes on with this key's rights. */
  readonly keyId: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

/** What working on an improvement comes to. Absent: as it was. */
export interface ImprovementChange extends Partial<ImprovementProgress> {
  readonly end?: ImprovementEnd;
  /** Whether there is more to do at once. */
  readonly goesOn?: boolean;
}

export const DEFAULT_ALIAS = 'production';

export const aliasOf = ({ alias }: ImproveDto): string => alias ?? DEFAULT_ALIAS;

/** Candidates with some of them changed. */
export const changed = (
  candidates: readonly CandidateRecord[],
  method: CandidateRecord['method'],
  change: Partial<CandidateRecord>,
): CandidateRecord[] => candidates.map((one) => (one.method === method ? { ...one, ...change } : one));
