-- An imported checkpoint is no job's. Only the catalogue changes: no row is read or rewritten.
ALTER TABLE "checkpoints" ALTER COLUMN "job_id" DROP NOT NULL;
