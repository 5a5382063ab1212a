/** Groups as `POST P/training-jobs` takes them: checked for shape there, read with its defaults here. */
export interface TrajectoryGroupInput {
  readonly trajectories?: readonly TrajectoryInput[];
}

export interface HistoryInput {
  readonly messages_and_choices?: readonly object[];
  readonly tools?: readonly unknown[] | null;
}

export interface TrajectoryInput extends HistoryInput {
  readonly additional_histories?: readonly HistoryInput[];
  /** Default 0. */
  readonly reward?: number;
  /** Step of the checkpoint that sampled the trajectory. */
  readonly initial_policy_version?: number | null;
}

/** A sampled answer with what the server reported of its tokens. The interface does not validate these fields. */
export interface ChoiceInput {
  readonly message: object;
  readonly finish_reason: unknown;
  readonly prompt_token_ids?: unknown;
  readonly token_ids?: unknown;
  readonly logprobs?: unknown;
}

/** An item of a history is a Choice when it has a message and says why it ended; else it is a message. */
export function isChoice(item: object): item is ChoiceInput {
  const message = 'message' in item ? item.message : null;
  return typeof message === 'object' && message !== null && 'finish_reason' in item;
}

/** The item as the chat template sees it. */
export const asMessage = (item: object): object => (isChoice(item) ? item.message : item);
