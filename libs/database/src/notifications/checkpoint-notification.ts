/** Training notifies, the gateway listens: a checkpoint was made or deleted. Payload: JSON {@link CheckpointNotification}. */
export const CHECKPOINTS_CHANNEL = 'checkpoints';

export interface CheckpointNotification {
  readonly model_id: string;
  readonly step: number;
}
