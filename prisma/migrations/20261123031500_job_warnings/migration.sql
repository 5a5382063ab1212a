-- A constant default: no row is rewritten, and the version before inserts rows without it.
ALTER TABLE "training_jobs" ADD COLUMN "warnings" JSONB NOT NULL DEFAULT '[]';
