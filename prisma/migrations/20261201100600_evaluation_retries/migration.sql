-- How often the failed cells of an evaluation were retried. A process that summed up a run before a retry sees by it that its summary
-- is out of date, and does not store it.
ALTER TABLE "evaluation_jobs" ADD COLUMN "retries" INTEGER NOT NULL DEFAULT 0;
