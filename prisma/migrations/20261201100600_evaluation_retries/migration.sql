-- How often the failed cells of an evaluation were tried again: who sums up what was before, writes no summary.
ALTER TABLE "evaluation_jobs" ADD COLUMN "retries" INTEGER NOT NULL DEFAULT 0;
