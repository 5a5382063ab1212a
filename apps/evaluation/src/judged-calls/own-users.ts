/** For whom this service asks models: the users of its own calls, by which these are told from the traffic of a project. */
const JUDGE = 'hone.scorer:';
const EVALUATION = 'hone.evaluation:';

/** Of the calls in which training jobs sample their own rollouts: the trainer writes it. */
const ROLLOUTS = 'hone.rollouts:';

/** Of a judge's calls. @param scorerId object id; null: a draft */
export const judgeUser = (scorerId: string | null): string => JUDGE + (scorerId ?? 'draft');

/** Of the calls in which candidates answer. @param evaluationId object id */
export const evaluationUser = (evaluationId: string): string => EVALUATION + evaluationId;

/** Pattern of `LIKE` that the users of judges' calls meet. */
export const JUDGES = `${JUDGE}%`;

/** Patterns of `LIKE`, one of which each of them meets. */
export const OWN_USERS = [JUDGES, `${EVALUATION}%`, `${ROLLOUTS}%`];
