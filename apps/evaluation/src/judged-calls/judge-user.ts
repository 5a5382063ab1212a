/** For whom judges ask models: the user of their own calls, by which these are told from calls to judge. */
const PREFIX = 'hone.scorer:';

/** @param scorerId object id; null: a draft */
export const judgeUser = (scorerId: string | null): string => PREFIX + (scorerId ?? 'draft');

/** A pattern of `LIKE` that all of them meet. */
export const JUDGE_USERS = `${PREFIX}%`;
