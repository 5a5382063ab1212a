/** A job can be claimed, or was asked to stop, or ended. Payload: JSON {@link JobNotification}. */
export const JOBS_CHANNEL = 'training_jobs';
/** A job has a new event or another status. Payload: JSON {@link JobEventNotification}. */
export const JOB_EVENTS_CHANNEL = 'training_events';

export interface JobNotification {
  readonly job_id: string;
}

export interface JobEventNotification {
  readonly job_id: string;
  readonly model_id: string;
}
